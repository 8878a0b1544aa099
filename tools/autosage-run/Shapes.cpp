//===- Shapes.cpp - the shapes of a run's operands ------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shapes.h"

using namespace autosage;
using namespace autosage::run;

namespace {

/// What an operand looks like, before numbers are known.
struct Form {
  std::string option;
  int64_t rows = 0;
  bool hasWidth = true;  // n x F or n x H x F; else n x H
  bool isValues = false; // of the width of v, which may be its own
};

/// Settles the numbers of one run.
class Settler {
public:
  Settler(const Options &o, const CsrView &graph, const Files &files)
      : o(o), graph(graph), files(files) {}

  Result<Shapes> settle();

private:
  const Options &o;
  const CsrView &graph;
  const Files &files;
  Shapes shapes;

  std::vector<Form> forms() const;
  Status settleHeads(const std::vector<Form> &forms);
  Status settleWidths(const std::vector<Form> &forms);
  Status checkFile(const Form &form, const Shape &expected) const;
  Status checkEdgeFile() const;
  Shape dense(int64_t rows, int64_t width) const;
  const Shape *fileShape(const std::string &option) const;
};

} // namespace

const Shape *Settler::fileShape(const std::string &option) const {
  auto it = files.find(option);
  return it == files.end() ? nullptr : &it->second.shape;
}

std::vector<Form> Settler::forms() const {
  int64_t rows = graph.rows, cols = graph.cols;
  switch (o.op) {
  case OpKind::spmm:
    return {{"--x", o.transpose ? rows : cols}};
  case OpKind::sddmm: {
    bool dot = o.combine == Combine::dot;
    return {{"--q", rows, dot}, {"--k", cols, dot}};
  }
  case OpKind::attention:
  case OpKind::attention_backward: {
    bool wide = o.score != Score::gat;
    std::vector<Form> forms = {
        {"--q", rows, wide}, {"--k", cols, wide}, {"--v", cols, true, true}};
    if (o.op == OpKind::attention_backward)
      forms.push_back({"--do", rows, true, true});
    return forms;
  }
  case OpKind::row_softmax:
    break;
  }
  return {};
}

/// The heads that a file of this form has, where its rank tells.
static std::optional<int64_t> headsOf(const Form &form, const Shape &shape) {
  if (form.hasWidth && shape.size() == 3)
    return shape[1];
  if (!form.hasWidth && shape.size() == 2)
    return shape[1];
  return std::nullopt;
}

Status Settler::settleHeads(const std::vector<Form> &forms) {
  std::optional<int64_t> heads = o.heads;
  for (const Form &form : forms) {
    const Shape *shape = fileShape(form.option);
    if (!shape)
      continue;
    if (std::optional<int64_t> found = headsOf(form, *shape)) {
      if (!heads)
        heads = found;
      shapes.hasHeads |= form.hasWidth;
    }
  }
  const Shape *edges = fileShape("--edge-values");
  if (edges && edges->size() == 2 && !heads)
    if (o.op == OpKind::row_softmax || forms.front().hasWidth == false)
      heads = (*edges)[1];
  shapes.heads = heads.value_or(1);
  if (shapes.heads < 1)
    return Error{"expects at least one head, got " +
                 std::to_string(shapes.heads)};
  shapes.hasHeads |= shapes.heads > 1;
  if (o.op == OpKind::row_softmax)
    shapes.hasHeads |= edges && edges->size() == 2;
  return Status::success();
}

Status Settler::settleWidths(const std::vector<Form> &forms) {
  std::optional<int64_t> features = o.features, values = o.features;
  std::string option;
  bool needed = false;
  for (const Form &form : forms) {
    if (!form.hasWidth)
      continue;
    needed = true;
    if (option.empty())
      option = form.option;
    const Shape *shape = fileShape(form.option);
    if (!shape || (shape->size() != 2 && shape->size() != 3))
      continue;
    std::optional<int64_t> &width = form.isValues ? values : features;
    if (!width)
      width = shape->back();
  }
  if (!features)
    features = values;
  if (!values)
    values = features;
  if (needed && !features)
    return Error{"expects --features N, or " + option +
                 " FILE.npy to take it from"};
  shapes.features = features.value_or(0);
  shapes.valueFeatures = values.value_or(0);
  // The width of gat is that of v: its scores have none.
  if (isAttention(o.op) && o.score == Score::gat)
    shapes.features = shapes.valueFeatures;
  return Status::success();
}

