//===- Workload.cpp - the graph and the operands of one run ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Workload.h"

#include "Messages.h"
#include "Shapes.h"
#include "Wide.h"

#include <cmath>
#include <unistd.h>

using namespace autosage;
using namespace autosage::run;
using compiler::EdgeValues;
using compiler::KernelSpec;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static Result<io::Graph> loadGraph(const Options &o) {
  Progress progress("reading " + o.graph);
  Result<io::Graph> graph = io::readGraph(o.graph);
  if (!graph)
    return graph;
  if (Status s = validate(graph->csr.view()); !s)
    return Error{o.graph + ": " + s.error()};
  for (const std::string &note : graph->notes)
    addNote(note);
  Result<Csr> converted = graph->csr.convertedTo(o.index, o.index);
  if (!converted)
    return Error{o.graph + " does not fit --index i32: " + converted.error() +
                 "; --index i64 holds it"};
  graph->csr = std::move(*converted);
  return graph;
}

static Result<Files> loadFiles(const Options &o) {
  Files files;
  std::pair<const char *, const std::optional<std::string> *> named[] = {
      {"--x", &o.x}, {"--q", &o.q}, {"--k", &o.k},
      {"--v", &o.v}, {"--a", &o.a}, {"--do", &o.dO}};
  auto load = [&](const std::string &option,
                  const std::string &path) -> Status {
    Progress progress("reading " + path);
    Result<io::DenseArray> array = io::readNpy(path);
    if (!array)
      return Error{option + ": " + array.error()};
    files.emplace(option, std::move(*array));
    return Status::success();
  };
  for (auto &[option, path] : named)
    if (*path)
      if (Status s = load(option, **path); !s)
        return Error{s.error()};
  if (o.edgeSource == EdgeSource::file)
    if (Status s = load("--edge-values", o.edgeFile); !s)
      return Error{s.error()};
  return files;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

namespace {
/// Where the values of the edges come from, once the graph is known.
enum class Edges : uint8_t { none, ones, stored, file };
} // namespace

static Edges chooseEdges(const Options &o, const io::Graph &graph) {
  bool stored = graph.values.has_value();
  switch (o.edgeSource) {
  case EdgeSource::file:
    return Edges::file;
  case EdgeSource::byDefault:
    if (isAttention(o.op))
      return Edges::none;
    break;
  case EdgeSource::pattern:
    stored = false;
    break;
  case EdgeSource::stored:
    if (!stored)
      addNote(o.graph + " stores no values: each edge counts as 1");
    break;
  }
  if (stored)
    return Edges::stored;
  // Logits are what row_softmax reads: without values each is 1.
  return o.op == OpKind::row_softmax ? Edges::ones : Edges::none;
}

static KernelSpec specOf(const Options &o, const Shapes &shapes, Edges edges,
                         const Files &files) {
  KernelSpec spec;
  spec.op = o.op;
  spec.reduction = o.reduction;
  spec.combine = o.combine;
  spec.score = o.score;
  spec.dtype = o.dtype;
  spec.f32Out = o.f32Out;
  spec.rowptrType = spec.colindType = o.index;
  spec.heads = shapes.hasHeads ? shapes.heads : 0;
  bool alwaysHeads = (o.op == OpKind::sddmm && o.combine == Combine::add) ||
                     (isAttention(o.op) && o.score == Score::gat);
  if (alwaysHeads)
    spec.heads = shapes.heads;
  // MLIR has no vectors of width zero: such a kernel keeps its width dynamic.
  if (shapes.features > 0)
    spec.features = shapes.features;
  if (shapes.valueFeatures > 0)
    spec.valueFeatures = shapes.valueFeatures;
  if (!isAttention(o.op))
    spec.valueFeatures = compiler::dynamic;
  else if (shapes.features != 0 && shapes.valueFeatures == 0)
    spec.features = compiler::dynamic;
  spec.transpose = o.transpose;
  spec.accumulate = o.accumulate;
  spec.composed = o.composed;
  spec.schedule = o.schedule;
  if (isAttention(o.op) && shapes.features > 0)
    spec.scale = 1.0 / std::sqrt(static_cast<double>(shapes.features));
  if (o.scale)
    spec.scale = *o.scale;

  if (edges == Edges::none)
    return spec;
  spec.edgeValues = EdgeValues::perEdge;
  spec.biasGradient = o.op == OpKind::attention_backward;
  if (o.op == OpKind::row_softmax) {
    if (spec.heads != 0)
      spec.edgeValues = EdgeValues::perHead;
  } else if (edges == Edges::file) {
    const Shape &shape = files.at("--edge-values").shape;
    if (shape.size() == 2)
      spec.edgeValues =
          shape[1] == 1 ? EdgeValues::column : EdgeValues::perHead;
  }
  return spec;
}

/// Refuses work that this machine cannot hold before it starts to swap.
static Status checkMemory(const std::vector<std::pair<std::string, Shape>> &all,
                          DType dtype, bool check) {
  double bytes = 0;
  for (const auto &[name, shape] : all) {
    Result<int64_t> count = elementCount(name, shape);
    if (!count)
      return Error{count.error()};
    bytes += static_cast<double>(*count) *
             (sizeOf(dtype) + (check ? sizeof(double) : 0));
  }
  double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                  static_cast<double>(sysconf(_SC_PAGESIZE));
  if (bytes <= memory)
    return Status::success();
  char text[128];
  std::snprintf(text, sizeof text,
                "operands need %.1f GiB of memory, this machine has %.1f",
                bytes / (1 << 30), memory / (1 << 30));
  return Error{text};
}

namespace {
/// Fills the arrays of a workload.
class Filler {
public:
  Filler(const Options &o, const Shapes &shapes, const Files &files)
      : o(o), shapes(shapes), files(files) {}

  void dense(const std::string &option, uint64_t stream, HostArray &array) {
    dense(option, stream, array, o.dtype);
  }
  void dense(const std::string &option, uint64_t stream, HostArray &array,
             DType type);
  void edges(Edges edges, const io::Graph &graph, HostArray &array);

private:
  const Options &o;
  const Shapes &shapes;
  const Files &files;

  void take(const std::string &option, HostArray &array);
  void assign(const std::string &what, const std::vector<double> &values,
              HostArray &array);
};
} // namespace

void Filler::assign(const std::string &what, const std::vector<double> &values,
                    HostArray &array) {
  if (int64_t overflows = array.assign(values))
    addWarning(what + ": " + std::to_string(overflows) +
               " values exceed the range of " +
               std::string(autosage::toString(array.dtype())) +
               " and became infinite");
}

void Filler::take(const std::string &option, HostArray &array) {
  const io::DenseArray &file = files.at(option);
  std::string stored = file.dtype.empty() ? "" : file.dtype.substr(1);
  std::string wanted = "f" + std::to_string(sizeOf(array.dtype()));
  if (array.dtype() == DType::bf16) // what ml_dtypes writes
    wanted = "V2";
  if (stored != wanted)
    addNote(option + ": " + file.dtype + " converted to " +
            std::string(autosage::toString(array.dtype())));
  assign(option, file.values, array);
}

void Filler::dense(const std::string &option, uint64_t stream, HostArray &array,
                   DType type) {
  auto shape = shapes.operands.find(option);
  if (shape == shapes.operands.end())
    return;
  array = HostArray(type, shape->second);
  if (files.count(option))
    take(option, array);
  else
    array.draw(o.seed, stream);
}

void Filler::edges(Edges edges, const io::Graph &graph, HostArray &array) {
  int64_t nnz = graph.csr.nnz();
  switch (edges) {
  case Edges::none:
    return;
  case Edges::file:
    array = HostArray(o.dtype, files.at("--edge-values").shape);
    return take("--edge-values", array);
  case Edges::ones:
    array = HostArray(o.dtype,
                      shapes.hasHeads ? Shape{nnz, shapes.heads} : Shape{nnz});
    return array.fill(1.0);
  case Edges::stored:
    break;
  }
  // Stored values serve every head; only row_softmax needs them spelled out.
  bool repeat = o.op == OpKind::row_softmax && shapes.hasHeads;
  if (!repeat) {
    array = HostArray(o.dtype, {nnz});
    return assign(o.graph, *graph.values, array);
  }
  std::vector<double> values;
  values.reserve(nnz * shapes.heads);
  for (double value : *graph.values)
    values.insert(values.end(), shapes.heads, value);
  array = HostArray(o.dtype, {nnz, shapes.heads});
  assign(o.graph, values, array);
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

std::vector<std::pair<const char *, const HostArray *>>
Workload::gradients() const {
  std::vector<std::pair<const char *, const HostArray *>> all;
  if (spec.op != OpKind::attention_backward)
    return all;
  all = {{"dq", &dq}, {"dk", &dk}, {"dv", &dv}};
  if (spec.score == Score::gatv2)
    all.push_back({"da", &da});
  if (spec.biasGradient)
    all.push_back({"dw", &dw});
  return all;
}

/// The forward pass, on the operands that are there, and places for gradients.
static void prepareGradients(const Options &o, const Shapes &shapes,
                             Filler &filler, Workload &w) {
  DType type = o.f32Out ? DType::f32 : o.dtype;
  const Shape &values = shapes.operands.at("--do");
  filler.dense("--do", 7, w.dO, type);
  std::vector<double> out(static_cast<size_t>(w.dO.size()));
  std::vector<double> lse(static_cast<size_t>(w.graph.csr.rows * w.heads));
  {
    Progress progress("the forward pass");
    WideOperands wide(w);
    reference::attention(w.graph.csr.view(), wide.edgeValues(), wide.q.data(),
                         wide.k.data(), wide.v.data(), wide.a.data(),
                         out.data(), lse.data(), attentionParams(w));
  }
  w.o = HostArray(type, values);
  w.o.assign(out);
  Shape rows = {w.graph.csr.rows};
  if (shapes.hasHeads || o.score == Score::gat)
    rows.push_back(w.heads);
  w.lse = HostArray(type, rows);
  w.lse.assign(lse);
  auto place = [&](HostArray &gradient, const HostArray &operand) {
    gradient = HostArray(type, operand.shape());
    gradient.fill(std::nan(""));
  };
  place(w.dq, w.q);
  place(w.dk, w.k);
  place(w.dv, w.v);
  if (o.score == Score::gatv2)
    place(w.da, w.a);
  if (w.spec.biasGradient)
    place(w.dw, w.edgeValues);
}

Result<Workload> run::prepare(const Options &o) {
  Result<io::Graph> graph = loadGraph(o);
  if (!graph)
    return Error{graph.error()};
  Result<Files> files = loadFiles(o);
  if (!files)
    return Error{files.error()};
  Result<Shapes> shapes = settleShapes(o, graph->csr.view(), *files);
  if (!shapes)
    return Error{shapes.error()};

  Workload w;
  w.graph = std::move(*graph);
  w.heads = shapes->heads;
  w.features = shapes->features;
  w.valueFeatures = shapes->valueFeatures;
  w.outRows = shapes->outRows;
  Edges edges = chooseEdges(o, w.graph);
  w.spec = specOf(o, *shapes, edges, *files);
  if (Status s = compiler::verify(w.spec, o.target); !s)
    return Error{(o.schedule ? "--schedule: " : "") + s.error()};
  Shape scores = {w.graph.csr.nnz(), shapes->heads};

  std::vector<std::pair<std::string, Shape>> all(shapes->operands.begin(),
                                                 shapes->operands.end());
  all.push_back({"the output", shapes->out});
  if (w.spec.composed && o.op == OpKind::attention)
    all.push_back({"the workspace", scores});
  if (o.op == OpKind::attention_backward) {
    // The gradients, o and the numbers of edges that are between them.
    all.insert(all.end(), shapes->operands.begin(), shapes->operands.end());
    all.push_back({"numbers of edges", scores});
  }
  if (o.op == OpKind::row_softmax)
    all.push_back({"--edge-values", scores});
  if (Status s = checkMemory(all, o.dtype, o.check); !s)
    return Error{s.error()};

  Progress progress("preparing operands");
  w.stats = computeStats(w.graph.csr.view());
  w.spec.stats = w.stats;
  Filler filler(o, *shapes, *files);
  filler.edges(edges, w.graph, w.edgeValues);
  filler.dense("--x", 1, w.x);
  filler.dense("--q", 2, w.q);
  filler.dense("--k", 3, w.k);
  filler.dense("--v", 4, w.v);
  filler.dense("--a", 5, w.a);
  if (o.op == OpKind::attention_backward)
    prepareGradients(o, *shapes, filler, w);
  w.out = HostArray(o.f32Out ? DType::f32 : o.dtype, shapes->out);
  // What the kernel leaves unwritten shows as NaN.
  if (o.accumulate)
    w.out.draw(o.seed, 6);
  else
    w.out.fill(std::nan(""));
  return w;
}

/// Views an array as rows x heads x width.
template <typename Pointer>
static compiler::Dense<Pointer> view(Pointer data, int64_t rows, int64_t heads,
                                     int64_t width) {
  return {data, rows, heads, width, 0};
}

compiler::Operands run::operandsOf(Workload &w) {
  compiler::Operands ops;
  ops.a = w.graph.csr.view();
  int64_t rows = ops.a.rows, cols = ops.a.cols, nnz = ops.a.nnz();
  int64_t heads = w.heads;
  const KernelSpec &spec = w.spec;
  auto in = [](const HostArray &a, int64_t rows, int64_t heads, int64_t width) {
    return view<const void *>(a.data(), rows, heads, width);
  };
  if (spec.edgeValues != EdgeValues::none)
    ops.edgeValues = in(w.edgeValues, nnz,
                        spec.edgeValues == EdgeValues::perHead ? heads : 1, 1);
  bool narrow = (spec.op == OpKind::sddmm && spec.combine == Combine::add) ||
                (isAttention(spec.op) && spec.score == Score::gat);
  int64_t width = narrow ? 1 : w.features;
  ops.x = in(w.x, spec.transpose ? rows : cols, heads, w.features);
  ops.q = in(w.q, rows, heads, width);
  ops.k = in(w.k, cols, heads, width);
  ops.v = in(w.v, cols, heads, w.valueFeatures);
  ops.vec = in(w.a, heads, 1, w.features);
  if (spec.op == OpKind::attention_backward) {
    auto out = [](HostArray &a, const compiler::DenseIn &like) {
      return view<void *>(a.data(), like.rows, like.heads, like.width);
    };
    ops.o = in(w.o, rows, heads, w.valueFeatures);
    ops.dO = in(w.dO, rows, heads, w.valueFeatures);
    ops.lse = view<void *>(w.lse.data(), rows, heads, 1);
    ops.dq = out(w.dq, ops.q);
    ops.dk = out(w.dk, ops.k);
    ops.dv = out(w.dv, ops.v);
    ops.dvec = out(w.da, ops.vec);
    ops.dbias = out(w.dw, ops.edgeValues);
    return ops;
  }
  int64_t outWidth = 1;
  if (spec.op == OpKind::spmm)
    outWidth = w.features;
  else if (spec.op == OpKind::attention)
    outWidth = w.valueFeatures;
  ops.out = view<void *>(w.out.data(), w.outRows, heads, outWidth);
  return ops;
}
