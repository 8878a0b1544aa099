//===- Execution.cpp - one call of cuSPARSE, prepared ---------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include "autosage/Core/Half.h"

#include "autosage/Core/Vendor.h"

#include <algorithm>
#include <array>
#include <mutex>

using namespace autosage;
using namespace autosage::runtime;
using cusparse::Outcome;

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

namespace {
/// Making a handle takes milliseconds and device memory, so that those given
/// back are kept for their context. Lives as long as the process: the library
/// may be gone before destructors run.
class Handles {
public:
  static Handles &instance() {
    static Handles *handles = new Handles();
    return *handles;
  }

  cusparse::Handle take(cuda::Context context) {
    std::lock_guard<std::mutex> lock(mutex);
    for (size_t i = 0; i < idle.size(); ++i)
      if (idle[i].first == context) {
        cusparse::Handle handle = idle[i].second;
        idle.erase(idle.begin() + static_cast<std::ptrdiff_t>(i));
        return handle;
      }
    return nullptr;
  }

  void giveBack(cuda::Context context, cusparse::Handle handle) {
    std::lock_guard<std::mutex> lock(mutex);
    idle.emplace_back(context, handle);
  }

private:
  std::mutex mutex;
  std::vector<std::pair<cuda::Context, cusparse::Handle>> idle; // few
};
} // namespace

//===----------------------------------------------------------------------===//
// Errors and memory
//===----------------------------------------------------------------------===//

Outcome cusparse::Execution::check(Code code, const char *what) const {
  // cusparseStatus_t
  constexpr Code allocFailed = 2, invalidValue = 3, notSupported = 10,
                 insufficientResources = 11;
  if (code == 0)
    return {};
  int32_t translated = AUTOSAGE_DEVICE_FAILED;
  if (code == allocFailed || code == insufficientResources)
    translated = AUTOSAGE_DEVICE_OUT_OF_MEMORY;
  else if (code == notSupported)
    translated = AUTOSAGE_VENDOR_UNSUPPORTED;
  else if (code == invalidValue)
    translated = AUTOSAGE_DEVICE_INVALID_ARGUMENT;
  return {translated, cusparse.describe(code, what)};
}

static Outcome driverOutcome(const cuda::Scope &scope, cuda::Code code,
                             const char *what) {
  constexpr cuda::Code outOfMemory = 2;
  if (code == 0)
    return {};
  return {code == outOfMemory ? AUTOSAGE_DEVICE_OUT_OF_MEMORY
                              : AUTOSAGE_DEVICE_FAILED,
          scope->describe(code, what)};
}

static cuda::Address address(const void *pointer) {
  return reinterpret_cast<cuda::Address>(pointer);
}

Outcome cusparse::Execution::allocate(const cuda::Scope &scope, int64_t size,
                                      void **memory) {
  if (limit >= 0 && bytes + size > limit)
    return {AUTOSAGE_DEVICE_OUT_OF_MEMORY,
            "cuSPARSE expects a workspace of " + std::to_string(bytes + size) +
                " bytes or more, got a limit of " + std::to_string(limit)};
  cuda::Address result = 0;
  auto count = static_cast<size_t>(size);
  cuda::Code code = lifetime == Lifetime::plan
                        ? scope->memAlloc(&result, count)
                        : scope->memAllocAsync(&result, count, stream);
  if (code)
    return driverOutcome(
        scope, code,
        ("allocating " + std::to_string(size) + " bytes for cuSPARSE").c_str());
  *memory = reinterpret_cast<void *>(result);
  owned.push_back(*memory);
  bytes += size;
  return {};
}

static DType dtypeOf(int32_t type) { return static_cast<DType>(type); }

static int vendorType(int32_t type) {
  switch (dtypeOf(type)) {
  case DType::f32:
    return cusparse::typeF32;
  case DType::f64:
    return cusparse::typeF64;
  case DType::f16:
    return cusparse::typeF16;
  case DType::bf16:
    break;
  }
  return cusparse::typeBF16;
}

/// Ones to start from, as bytes that live as long as the process: a copy from
/// the host under graph capture reads them at every replay.
template <typename T> static const void *onesOnHost(T one) {
  static const auto ones = [&] {
    std::array<T, 1024> values;
    values.fill(one);
    return values;
  }();
  return ones.data();
}

static const void *onesOnHost(int32_t type) {
  switch (dtypeOf(type)) {
  case DType::f32:
    return onesOnHost(1.0f);
  case DType::f64:
    return onesOnHost(1.0);
  case DType::f16:
    return onesOnHost(Float16(1.0));
  case DType::bf16:
    break;
  }
  return onesOnHost(BFloat16(1.0));
}

