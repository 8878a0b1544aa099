//===- TestKernel.cpp - a kernel with operands, and its reference ---------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestKernel.h"

#include "TestDevice.h"

#include "autosage/Core/Half.h"
#include "autosage/Core/ReferenceBackward.h"

#include <cmath>
#include <limits>
#include <optional>

using namespace autosage;
using namespace autosage::test;
using compiler::EdgeValues;

static double rounded(double value, DType dtype) {
  switch (dtype) {
  case DType::f16:
    return Float16(value);
  case DType::bf16:
    return BFloat16(value);
  case DType::f32:
    return static_cast<float>(value);
  case DType::f64:
    break;
  }
  return value;
}

/// In [-2, 2), of as many bits as the type has, up to 12.
static std::vector<double> draw(int64_t count, DType dtype,
                                std::mt19937_64 &engine) {
  std::vector<double> values(count);
  for (double &value : values) {
    value = static_cast<double>(engine() % 4096) / 1024 - 2;
    value = rounded(value, dtype);
  }
  return values;
}

bool TestCall::isNarrow() const {
  return (spec.op == OpKind::sddmm && spec.combine == Combine::add) ||
         (isAttention(spec.op) && spec.score == Score::gat);
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
  case OpKind::attention_backward:
    q = draw(rows * heads * width);
    k = draw(cols * heads * width);
    v = draw(cols * heads * widths.valueFeatures);
    if (spec.score == Score::gatv2)
      vec = draw(heads * widths.features);
    outCount = rows * heads * widths.valueFeatures;
    break;
  }
  if (spec.op == OpKind::attention_backward) {
    dO = ::draw(outCount, spec.f32Out ? DType::f32 : spec.dtype, engine);
    runForward();
    outCount = static_cast<int64_t>(parts().back().begin + parts().back().size);
  }
  out.assign(outCount, std::nan(""));
  if (spec.accumulate)
    out = draw(outCount);
  if (spec.lse)
    lse.assign(rows * heads, std::nan(""));
}

std::vector<TestCall::Part> TestCall::parts() const {
  if (spec.op != OpKind::attention_backward)
    return {{"out", 0, out.size()}};
  std::vector<Part> all;
  auto add = [&](const char *name, const std::vector<double> &operand) {
    size_t begin = all.empty() ? 0 : all.back().begin + all.back().size;
    all.push_back({name, begin, operand.size()});
  };
  add("dq", q);
  add("dk", k);
  add("dv", v);
  if (spec.score == Score::gatv2)
    add("da", vec);
  if (spec.biasGradient)
    add("dw", w);
  return all;
}

template <typename To>
static std::vector<To> narrow(const std::vector<double> &values) {
  std::vector<To> narrowed;
  narrowed.reserve(values.size());
  for (double value : values)
    narrowed.push_back(To(value));
  return narrowed;
}

namespace {
/// Copies of operands in a device's memory, for one call.
class OnDevice {
public:
  OnDevice(const autosage_device_api &api, compiler::Operands &operands,
           int64_t elementBytes, int64_t outBytes);

  /// Waits, and copies outputs back.
  Status finish();

private:
  struct Output {
    void *host, *device;
    int64_t bytes;
  };
  const autosage_device_api &api;
  std::vector<DeviceBuffer> buffers;
  std::vector<Output> outputs;

  void *copyOf(const void *host, int64_t bytes) {
    buffers.emplace_back(api, host, bytes);
    return buffers.back().data();
  }
  void move(IndexView &view) {
    view.data = copyOf(view.data, view.size * sizeOf(view.type));
  }
  void move(compiler::DenseIn &dense, int64_t elementBytes) {
    dense.data =
        copyOf(dense.data, dense.rows * dense.rowElements() * elementBytes);
  }
  void move(compiler::DenseOut &dense, int64_t elementBytes) {
    int64_t bytes = dense.rows * dense.rowElements() * elementBytes;
    outputs.push_back({dense.data, copyOf(dense.data, bytes), bytes});
    dense.data = outputs.back().device;
  }
};
} // namespace

OnDevice::OnDevice(const autosage_device_api &api, compiler::Operands &operands,
                   int64_t elementBytes, int64_t outBytes)
    : api(api) {
  move(operands.a.rowptr);
  move(operands.a.colind);
  for (compiler::DenseIn *dense :
       {&operands.edgeValues, &operands.x, &operands.q, &operands.k,
        &operands.v, &operands.vec})
    if (dense->data)
      move(*dense, elementBytes);
  for (compiler::DenseIn *dense : {&operands.o, &operands.dO})
    if (dense->data)
      move(*dense, outBytes);
  if (operands.workspace.data)
    move(operands.workspace, elementBytes);
  for (compiler::DenseOut *dense :
       {&operands.out, &operands.lse, &operands.dq, &operands.dk, &operands.dv,
        &operands.dvec, &operands.dbias})
    if (dense->data)
      move(*dense, outBytes);
}

Status OnDevice::finish() {
  api.synchronize();
  for (const Output &output : outputs)
    api.download(output.host, output.device, output.bytes);
  return deviceStatus(api);
}

