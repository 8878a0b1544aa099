//===- TestKernel.cpp - a kernel with operands, and its reference ---------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

#include "autosage/Core/Half.h"
#include "autosage/Core/Reference.h"

#include <cmath>
#include <limits>

using namespace autosage;
using namespace autosage::test;
using compiler::EdgeValues;

/// In [-2, 2), of as many bits as the type has, up to 12.
static std::vector<double> draw(int64_t count, DType dtype,
                                std::mt19937_64 &engine) {
  std::vector<double> values(count);
  for (double &value : values) {
    value = static_cast<double>(engine() % 4096) / 1024 - 2;
    if (dtype == DType::f16)
      value = Float16(value);
    else if (dtype == DType::bf16)
      value = BFloat16(value);
  }
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
  auto draw = [&](int64_t count) { return ::draw(count, spec.dtype, engine); };
  if (spec.edgeValues != EdgeValues::none)
    w = draw(nnz * edgeHeads(spec, widths));
  int64_t outCount = nnz * heads;
  switch (spec.op) {
  case OpKind::spmm:
    x = draw((spec.transpose ? rows : cols) * heads * widths.features);
    outCount = (spec.transpose ? cols : rows) * heads * widths.features;
    break;
  case OpKind::sddmm:
    q = draw(rows * heads * width);
    k = draw(cols * heads * width);
    break;
  case OpKind::row_softmax:
    break;
  case OpKind::attention:
    q = draw(rows * heads * width);
    k = draw(cols * heads * width);
    v = draw(cols * heads * widths.valueFeatures);
    if (spec.score == Score::gatv2)
      vec = draw(heads * widths.features);
    outCount = rows * heads * widths.valueFeatures;
    break;
  }
  out.assign(outCount, std::nan(""));
  if (spec.accumulate)
    out = draw(outCount);
  if (spec.lse)
    lse.assign(rows * heads, std::nan(""));
}

template <typename To>
static std::vector<To> narrow(const std::vector<double> &values) {
  std::vector<To> narrowed;
  narrowed.reserve(values.size());
  for (double value : values)
    narrowed.push_back(To(value));
  return narrowed;
}

template <typename In, typename Out>
Status TestCall::runAs(const Runner &runner) {
  std::vector<In> tw = narrow<In>(w), tx = narrow<In>(x), tq = narrow<In>(q),
                  tk = narrow<In>(k), tv = narrow<In>(v), ta = narrow<In>(vec);
  std::vector<Out> to = narrow<Out>(out), tl = narrow<Out>(lse);
  std::vector<In> scores(spec.composed ? csr.nnz() * widths.heads : 0);
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
  Status status = runner(ops);
  out.assign(to.begin(), to.end());
  lse.assign(tl.begin(), tl.end());
  return status;
}

Status TestCall::run(const Runner &runner) {
  switch (spec.dtype) {
  case DType::f32:
    return runAs<float, float>(runner);
  case DType::f64:
    return runAs<double, double>(runner);
  case DType::f16:
    return spec.f32Out ? runAs<Float16, float>(runner)
                       : runAs<Float16, Float16>(runner);
  case DType::bf16:
    return spec.f32Out ? runAs<BFloat16, float>(runner)
                       : runAs<BFloat16, BFloat16>(runner);
  }
  return Error{"unknown type"};
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
