//===- TestKernel.cpp - a kernel with operands, and its reference ---------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

#include "autosage/Core/Reference.h"

#include <cmath>
#include <limits>

using namespace autosage;
using namespace autosage::test;
using compiler::EdgeValues;

/// Multiples of 1/1024 in [-2, 2): exact in f32.
static std::vector<double> draw(int64_t count, std::mt19937_64 &engine) {
  std::vector<double> values(count);
  for (double &value : values)
    value = static_cast<double>(engine() % 4096) / 1024 - 2;
  return values;
}

bool TestCall::isNarrow() const {
  return (spec.op == OpKind::sddmm && spec.combine == Combine::add) ||
         (spec.op == OpKind::attention && spec.score == Score::gat);
}

static int64_t edgeHeads(const compiler::KernelSpec &spec,
                         const Widths &widths) {
  return spec.edgeValues == EdgeValues::perHead ? widths.heads : 1;
}

TestCall::TestCall(const compiler::KernelSpec &spec, const Csr &graph,
                   const Widths &widths, std::mt19937_64 &engine)
    : spec(spec),
      csr(graph.convertedTo(spec.rowptrType, spec.colindType).value()),
      widths(widths) {
  int64_t rows = csr.rows, cols = csr.cols, nnz = csr.nnz();
  int64_t heads = widths.heads;
  int64_t width = isNarrow() ? 1 : widths.features;
  if (spec.edgeValues != EdgeValues::none)
    w = draw(nnz * edgeHeads(spec, widths), engine);
  int64_t outCount = nnz * heads;
  switch (spec.op) {
  case OpKind::spmm:
    x = draw((spec.transpose ? rows : cols) * heads * widths.features, engine);
    outCount = (spec.transpose ? cols : rows) * heads * widths.features;
    break;
  case OpKind::sddmm:
    q = draw(rows * heads * width, engine);
    k = draw(cols * heads * width, engine);
    break;
  case OpKind::row_softmax:
    break;
  case OpKind::attention:
    q = draw(rows * heads * width, engine);
    k = draw(cols * heads * width, engine);
    v = draw(cols * heads * widths.valueFeatures, engine);
    if (spec.score == Score::gatv2)
      vec = draw(heads * widths.features, engine);
    outCount = rows * heads * widths.valueFeatures;
    break;
  }
  out.assign(outCount, std::nan(""));
  if (spec.accumulate)
    out = draw(outCount, engine);
  if (spec.lse)
    lse.assign(rows * heads, std::nan(""));
}

template <typename T>
Status TestCall::runAs(const compiler::CompiledKernel &kernel) {
  auto narrow = [](const std::vector<double> &values) {
    return std::vector<T>(values.begin(), values.end());
  };
  std::vector<T> tw = narrow(w), tx = narrow(x), tq = narrow(q), tk = narrow(k),
                 tv = narrow(v), ta = narrow(vec), to = narrow(out),
                 tl = narrow(lse);
  std::vector<T> scores(spec.composed ? csr.nnz() * widths.heads : 0);
  int64_t rows = csr.rows, cols = csr.cols, nnz = csr.nnz();
  int64_t heads = widths.heads, features = widths.features;
  int64_t width = isNarrow() ? 1 : features;

  compiler::Operands ops;
  ops.a = csr.view();
  ops.edgeValues = {tw.data(), nnz, edgeHeads(spec, widths), 1, 0};
  ops.x = {tx.data(), spec.transpose ? rows : cols, heads, features, 0};
  ops.q = {tq.data(), rows, heads, width, 0};
  ops.k = {tk.data(), cols, heads, width, 0};
  ops.v = {tv.data(), cols, heads, widths.valueFeatures, 0};
  ops.vec = {ta.data(), heads, 1, features, 0};
  ops.lse = {tl.data(), rows, heads, 1, 0};
  ops.workspace = {scores.data(), nnz, heads, 1, 0};
  ops.out = {to.data(), nnz, heads, 1, 0};
  if (spec.op == OpKind::spmm)
    ops.out = {to.data(), spec.transpose ? cols : rows, heads, features, 0};
  if (spec.op == OpKind::attention)
    ops.out = {to.data(), rows, heads, widths.valueFeatures, 0};
  Status status = kernel.run(ops);
  out.assign(to.begin(), to.end());
  lse.assign(tl.begin(), tl.end());
  return status;
}

Status TestCall::run(const compiler::CompiledKernel &kernel) {
  return spec.dtype == DType::f32 ? runAs<float>(kernel)
                                  : runAs<double>(kernel);
}

void TestCall::evaluate(std::vector<double> &expected,
                        std::vector<double> &expectedLse) const {
  expected = out;
  expectedLse = lse;
  CsrView a = csr.view();
  // A vector without elements has no address; no values are something else.
  static const double nothing = 0;
  reference::EdgeValues edges;
  if (spec.edgeValues != EdgeValues::none)
    edges = {w.empty() ? &nothing : w.data(), edgeHeads(spec, widths)};
  switch (spec.op) {
  case OpKind::spmm: {
    reference::SpmmParams params;
    params.reduction = spec.reduction;
    params.heads = widths.heads;
    params.features = widths.features;
    params.transpose = spec.transpose;
    params.accumulate = spec.accumulate;
    return reference::spmm(a, edges, x.data(), expected.data(), params);
  }
  case OpKind::sddmm: {
    reference::SddmmParams params;
    params.combine = spec.combine;
    params.heads = widths.heads;
    params.features = widths.features;
    params.scale = spec.scale;
    return reference::sddmm(a, edges, q.data(), k.data(), expected.data(),
                            params);
  }
  case OpKind::row_softmax:
    return reference::rowSoftmax(a, w.data(), expected.data(), widths.heads,
                                 spec.scale);
  case OpKind::attention: {
    reference::AttentionParams params;
    params.score = spec.score;
    params.heads = widths.heads;
    params.features = widths.features;
    params.valueFeatures = widths.valueFeatures;
    params.scale = spec.scale;
    params.negativeSlope = spec.negativeSlope;
    return reference::attention(
        a, edges, q.data(), k.data(), v.data(), vec.data(), expected.data(),
        spec.lse ? expectedLse.data() : nullptr, params);
  }
  }
}

double test::relativeError(const std::vector<double> &got,
                           const std::vector<double> &expected) {
  return reference::relativeError(got.data(), expected.data(),
                                  static_cast<int64_t>(expected.size()));
}

double test::toleranceOf(DType dtype) {
  // f32: sums of 700 terms that may cancel to the size of one.
  return dtype == DType::f64 ? 1e-14 : 1e-5;
}