template <typename In, typename Out>
Status TestCall::runAs(const Runner &runner,
                       const autosage_device_api *device) {
  std::vector<In> tw = narrow<In>(w), tx = narrow<In>(x), tq = narrow<In>(q),
                  tk = narrow<In>(k), tv = narrow<In>(v), ta = narrow<In>(vec);
  std::vector<Out> to = narrow<Out>(out), tl = narrow<Out>(lse);
  std::vector<Out> given = narrow<Out>(o), gradient = narrow<Out>(dO);
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
  if (spec.op == OpKind::attention_backward) {
    ops.out = {};
    ops.o = {given.data(), rows, heads, widths.valueFeatures, 0};
    ops.dO = {gradient.data(), rows, heads, widths.valueFeatures, 0};
    DenseOut *places[] = {&ops.dq, &ops.dk, &ops.dv, &ops.dvec};
    const DenseIn *like[] = {&ops.q, &ops.k, &ops.v, &ops.vec};
    std::vector<Part> all = parts();
    for (size_t i = 0; i < all.size(); ++i) {
      bool isBias = spec.biasGradient && i + 1 == all.size();
      const DenseIn &operand = isBias ? ops.edgeValues : *like[i];
      (isBias ? ops.dbias : *places[i]) = {to.data() + all[i].begin,
                                           operand.rows, operand.heads,
                                           operand.width, 0};
    }
  }
  std::optional<OnDevice> moved;
  if (device)
    moved.emplace(*device, ops, sizeof(In), sizeof(Out));
  Status status = runner(ops);
  if (status && moved)
    status = moved->finish();
  out.assign(to.begin(), to.end());
  lse.assign(tl.begin(), tl.end());
  return status;
}

Status TestCall::run(const Runner &runner, const autosage_device_api *device) {
  switch (spec.dtype) {
  case DType::f32:
    return runAs<float, float>(runner, device);
  case DType::f64:
    return runAs<double, double>(runner, device);
  case DType::f16:
    return spec.f32Out ? runAs<Float16, float>(runner, device)
                       : runAs<Float16, Float16>(runner, device);
  case DType::bf16:
    return spec.f32Out ? runAs<BFloat16, float>(runner, device)
                       : runAs<BFloat16, BFloat16>(runner, device);
  }
  return Error{"unknown type"};
}

void TestCall::evaluate(std::vector<double> &expected,
                        std::vector<double> &expectedLse) const {
  expected = out;
  expectedLse = lse;
  CsrView a = csr.view();
  reference::EdgeValues edges = this->edges();
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
  case OpKind::attention_backward: {
    double *of[5] = {}; // q, k, v, vec, bias
    std::vector<Part> all = parts();
    for (size_t i = 0; i < all.size(); ++i)
      of[spec.biasGradient && i + 1 == all.size() ? 4 : i] =
          expected.data() + all[i].begin;
    return reference::attentionBackward(
        a,
        {edges, q.data(), k.data(), v.data(), vec.data(), o.data(), lse.data(),
         dO.data()},
        {of[0], of[1], of[2], of[3], of[4]}, attentionParams());
  }
  case OpKind::attention: {
    reference::AttentionParams params = attentionParams();
    std::vector<double> lses(a.rows * widths.heads);
    reference::attention(a, edges, q.data(), k.data(), v.data(), vec.data(),
                         expected.data(), lses.data(), params);
    if (spec.lse)
      expectedLse = lses;
    if (spec.composed)
      addWeightlessRows(lses, expected);
    return;
  }
  }
}

/// A sum of weights 0 is one: NaN where v is not finite. Attention by itself
/// gathers nothing for a row without weight.
reference::AttentionParams TestCall::attentionParams() const {
  return {spec.score,           widths.heads, widths.features,
          widths.valueFeatures, spec.scale,   spec.negativeSlope};
}

reference::EdgeValues TestCall::edges() const {
  // A vector without elements has no address; no values are something else.
  static const double nothing = 0;
  if (spec.edgeValues == EdgeValues::none)
    return {};
  return {w.empty() ? &nothing : w.data(), edgeHeads(spec, widths)};
}

void TestCall::runForward() {
  o.resize(dO.size());
  lse.resize(static_cast<size_t>(csr.rows * widths.heads));
  reference::attention(csr.view(), edges(), q.data(), k.data(), v.data(),
                       vec.data(), o.data(), lse.data(), attentionParams());
  for (std::vector<double> *stored : {&o, &lse})
    for (double &value : *stored)
      value = rounded(value, spec.f32Out ? DType::f32 : spec.dtype);
}

void TestCall::addWeightlessRows(const std::vector<double> &lses,
                                 std::vector<double> &expected) const {
  int64_t heads = widths.heads, width = widths.valueFeatures;
  for (int64_t i = 0; i < csr.rows; ++i)
    for (int64_t e = csr.rowptr[i]; e < csr.rowptr[i + 1]; ++e)
      for (int64_t h = 0; h < heads; ++h)
        for (int64_t f = 0; f < width; ++f)
          if (std::isinf(lses[i * heads + h]) && lses[i * heads + h] < 0)
            expected[(i * heads + h) * width + f] +=
                0 * v[(csr.colind[e] * heads + h) * width + f];
}

double test::relativeError(const std::vector<double> &got,
                           const std::vector<double> &expected) {
  return reference::relativeError(got.data(), expected.data(),
                                  static_cast<int64_t>(expected.size()));
}