Shape Settler::dense(int64_t rows, int64_t width) const {
  if (shapes.hasHeads)
    return {rows, shapes.heads, width};
  return {rows, width};
}

/// Without a head dimension the file may still have one of size 1, or lack it.
static bool sameElements(const Shape &a, const Shape &b) {
  Shape x, y;
  auto squeeze = [](const Shape &from, Shape &to) {
    for (size_t i = 0; i < from.size(); ++i)
      if (i == 0 || i + 1 == from.size() || from[i] != 1)
        to.push_back(from[i]);
  };
  squeeze(a, x);
  squeeze(b, y);
  return x == y;
}

Status Settler::checkFile(const Form &form, const Shape &expected) const {
  const Shape *shape = fileShape(form.option);
  if (!shape)
    return Status::success();
  bool matches = *shape == expected;
  if (form.hasWidth && shape->size() >= 2)
    matches |= sameElements(*shape, expected);
  else if (!form.hasWidth && shapes.heads == 1)
    matches |= *shape == Shape{expected.front()};
  if (matches)
    return Status::success();
  return Error{form.option + " has shape " + run::toString(*shape) +
               ", expects " + run::toString(expected)};
}

Status Settler::checkEdgeFile() const {
  const Shape *shape = fileShape("--edge-values");
  if (!shape)
    return Status::success();
  int64_t nnz = graph.nnz();
  std::vector<Shape> allowed;
  if (o.op != OpKind::row_softmax || shapes.heads == 1)
    allowed = {{nnz}, {nnz, 1}};
  if (shapes.heads > 1)
    allowed.push_back({nnz, shapes.heads});
  std::string text;
  for (const Shape &candidate : allowed) {
    if (*shape == candidate)
      return Status::success();
    text += (text.empty() ? "" : " or ") + run::toString(candidate);
  }
  return Error{"--edge-values has shape " + run::toString(*shape) +
               ", expects " + text};
}

Result<Shapes> Settler::settle() {
  std::vector<Form> operands = forms();
  if (Status s = settleHeads(operands); !s)
    return Error{s.error()};
  if (Status s = settleWidths(operands); !s)
    return Error{s.error()};
  for (const Form &form : operands) {
    Shape shape = {form.rows, shapes.heads};
    if (form.hasWidth)
      shape = dense(form.rows,
                    form.isValues ? shapes.valueFeatures : shapes.features);
    if (Status s = checkFile(form, shape); !s)
      return Error{s.error()};
    shapes.operands[form.option] = shape;
  }
  if (isAttention(o.op) && o.score == Score::gatv2) {
    Shape shape = {shapes.heads, shapes.features};
    if (Status s = checkFile({"--a", shapes.heads}, shape); !s)
      return Error{s.error()};
    shapes.operands["--a"] = shape;
  }
  if (Status s = checkEdgeFile(); !s)
    return Error{s.error()};

  int64_t nnz = graph.nnz();
  bool perEdge = o.op == OpKind::sddmm || o.op == OpKind::row_softmax;
  if (o.op == OpKind::spmm) {
    shapes.outRows = o.transpose ? graph.cols : graph.rows;
    shapes.out = dense(shapes.outRows, shapes.features);
  } else if (o.op == OpKind::attention) {
    shapes.outRows = graph.rows;
    shapes.out = dense(shapes.outRows, shapes.valueFeatures);
  } else if (o.op == OpKind::attention_backward) {
    shapes.out = {0}; // it has several
  } else if (perEdge) {
    shapes.outRows = nnz;
    bool add = o.op == OpKind::sddmm && o.combine == Combine::add;
    shapes.out = shapes.hasHeads || add ? Shape{nnz, shapes.heads} : Shape{nnz};
  }
  return std::move(shapes);
}

Result<Shapes> run::settleShapes(const Options &options, const CsrView &graph,
                                 const Files &files) {
  return Settler(options, graph, files).settle();
}
