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
  if (spec.biasGradient && spec.op != OpKind::attention_backward)
    return onlyFor("bias gradient", "attention_backward", spec);
  if (spec.transposeGiven && spec.op != OpKind::attention_backward)
    return onlyFor("a transposed pattern", "attention_backward", spec);
  if (spec.biasGradient && spec.edgeValues == EdgeValues::none)
    return expects("edge values for a bias gradient, got none");
  if (spec.composed && !isAttention(spec.op))
    return onlyFor("composed", "attention", spec);
  if (spec.composed && attention && spec.score == Score::gatv2)
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
  case OpKind::attention_backward:
    problem.features = known(valueFeaturesOf(spec));
    problem.scoreFeatures = spec.score == Score::gat ? 1 : known(spec.features);
    break;
  }
  if (spec.heads != 0)
    problem.heads = spec.heads == dynamic ? 0 : spec.heads;
  problem.stats = spec.stats;
  problem.composedOnly = spec.composed && spec.op == OpKind::attention_backward;
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
  // Text of before there was such a thing stays what it was.
  if (spec.biasGradient)
    number("bias_gradient", true);
  if (spec.transposeGiven)
    number("transpose_given", true);
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
  /// its next reader takes it for an operand; what attention gave is an operand
  /// here, but was an output.
  DType typeOf(ArgumentKind kind, bool output) const {
    bool wasOutput = kind == ArgumentKind::o || kind == ArgumentKind::dO ||
                     kind == ArgumentKind::lse;
    bool wide =
        spec.f32Out && (wasOutput || output) && kind != ArgumentKind::workspace;
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

  /// Of the shape of edge values; nothing where there are none.
  void edges(ArgumentKind kind, std::string_view name, bool output = false) {
    switch (spec.edgeValues) {
    case EdgeValues::none:
      return;
    case EdgeValues::perEdge:
      return scalars(kind, name, Extent::nnz, 0, output);
    case EdgeValues::column:
      return scalars(kind, name, Extent::nnz, 1, output);
    case EdgeValues::perHead:
      return scalars(kind, name, Extent::nnz, oneAtLeast(), output);
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

namespace {
/// The arguments that belong to one operand of attention each: it or its
/// gradient.
struct AttentionOperands {
  ArgumentKind q, k, v, vec;
  std::string_view qName, kName, vName, vecName;
  bool output;
};
} // namespace

// The v of `gat` tells its heads apart from its width by its rank.
static int64_t attentionHeads(const Builder &b) {
  return b.spec.score == Score::gat ? b.oneAtLeast() : b.spec.heads;
}

static void addAttentionOperands(Builder &b, const AttentionOperands &names) {
  const KernelSpec &spec = b.spec;
  int64_t heads = attentionHeads(b);
  bool output = names.output;
  if (spec.score == Score::gat) {
    b.scalars(names.q, names.qName, Extent::rows, heads, output);
    b.scalars(names.k, names.kName, Extent::cols, heads, output);
  } else {
    b.dense(names.q, names.qName, Extent::rows, heads, spec.features, output);
    b.dense(names.k, names.kName, Extent::cols, heads, spec.features, output);
  }
  b.dense(names.v, names.vName, Extent::cols, heads, valueFeaturesOf(spec),
          output)
      .ofValues = true;
  if (spec.score == Score::gatv2)
    b.dense(names.vec, names.vecName, Extent::heads, 0, spec.features, output);
}

static void addAttention(Builder &b) {
  const KernelSpec &spec = b.spec;
  int64_t heads = attentionHeads(b), width = valueFeaturesOf(spec);
  addAttentionOperands(b, {ArgumentKind::q, ArgumentKind::k, ArgumentKind::v,
                           ArgumentKind::vec, "q", "k", "v", "a", false});
  auto values = [&](ArgumentKind kind, std::string_view name, bool output) {
    b.dense(kind, name, Extent::rows, heads, width, output).ofValues = true;
  };
  if (spec.op == OpKind::attention) {
    values(ArgumentKind::out, "out", true);
    if (spec.lse)
      b.scalars(ArgumentKind::lse, "lse", Extent::rows, heads, true);
    if (spec.composed)
      b.scalars(ArgumentKind::workspace, "scores", Extent::nnz, heads, true);
    return;
  }
  values(ArgumentKind::o, "o", false);
  b.scalars(ArgumentKind::lse, "lse", Extent::rows, heads);
  values(ArgumentKind::dO, "d_o", false);
  addAttentionOperands(b, {ArgumentKind::dq, ArgumentKind::dk, ArgumentKind::dv,
                           ArgumentKind::dvec, "dq", "dk", "dv", "da", true});
  if (spec.biasGradient)
    b.edges(ArgumentKind::dbias, "dw", true);
}

std::vector<Argument> autosage::signatureOf(const KernelSpec &spec) {
  Builder b{spec, {}};
  b.add(ArgumentKind::rowptr, "rowptr", Extent::none);
  b.add(ArgumentKind::colind, "colind", Extent::nnz);
  b.add(ArgumentKind::columns, "n_cols", Extent::none);
  if (spec.transposeGiven) {
    b.add(ArgumentKind::transposedRowptr, "t_rowptr", Extent::none);
    b.add(ArgumentKind::transposedColind, "t_colind", Extent::nnz);
    b.add(ArgumentKind::permutation, "t_perm", Extent::nnz);
  }
  b.edges(ArgumentKind::edgeValues, "w");
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
  case OpKind::attention_backward:
    addAttention(b);
    break;
  }
  return std::move(b.arguments);
}
