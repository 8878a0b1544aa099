//===- Driver.h - the CUDA driver, loaded when first needed -----*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of libcuda that the runtime calls, by dlopen: the library runs
// on machines without a driver, and is built without the CUDA toolkit. Types
// and numbers are those of cuda.h, whose ABI NVIDIA keeps within a suffix
// (_v2).
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_CUDA_DRIVER_H
#define AUTOSAGE_LIB_RUNTIME_CUDA_DRIVER_H

#include "autosage/Core/Result.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace autosage::runtime::cuda {

using Code = int; // CUresult, 0 for success
using DeviceNumber = int;
using Address = unsigned long long; // CUdeviceptr
using Context = struct CUctx_st *;
using Module = struct CUmod_st *;
using Function = struct CUfunc_st *;
using Stream = struct CUstream_st *;
using Event = struct CUevent_st *;
using MemoryPool = struct CUmemPoolHandle_st *;

/// CUdevice_attribute.
enum Attribute : int {
  clockRate = 13,
  multiprocessorCount = 16,
  memoryClockRate = 36,
  memoryBusWidth = 37,
  l2CacheSize = 38,
  threadsPerMultiprocessor = 39,
  computeCapabilityMajor = 75,
  computeCapabilityMinor = 76,
  sharedPerBlockOptin = 97,
  memoryPoolsSupported = 115,
};
/// CUmemPool_attribute: bytes that a pool keeps when a stream is waited for.
inline constexpr int releaseThreshold = 4;
/// CUfunction_attribute: the limit of dynamic shared memory.
inline constexpr int maxDynamicSharedBytes = 8;

/// CUlaunchConfig, CUlaunchAttribute.
struct LaunchAttribute {
  int id;
  char pad[4];
  union {
    char bytes[64];
    int number;
  } value;
};
struct LaunchConfig {
  unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, dynamicSharedBytes;
  Stream stream;
  LaunchAttribute *attributes;
  unsigned numAttributes;
};
/// CUlaunchAttributeID: the kernel may start while the one before it runs.
inline constexpr int programmaticStreamSerialization = 6;

// Name in this table, name in the library (with the version of its ABI), type.
#define AUTOSAGE_CUDA_FUNCTIONS(X)                                             \
  X(init, "cuInit", Code (*)(unsigned))                                        \
  X(driverGetVersion, "cuDriverGetVersion", Code (*)(int *))                   \
  X(getErrorName, "cuGetErrorName", Code (*)(Code, const char **))             \
  X(getErrorString, "cuGetErrorString", Code (*)(Code, const char **))         \
  X(deviceGetCount, "cuDeviceGetCount", Code (*)(int *))                       \
  X(deviceGet, "cuDeviceGet", Code (*)(DeviceNumber *, int))                   \
  X(deviceGetName, "cuDeviceGetName", Code (*)(char *, int, DeviceNumber))     \
  X(deviceTotalMem, "cuDeviceTotalMem_v2", Code (*)(size_t *, DeviceNumber))   \
  X(deviceGetAttribute, "cuDeviceGetAttribute",                                \
    Code (*)(int *, int, DeviceNumber))                                        \
  X(primaryRetain, "cuDevicePrimaryCtxRetain",                                 \
    Code (*)(Context *, DeviceNumber))                                         \
  X(ctxGetCurrent, "cuCtxGetCurrent", Code (*)(Context *))                     \
  X(ctxSetCurrent, "cuCtxSetCurrent", Code (*)(Context))                       \
  X(ctxGetDevice, "cuCtxGetDevice", Code (*)(DeviceNumber *))                  \
  X(ctxSynchronize, "cuCtxSynchronize", Code (*)())                            \
  X(moduleLoadData, "cuModuleLoadDataEx",                                      \
    Code (*)(Module *, const void *, unsigned, int *, void **))                \
  X(moduleUnload, "cuModuleUnload", Code (*)(Module))                          \
  X(moduleGetFunction, "cuModuleGetFunction",                                  \
    Code (*)(Function *, Module, const char *))                                \
  X(funcSetAttribute, "cuFuncSetAttribute", Code (*)(Function, int, int))      \
  X(launchKernel, "cuLaunchKernel",                                            \
    Code (*)(Function, unsigned, unsigned, unsigned, unsigned, unsigned,       \
             unsigned, unsigned, Stream, void **, void **))                    \
  X(memAlloc, "cuMemAlloc_v2", Code (*)(Address *, size_t))                    \
  X(memFree, "cuMemFree_v2", Code (*)(Address))                                \
  X(memAllocAsync, "cuMemAllocAsync", Code (*)(Address *, size_t, Stream))     \
  X(memFreeAsync, "cuMemFreeAsync", Code (*)(Address, Stream))                 \
  X(deviceGetMemPool, "cuDeviceGetMemPool",                                    \
    Code (*)(MemoryPool *, DeviceNumber))                                      \
  X(memPoolGetAttribute, "cuMemPoolGetAttribute",                              \
    Code (*)(MemoryPool, int, void *))                                         \
  X(memPoolSetAttribute, "cuMemPoolSetAttribute",                              \
    Code (*)(MemoryPool, int, void *))                                         \
  X(copyAsync, "cuMemcpyDtoDAsync_v2",                                         \
    Code (*)(Address, Address, size_t, Stream))                                \
  X(uploadAsync, "cuMemcpyHtoDAsync_v2",                                       \
    Code (*)(Address, const void *, size_t, Stream))                           \
  X(downloadAsync, "cuMemcpyDtoHAsync_v2",                                     \
    Code (*)(void *, Address, size_t, Stream))                                 \
  X(streamSynchronize, "cuStreamSynchronize", Code (*)(Stream))                \
  X(streamIsCapturing, "cuStreamIsCapturing", Code (*)(Stream, int *))         \
  X(exchangeCaptureMode, "cuThreadExchangeStreamCaptureMode", Code (*)(int *)) \
  X(primaryRelease, "cuDevicePrimaryCtxRelease_v2", Code (*)(DeviceNumber))    \
  X(eventCreate, "cuEventCreate", Code (*)(Event *, unsigned))                 \
  X(eventRecord, "cuEventRecord", Code (*)(Event, Stream))                     \
  X(eventSynchronize, "cuEventSynchronize", Code (*)(Event))                   \
  X(eventQuery, "cuEventQuery", Code (*)(Event))                               \
  X(eventElapsed, "cuEventElapsedTime", Code (*)(float *, Event, Event))       \
  X(eventDestroy, "cuEventDestroy_v2", Code (*)(Event))

struct Driver {
#define AUTOSAGE_CUDA_MEMBER(member, symbol, ...)                              \
  decltype(static_cast<__VA_ARGS__>(nullptr)) member = nullptr;
  AUTOSAGE_CUDA_FUNCTIONS(AUTOSAGE_CUDA_MEMBER)
#undef AUTOSAGE_CUDA_MEMBER
  /// cuLaunchKernelEx, which drivers before 11.8 do not have: null there.
  Code (*launchKernelEx)(const LaunchConfig *, Function, void **,
                         void **) = nullptr;
  int version = 0; // 13000 for 13.0

  /// `cuda: out of memory (CUDA_ERROR_OUT_OF_MEMORY) in 'what'`.
  std::string describe(Code code, const char *what) const;
};

/// The driver, loaded and initialised at the first call; the same answer ever
/// after. Fails with a sentence where there is no driver, no device, or an
/// older driver than 11.4. A libcuda that the process has loaded is taken.
const Result<Driver> &driver();

} // namespace autosage::runtime::cuda

#endif // AUTOSAGE_LIB_RUNTIME_CUDA_DRIVER_H
