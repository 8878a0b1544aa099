//===- KernelSpec.cpp - checks a spec and derives its arguments -----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which combinations of fields are a kernel, and the argument list that follows
// from them. The dialect's verifiers check the IR again; here the message names
// the field that the caller wrote.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/KernelArguments.h"

#include <cmath>
#include <cstdio>

using namespace autosage;

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Width per head of v and of the output of attention.
static int64_t valueFeaturesOf(const KernelSpec &spec) {
  return spec.valueFeatures == dynamic ? spec.features : spec.valueFeatures;
}

static Error expects(std::string text) { return Error{"expects " + text}; }

static Error onlyFor(std::string_view field, std::string_view what,
                     const KernelSpec &spec) {
  return expects(std::string(field) + " only with " + std::string(what) +
                 ", got " + std::string(toString(spec.op)));
}

static Status verifyWidths(const KernelSpec &spec) {
  if (spec.features < dynamic)
    return expects("features to be non-negative, got " +
                   std::to_string(spec.features));
  if (spec.valueFeatures < dynamic)
    return expects("value features to be non-negative, got " +
                   std::to_string(spec.valueFeatures));
  if (spec.heads < dynamic)
    return expects("heads to be non-negative, got " +
                   std::to_string(spec.heads));
  if (!std::isfinite(spec.scale))
    return expects("scale to be finite, got " + std::to_string(spec.scale));
  if (!std::isfinite(spec.negativeSlope))
    return expects("negative slope to be finite, got " +
                   std::to_string(spec.negativeSlope));
  return Status::success();
}

static Status verifyFlags(const KernelSpec &spec) {
  bool spmm = spec.op == OpKind::spmm;
  bool attention = spec.op == OpKind::attention;
  if (spec.transpose && !spmm)
    return onlyFor("transpose", "spmm", spec);
  if (spec.accumulate && !spmm)
    return onlyFor("accumulate", "spmm", spec);
  if (spec.accumulate && spec.reduction != Reduction::sum &&
      spec.reduction != Reduction::mean)
    return expects("accumulate only with sum or mean, got " +
                   std::string(toString(spec.reduction)));
  if (spec.scale != 1.0 && spmm)
    return expects("scale to be 1 for spmm, got " + std::to_string(spec.scale));
  if (spec.lse && !attention)
    return onlyFor("lse", "attention", spec);
  if (spec.composed && !attention)
    return onlyFor("composed", "attention", spec);
  if (spec.composed && spec.score == Score::gatv2)
    return expects("score dot or gat for composed attention, got gatv2");
  if (spec.composed && spec.lse)
    return expects("composed attention without lse");
  return Status::success();
}

static Status verifyEdgeValues(const KernelSpec &spec) {
  if (spec.op == OpKind::row_softmax) {
    bool matches = spec.heads == 0 ? spec.edgeValues == EdgeValues::perEdge
                                   : spec.edgeValues == EdgeValues::perHead;
    if (!matches)
      return expects("row_softmax to have edge values, one an edge without "
                     "heads and one an edge and head with them");
    return Status::success();
  }
  if (spec.edgeValues == EdgeValues::perHead && spec.heads == 0 &&
      !(spec.op == OpKind::sddmm && spec.combine == Combine::add))
    return expects("heads for edge values per head, got none");
  return Status::success();
}

Problem autosage::problemOf(const KernelSpec &spec) {
  auto known = [](int64_t width) {
    return width == dynamic ? std::nullopt : std::optional<int64_t>(width);
  };
  Problem problem;
  problem.op = spec.op;
  problem.dtype = spec.dtype;
  switch (spec.op) {
  case OpKind::spmm:
    problem.features = known(spec.features);
    break;
  case OpKind::sddmm:
    // What is added is one number a head.
    problem.features = spec.combine == Combine::add ? 1 : known(spec.features);
    break;
  case OpKind::row_softmax:
    problem.features = 1;
    break;
  case OpKind::attention:
    problem.features = known(valueFeaturesOf(spec));
    problem.scoreFeatures = spec.score == Score::gat ? 1 : known(spec.features);
    break;
  }
  if (spec.heads != 0)
    problem.heads = spec.heads == dynamic ? 0 : spec.heads;
  problem.stats = spec.stats;
  return problem;
}

