//===- VendorPart.cpp - cuSPARSE inside a plan ----------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VendorPart.h"

#include "../DeviceError.h"

#include <cstring>

using namespace autosage;
using namespace autosage::runtime;
using cusparse::Outcome;

static int32_t bytesOfIndex(IndexType type) {
  return static_cast<int32_t>(sizeOf(type));
}

/// The dense operand that comes first: x or q.
static const DenseIn &leftOf(const autosage_vendor_spec &call,
                             const Operands &operands) {
  return call.op == AUTOSAGE_VENDOR_SPMM ? operands.x : operands.q;
}

static autosage_vendor_spec specOf(const KernelSpec &spec,
                                   const Operands &shapes) {
  autosage_vendor_spec call = {};
  call.struct_size = sizeof call;
  call.version = AUTOSAGE_VENDOR_VERSION;
  bool isSpmm = spec.op == OpKind::spmm;
  call.op = isSpmm ? AUTOSAGE_VENDOR_SPMM : AUTOSAGE_VENDOR_SDDMM;
  call.dtype = static_cast<int32_t>(spec.dtype);
  call.out_dtype = static_cast<int32_t>(spec.f32Out ? DType::f32 : spec.dtype);
  call.position_bytes = bytesOfIndex(spec.rowptrType);
  call.coordinate_bytes = bytesOfIndex(spec.colindType);
  call.algorithm = static_cast<int32_t>(spec.schedule->get("alg"));
  if (spec.schedule->getWord("deterministic") == "false")
    call.flags |= AUTOSAGE_VENDOR_NONDETERMINISTIC;
  call.rows = shapes.a.rows;
  call.cols = shapes.a.cols;
  call.nnz = shapes.a.nnz();
  // Heads lie one after the other.
  const DenseIn &left = leftOf(call, shapes);
  call.features = left.rowElements();
  call.left_stride = left.stride();
  call.scale = spec.scale;
  if (!isSpmm) {
    call.right_stride = shapes.k.stride();
    return call;
  }
  call.out_stride = shapes.out.stride();
  if (spec.transpose)
    call.flags |= AUTOSAGE_VENDOR_TRANSPOSE;
  if (spec.accumulate)
    call.flags |= AUTOSAGE_VENDOR_ACCUMULATE;
  if (spec.edgeValues != EdgeValues::none)
    call.flags |= AUTOSAGE_VENDOR_VALUES;
  return call;
}

/// The rules that a spec of Vendor.h cannot break, since it has no words for
/// what they are about.
static VendorCall callOf(const autosage_vendor_spec &call,
                         const KernelSpec &spec, const Operands &shapes,
                         std::optional<int> version) {
  VendorCall rules = cusparse::callOf(call, version);
  rules.reduction = spec.reduction;
  rules.combine = spec.combine;
  rules.heads = leftOf(call, shapes).heads;
  rules.edgeValues = spec.edgeValues != EdgeValues::none;
  rules.valuesPerHead =
      spec.edgeValues == EdgeValues::perHead && rules.heads > 1;
  return rules;
}

static void *symbolOf(const Context &context, const char *name) {
  for (const autosage_symbol *symbol = context.symbols; symbol && symbol->name;
       ++symbol)
    if (std::strcmp(symbol->name, name) == 0)
      return symbol->address;
  return nullptr;
}

Result<VendorPart> VendorPart::make(const Context &context,
                                    const KernelSpec &spec,
                                    const Operands &shapes,
                                    bool deterministic) {
  VendorPart part;
  part.call = specOf(spec, shapes);
  part.rowptr = shapes.a.rowptr.data;
  part.colind = shapes.a.colind.data;
  std::optional<int> version;
  if (context.api == autosage_cuda_device_api()) {
    const Result<cusparse::Library> &library = cusparse::library();
    if (!library)
      return Error{library.error()};
    version = library->version;
  } else {
    part.spmm = reinterpret_cast<decltype(part.spmm)>(
        symbolOf(context, "autosage_vendor_spmm"));
    part.sddmm = reinterpret_cast<decltype(part.sddmm)>(
        symbolOf(context, "autosage_vendor_sddmm"));
    if (!part.spmm || !part.sddmm)
      return Error{"expects a device with cuSPARSE, got " + context.deviceName};
  }
  if (Status status =
          verifyVendorCall(callOf(part.call, spec, shapes, version));
      !status)
    return Error{status.error()};
  // What computes in place of the library has one order of sums.
  if (deterministic && !part.spmm && !vendorRepeatsBits(spec.op))
    return Error{"cuSPARSE expects deterministic = 0 for spmm, as no algorithm "
                 "gives the same bits in every run, got 1"};
  if (deterministic && part.call.flags & AUTOSAGE_VENDOR_NONDETERMINISTIC)
    return Error{"a plan with deterministic = 1 expects a schedule of "
                 "deterministic results, got " +
                 spec.schedule->str()};
  // Now that the rules hold, sizes are fit for the library.
  if (Outcome outcome = cusparse::checkSpec(&part.call); !outcome)
    return Error{outcome.message};
  return part;
}