/// Edges without values each count as 1: a block from the host, then copies
/// that double what is there.
Outcome cusparse::Execution::makeOnes(const cuda::Scope &scope) {
  int64_t element = sizeOf(dtypeOf(spec.dtype)), total = spec.nnz * element;
  if (Outcome outcome = allocate(scope, total, &ones); !outcome)
    return outcome;
  int64_t filled = std::min<int64_t>(total, 1024 * element);
  cuda::Code code = scope->uploadAsync(address(ones), onesOnHost(spec.dtype),
                                       static_cast<size_t>(filled), stream);
  for (; code == 0 && filled < total; filled *= 2)
    code = scope->copyAsync(
        address(ones) + static_cast<cuda::Address>(filled), address(ones),
        static_cast<size_t>(std::min(filled, total - filled)), stream);
  return driverOutcome(scope, code, "filling edge values");
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

/// cuSPARSE's descriptors are not const; what it reads it does not write.
static void *mutablePointer(const void *pointer) {
  return const_cast<void *>(pointer);
}

Outcome
cusparse::Execution::makeDescriptors(const autosage_vendor_operands &operands) {
  auto indexType = [](int32_t bytes) {
    return bytes == 8 ? indexI64 : indexI32;
  };
  bool transpose = spec.flags & AUTOSAGE_VENDOR_TRANSPOSE;
  const void *values = operands.values ? operands.values : ones;
  const void *rightData = operands.right;
  int32_t sparseType = spec.dtype, rightType = spec.dtype;
  int64_t leftRows = spec.rows, rightRows = spec.cols,
          rightStride = spec.right_stride;
  if (isSpmm()) {
    leftRows = transpose ? spec.rows : spec.cols;
    rightRows = transpose ? spec.cols : spec.rows;
    rightStride = spec.out_stride;
    rightType = spec.out_dtype;
    rightData = operands.out;
  } else {
    values = operands.out;
    sparseType = spec.out_dtype;
  }
  valuesSet = values;
  leftSet = operands.left;
  rightSet = rightData;
  if (Outcome outcome = check(
          cusparse.createCsr(
              &sparse, spec.rows, spec.cols, spec.nnz,
              mutablePointer(operands.rowptr), mutablePointer(operands.colind),
              mutablePointer(values), indexType(spec.position_bytes),
              indexType(spec.coordinate_bytes), baseZero,
              vendorType(sparseType)),
          "cusparseCreateCsr");
      !outcome)
    return outcome;
  if (Outcome outcome = check(
          cusparse.createDense(&left, leftRows, spec.features, spec.left_stride,
                               mutablePointer(operands.left),
                               vendorType(spec.dtype), orderRow),
          "cusparseCreateDnMat");
      !outcome)
    return outcome;
  return check(cusparse.createDense(&right, rightRows, spec.features,
                                    rightStride, mutablePointer(rightData),
                                    vendorType(rightType), orderRow),
               "cusparseCreateDnMat");
}

cusparse::Code cusparse::Execution::call(Step step, size_t *size) {
  bool isDouble = dtypeOf(spec.dtype) == DType::f64;
  double scale = isSpmm() ? 1.0 : spec.scale;
  double keep = spec.flags & AUTOSAGE_VENDOR_ACCUMULATE ? 1.0 : 0.0;
  float narrowScale = static_cast<float>(scale),
        narrowKeep = static_cast<float>(keep);
  const void *alpha = isDouble ? static_cast<void *>(&scale) : &narrowScale;
  const void *beta = isDouble ? static_cast<void *>(&keep) : &narrowKeep;
  int compute = isDouble ? typeF64 : typeF32;
  if (isSpmm()) {
    int operation = spec.flags & AUTOSAGE_VENDOR_TRANSPOSE ? operationTranspose
                                                           : operationNone;
    int algorithm = spmmAlgorithms[spec.algorithm];
    if (step == Step::bufferSize)
      return cusparse.spmmBufferSize(handle, operation, operationNone, alpha,
                                     sparse, left, beta, right, compute,
                                     algorithm, size);
    auto function =
        step == Step::preprocess ? cusparse.spmmPreprocess : cusparse.spmm;
    return function(handle, operation, operationNone, alpha, sparse, left, beta,
                    right, compute, algorithm, workspace);
  }
  // q and k are both row-major, so that k is the second factor transposed.
  if (step == Step::bufferSize)
    return cusparse.sddmmBufferSize(handle, operationNone, operationTranspose,
                                    alpha, left, right, beta, sparse, compute,
                                    sddmmAlgorithm, size);
  auto function =
      step == Step::preprocess ? cusparse.sddmmPreprocess : cusparse.sddmm;
  return function(handle, operationNone, operationTranspose, alpha, left, right,
                  beta, sparse, compute, sddmmAlgorithm, workspace);
}

//===----------------------------------------------------------------------===//
// Prepare, run, release
//===----------------------------------------------------------------------===//

Outcome cusparse::Execution::prepare(const cuda::Scope &scope,
                                     const autosage_vendor_operands &operands) {
  context = scope.context();
  handle = Handles::instance().take(context);
  if (!handle)
    if (Outcome outcome = check(cusparse.create(&handle), "cusparseCreate");
        !outcome)
      return outcome;
  if (Outcome outcome =
          check(cusparse.setStream(handle, stream), "cusparseSetStream");
      !outcome)
    return outcome;
  if (isSpmm() && !(spec.flags & AUTOSAGE_VENDOR_VALUES))
    if (Outcome outcome = makeOnes(scope); !outcome)
      return outcome;
  autosage_vendor_operands all = operands;
  if (!all.left || !all.out) {
    // Aligned for any vector, and no address of nowhere.
    void *standIn = nullptr;
    if (Outcome outcome = allocate(scope, 256, &standIn); !outcome)
      return outcome;
    all.left = all.out = standIn;
    if (spec.flags & AUTOSAGE_VENDOR_VALUES)
      all.values = standIn;
    if (!isSpmm())
      all.right = standIn;
  }
  if (Outcome outcome = makeDescriptors(all); !outcome)
    return outcome;

  size_t size = 0;
  if (Outcome outcome = check(call(Step::bufferSize, &size),
                              isSpmm() ? "cusparseSpMM_bufferSize"
                                       : "cusparseSDDMM_bufferSize");
      !outcome)
    return outcome;
  if (size > 0)
    if (Outcome outcome =
            allocate(scope, static_cast<int64_t>(size), &workspace);
        !outcome)
      return outcome;
  // What 12.6.3 prepares for CSR_ALG3 makes its results wrong on small graphs,
  // which docs/cusparse.md describes.
  bool preprocess =
      lifetime == Lifetime::plan &&
      !(spec.flags & AUTOSAGE_VENDOR_NO_PREPROCESS) &&
      !(isSpmm() && spec.algorithm == deterministicVendorAlgorithm);
  if (preprocess)
    if (Outcome outcome = check(call(Step::preprocess, nullptr),
                                isSpmm() ? "cusparseSpMM_preprocess"
                                         : "cusparseSDDMM_preprocess");
        !outcome)
      return outcome;
  if (lifetime == Lifetime::plan)
    return driverOutcome(scope, scope->streamSynchronize(stream),
                         "cuStreamSynchronize");
  return {};
}

Outcome cusparse::Execution::run(const autosage_vendor_operands &operands) {
  const void *values =
      isSpmm() ? (ones ? ones : operands.values) : operands.out;
  const void *rightData = isSpmm() ? operands.out : operands.right;
  Code code = 0;
  auto update = [&](const void *&set, const void *wanted, auto &&change) {
    if (code == 0 && set != wanted) {
      code = change(mutablePointer(wanted));
      set = code == 0 ? wanted : nullptr;
    }
  };
  update(valuesSet, values,
         [&](void *p) { return cusparse.setCsrValues(sparse, p); });
  update(leftSet, operands.left,
         [&](void *p) { return cusparse.setDenseValues(left, p); });
  update(rightSet, rightData,
         [&](void *p) { return cusparse.setDenseValues(right, p); });
  if (code)
    return check(code, "cusparse*SetValues");
  return check(call(Step::run, nullptr),
               isSpmm() ? "cusparseSpMM" : "cusparseSDDMM");
}

void cusparse::Execution::release(const cuda::Scope &scope) {
  if (sparse)
    cusparse.destroyCsr(sparse);
  for (DenseMatrix matrix : {left, right})
    if (matrix)
      cusparse.destroyDense(matrix);
  for (void *memory : owned)
    if (lifetime == Lifetime::plan)
      scope->memFree(address(memory));
    else
      scope->memFreeAsync(address(memory), stream);
  if (handle)
    Handles::instance().giveBack(context, handle);
  sparse = nullptr;
  left = right = nullptr;
  owned.clear();
  handle = nullptr;
}