Status autosage::verify(const KernelSpec &spec, Target target) {
  if (Status status = verifyWidths(spec); !status)
    return status;
  if (Status status = verifyFlags(spec); !status)
    return status;
  if (Status status = verifyEdgeValues(spec); !status)
    return status;
  if (spec.f32Out && spec.dtype != DType::f16 && spec.dtype != DType::bf16)
    return expects("dtype f16 or bf16 for f32 outputs, got " +
                   std::string(toString(spec.dtype)));
  if (spec.schedule) {
    if (Status status = verifySchedule(*spec.schedule); !status)
      return status;
    return verifyForTarget(*spec.schedule, target, problemOf(spec));
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string_view autosage::toString(EdgeValues values) {
  switch (values) {
  case EdgeValues::none:
    return "none";
  case EdgeValues::perEdge:
    return "per_edge";
  case EdgeValues::column:
    return "column";
  case EdgeValues::perHead:
    return "per_head";
  }
  return "";
}

std::string autosage::textOf(const KernelSpec &spec) {
  std::string text;
  auto add = [&](std::string_view key, std::string_view value) {
    text += (text.empty() ? "" : " ") + std::string(key) + "=";
    text += value;
  };
  auto number = [&](std::string_view key, int64_t value) {
    add(key, std::to_string(value));
  };
  auto real = [&](std::string_view key, double value) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%a", value);
    add(key, buffer);
  };
  add("op", toString(spec.op));
  add("reduction", toString(spec.reduction));
  add("combine", toString(spec.combine));
  add("score", toString(spec.score));
  number("features", spec.features);
  number("value_features", spec.valueFeatures);
  number("heads", spec.heads);
  add("dtype", toString(spec.dtype));
  number("f32_out", spec.f32Out);
  add("rowptr", toString(spec.rowptrType));
  add("colind", toString(spec.colindType));
  add("edges", toString(spec.edgeValues));
  number("transpose", spec.transpose);
  number("accumulate", spec.accumulate);
  real("scale", spec.scale);
  real("negative_slope", spec.negativeSlope);
  number("lse", spec.lse);
  number("composed", spec.composed);
  number("strided", spec.strided);
  number("aligned", spec.aligned);
  add("schedule", "[" + (spec.schedule ? spec.schedule->str() : "") + "]");
  return text;
}

//===----------------------------------------------------------------------===//
// Signature
//===----------------------------------------------------------------------===//

namespace {
/// Collects the arguments of one kernel.
struct Builder {
  const KernelSpec &spec;
  std::vector<Argument> arguments;

  /// The type of an argument. The workspace is an output to the function, but
  /// its next reader takes it for an operand.
  DType typeOf(ArgumentKind kind, bool output) const {
    bool wide = output && spec.f32Out && kind != ArgumentKind::workspace;
    return wide ? DType::f32 : spec.dtype;
  }

  void add(ArgumentKind kind, std::string_view name, Extent extent) {
    Argument arg;
    arg.kind = kind;
    arg.name = name;
    arg.extent = extent;
    arguments.push_back(std::move(arg));
  }

  /// A dense operand of [extent][heads][width]; without heads [extent][width].
  Argument &dense(ArgumentKind kind, std::string_view name, Extent extent,
                  int64_t heads, int64_t width, bool output = false) {
    Argument arg;
    arg.kind = kind;
    arg.name = name;
    arg.extent = extent;
    arg.output = output;
    arg.dtype = typeOf(kind, output);
    arg.hasWidth = true;
    if (heads != 0) {
      arg.hasHeads = true;
      arg.inner.push_back(heads);
    }
    arg.inner.push_back(width);
    arguments.push_back(std::move(arg));
    return arguments.back();
  }

  /// One number an edge or row, and one a head where there are heads.
  void scalars(ArgumentKind kind, std::string_view name, Extent extent,
               int64_t heads, bool output = false) {
    Argument arg;
    arg.kind = kind;
    arg.name = name;
    arg.extent = extent;
    arg.output = output;
    arg.dtype = typeOf(kind, output);
    if (heads != 0) {
      arg.hasHeads = true;
      arg.inner.push_back(heads);
    }
    arguments.push_back(std::move(arg));
  }

  void edgeValues() {
    switch (spec.edgeValues) {
    case EdgeValues::none:
      return;
    case EdgeValues::perEdge:
      return scalars(ArgumentKind::edgeValues, "w", Extent::nnz, 0);
    case EdgeValues::column:
      return scalars(ArgumentKind::edgeValues, "w", Extent::nnz, 1);
    case EdgeValues::perHead:
      return scalars(ArgumentKind::edgeValues, "w", Extent::nnz, oneAtLeast());
    }
  }

  int64_t oneAtLeast() const { return spec.heads == 0 ? 1 : spec.heads; }
};
} // namespace

static void addSddmm(Builder &b) {
  if (b.spec.combine == Combine::dot) {
    b.dense(ArgumentKind::q, "q", Extent::rows, b.spec.heads, b.spec.features);
    b.dense(ArgumentKind::k, "k", Extent::cols, b.spec.heads, b.spec.features);
    b.scalars(ArgumentKind::out, "out", Extent::nnz, b.spec.heads, true);
    return;
  }
  b.scalars(ArgumentKind::q, "q", Extent::rows, b.oneAtLeast());
  b.scalars(ArgumentKind::k, "k", Extent::cols, b.oneAtLeast());
  b.scalars(ArgumentKind::out, "out", Extent::nnz, b.oneAtLeast(), true);
}

static void addAttention(Builder &b) {
  const KernelSpec &spec = b.spec;
  // The v of `gat` tells its heads apart from its width by its rank.
  int64_t heads = spec.score == Score::gat ? b.oneAtLeast() : spec.heads;
  if (spec.score == Score::gat) {
    b.scalars(ArgumentKind::q, "q", Extent::rows, heads);
    b.scalars(ArgumentKind::k, "k", Extent::cols, heads);
  } else {
    b.dense(ArgumentKind::q, "q", Extent::rows, heads, spec.features);
    b.dense(ArgumentKind::k, "k", Extent::cols, heads, spec.features);
  }
  int64_t width = valueFeaturesOf(spec);
  b.dense(ArgumentKind::v, "v", Extent::cols, heads, width).ofValues = true;
  if (spec.score == Score::gatv2)
    b.dense(ArgumentKind::vec, "a", Extent::heads, 0, spec.features);
  b.dense(ArgumentKind::out, "out", Extent::rows, heads, width, true).ofValues =
      true;
  if (spec.lse)
    b.scalars(ArgumentKind::lse, "lse", Extent::rows, heads, true);
  if (spec.composed)
    b.scalars(ArgumentKind::workspace, "scores", Extent::nnz, heads, true);
}

std::vector<Argument> autosage::signatureOf(const KernelSpec &spec) {
  Builder b{spec, {}};
  b.add(ArgumentKind::rowptr, "rowptr", Extent::none);
  b.add(ArgumentKind::colind, "colind", Extent::nnz);
  b.add(ArgumentKind::columns, "n_cols", Extent::none);
  b.edgeValues();
  switch (spec.op) {
  case OpKind::spmm:
    b.dense(ArgumentKind::x, "x", spec.transpose ? Extent::rows : Extent::cols,
            spec.heads, spec.features);
    b.dense(ArgumentKind::out, "out",
            spec.transpose ? Extent::cols : Extent::rows, spec.heads,
            spec.features, true);
    break;
  case OpKind::sddmm:
    addSddmm(b);
    break;
  case OpKind::row_softmax:
    b.scalars(ArgumentKind::out, "out", Extent::nnz, spec.heads, true);
    break;
  case OpKind::attention:
    addAttention(b);
    break;
  }
  return std::move(b.arguments);
}