Status VendorPart::prepare(StreamState &state, int64_t limit) const {
  if (spmm)
    return Status::success();
  auto execution = std::make_unique<cusparse::Execution>(
      *cusparse::library(), call, static_cast<cuda::Stream>(state.stream),
      cusparse::Lifetime::plan);
  autosage_vendor_operands pattern = {};
  pattern.rowptr = rowptr;
  pattern.colind = colind;
  execution->setLimit(limit);
  Outcome outcome;
  {
    cuda::Scope scope;
    if (scope) {
      outcome = execution->prepare(scope, pattern);
      if (!outcome)
        execution->release(scope);
    }
  }
  const char *message = nullptr;
  if (deviceError().take(&message) && outcome)
    return Error{message};
  if (!outcome)
    return Error{outcome.message};
  state.vendor = std::move(execution);
  return Status::success();
}

int64_t VendorPart::bytesOf(const StreamState &state) {
  return state.vendor ? state.vendor->deviceBytes() : 0;
}

autosage_vendor_operands
VendorPart::operandsOf(const Operands &operands) const {
  autosage_vendor_operands c = {};
  c.struct_size = sizeof c;
  c.version = AUTOSAGE_VENDOR_VERSION;
  c.rowptr = rowptr;
  c.colind = colind;
  if (call.flags & AUTOSAGE_VENDOR_VALUES)
    c.values = operands.edgeValues.data;
  c.left = leftOf(call, operands).data;
  if (call.op == AUTOSAGE_VENDOR_SDDMM)
    c.right = operands.k.data;
  c.out = operands.out.data;
  return c;
}

bool VendorPart::wantsAlignedRows() const {
  return call.op == AUTOSAGE_VENDOR_SPMM &&
         call.algorithm == deterministicVendorAlgorithm;
}

std::string VendorPart::origin() const {
  return spmm ? "emulated"
              : "cuSPARSE " +
                    cusparse::versionText(cusparse::library()->version);
}

bool VendorPart::takes(const Operands &operands) const {
  if (leftOf(call, operands).stride() != call.left_stride)
    return false;
  if (call.op == AUTOSAGE_VENDOR_SDDMM)
    return operands.k.stride() == call.right_stride;
  if (operands.out.stride() != call.out_stride)
    return false;
  return !wantsAlignedRows() ||
         (reinterpret_cast<uintptr_t>(operands.x.data) % vendorRowBytes == 0 &&
          reinterpret_cast<uintptr_t>(operands.out.data) % vendorRowBytes == 0);
}

Failure VendorPart::run(StreamState &state, const Operands &operands) const {
  autosage_vendor_operands o = operandsOf(operands);
  const autosage_vendor_spec &c = call;
  auto flags = static_cast<int32_t>(c.flags);
  if (!spmm) {
    Outcome outcome = state.vendor->run(o);
    return outcome ? Failure()
                   : Failure{statusOf(outcome.code), outcome.message};
  }
  if (c.op == AUTOSAGE_VENDOR_SPMM)
    spmm(o.rowptr, o.colind, o.values, o.left, o.out, c.rows, c.cols, c.nnz,
         c.features, c.left_stride, c.out_stride, c.position_bytes,
         c.coordinate_bytes, c.dtype, c.out_dtype, c.algorithm, flags);
  else
    sddmm(o.rowptr, o.colind, o.left, o.right, o.out, c.rows, c.cols, c.nnz,
          c.features, c.left_stride, c.right_stride, c.scale, c.position_bytes,
          c.coordinate_bytes, c.dtype, c.out_dtype, c.algorithm, flags);
  return {}; // what failed is the thread's error
}

void runtime::releaseVendor(StreamState &state) {
  if (!state.vendor)
    return;
  if (cuda::Scope scope; scope)
    state.vendor->release(scope);
  state.vendor.reset();
}
