//===- FakeCuda.cpp - a driver that pretends ------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With StandIns/CudaDefaults.cpp libcuda.so.1 in a folder of its own. Writes
// the name of each call that matters to standard output; kernels do nothing, a
// validation finds nothing, and statistics are of sums that are 0.
// FAKE_CUDA_VERSION, FAKE_CUDA_DEVICES and FAKE_CUDA_FAIL (a function's name)
// say what it pretends; FAKE_CUDA_CAPTURING=1: streams are being captured;
// FAKE_CUDA_QUIET=1: nothing is written.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static int setting(const char *name, int otherwise) {
  const char *text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

/// 0, or the code of a failure that was asked for (CUDA_ERROR_UNKNOWN).
static int say(const char *call, const void *subject = nullptr) {
  static const int quiet = setting("FAKE_CUDA_QUIET", 0);
  if (quiet)
    return 0;
  std::printf(
      "%s %llx\n", call,
      static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(subject)));
  std::fflush(stdout);
  const char *fails = std::getenv("FAKE_CUDA_FAIL");
  return fails && std::strcmp(fails, call) == 0 ? 999 : 0;
}

static thread_local void *current = nullptr;
static void *at(uintptr_t number) { return reinterpret_cast<void *>(number); }

extern "C" {
int cuDriverGetVersion(int *version) {
  *version = setting("FAKE_CUDA_VERSION", 13000);
  return 0;
}
int cuGetErrorName(int, const char **text) {
  *text = "CUDA_ERROR_UNKNOWN";
  return 0;
}
int cuGetErrorString(int, const char **text) {
  *text = "unknown error";
  return 0;
}
int cuDeviceGetCount(int *count) {
  *count = setting("FAKE_CUDA_DEVICES", 2);
  return 0;
}
int cuDevicePrimaryCtxRetain(void **context, int device) {
  *context = at(0xc0 + static_cast<uintptr_t>(device));
  return say("retain", *context);
}
int cuCtxGetCurrent(void **context) {
  *context = current;
  return 0;
}
int cuCtxSetCurrent(void *context) {
  current = context;
  return say("current", context);
}
int cuCtxGetDevice(int *device) {
  *device = current == at(0xc1);
  return 0;
}
int cuModuleLoadDataEx(void **module, const void *, unsigned, int *, void **) {
  *module = at(0x30d);
  return say("load");
}
int cuModuleGetFunction(void **function, void *, const char *name) {
  bool describes = std::strcmp(name, "describeFindings") == 0;
  bool validates = describes || std::strcmp(name, "initFindings") == 0 ||
                   std::strcmp(name, "findBadPosition") == 0 ||
                   std::strcmp(name, "findBadColumn") == 0;
  bool clears = std::strcmp(name, "clearWords") == 0;
  bool sums = std::strcmp(name, "sumRows") == 0 ||
              std::strcmp(name, "sumEntries") == 0 ||
              std::strcmp(name, "markColumns") == 0;
  *function = at(describes   ? 0xd
                 : validates ? 0xe
                 : clears    ? 0xc
                 : sums      ? 0xb
                             : 0xf);
  return 0;
}
int cuLaunchKernel(void *function, unsigned, unsigned, unsigned, unsigned,
                   unsigned, unsigned, unsigned, void *stream, void **args,
                   void **) {
  if (function == at(0xd)) { // of a validation: no kernel has found a fault
    const void *rowptr = *static_cast<void **>(args[0]);
    uint64_t bytes = *static_cast<uint64_t *>(args[1]),
             rows = *static_cast<uint64_t *>(args[2]);
    long long last = bytes == 8 ? static_cast<const int64_t *>(rowptr)[rows]
                                : static_cast<const int32_t *>(rowptr)[rows];
    long long findings[] = {-1, -1, 0, last, 0, 0, 0, 0};
    std::memcpy(*static_cast<void **>(args[5]), findings, sizeof findings);
  }
  if (function == at(0xc)) // of statistics, whose sums are all 0 then
    std::memset(*static_cast<void **>(args[0]), 0,
                4 * *static_cast<uint64_t *>(args[1]));
  bool isStats = function == at(0xc) || function == at(0xb);
  return say(function == at(0xf) ? "launch"
             : isStats           ? "sum"
                                 : "validate",
             stream);
}
struct Attribute {
  int id;
  char pad[4];
  int value[16];
};
struct Config {
  unsigned dimensions[6], sharedBytes;
  void *stream;
  Attribute *attributes;
  unsigned numAttributes;
};
int cuLaunchKernelEx(const Config *config, void *function, void **args,
                     void **) {
  constexpr int programmaticStreamSerialization = 6;
  const Attribute &only = *config->attributes;
  if (config->numAttributes == 1 &&
      only.id == programmaticStreamSerialization && only.value[0] == 1)
    say("overlap", config->stream);
  const unsigned *d = config->dimensions;
  return cuLaunchKernel(function, d[0], d[1], d[2], d[3], d[4], d[5],
                        config->sharedBytes, config->stream, args, nullptr);
}
int cuMemAlloc_v2(unsigned long long *address, size_t bytes) {
  *address = reinterpret_cast<uintptr_t>(std::malloc(bytes));
  return say("alloc");
}
int cuMemFree_v2(unsigned long long address) {
  std::free(at(address));
  return say("free");
}
int cuMemAllocAsync(unsigned long long *address, size_t bytes, void *stream) {
  *address = reinterpret_cast<uintptr_t>(std::malloc(bytes));
  return say("alloc", stream);
}
int cuMemFreeAsync(unsigned long long address, void *stream) {
  std::free(at(address));
  return say("free", stream);
}
int cuDeviceGetMemPool(void **pool, int) {
  *pool = at(0x900);
  return 0;
}
/// CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, as another library has set it.
static uint64_t threshold = 0x1000;
int cuMemPoolGetAttribute(void *, int attribute, void *value) {
  if (attribute != 4)
    return 1;
  std::memcpy(value, &threshold, sizeof threshold);
  return 0;
}
int cuMemPoolSetAttribute(void *, int attribute, void *value) {
  if (attribute != 4)
    return 1;
  std::memcpy(&threshold, value, sizeof threshold);
  return say("keep", at(threshold));
}
int cuStreamSynchronize(void *stream) { return say("wait", stream); }
int cuStreamIsCapturing(void *, int *status) {
  *status = setting("FAKE_CUDA_CAPTURING", 0);
  return 0;
}
int cuThreadExchangeStreamCaptureMode(int *) { return 0; }
int cuEventCreate(void **event, unsigned) {
  *event = at(0xe);
  return 0;
}
int cuEventRecord(void *, void *stream) { return say("event", stream); }
int cuEventSynchronize(void *) { return 0; }
int cuEventElapsedTime(float *milliseconds, void *, void *) {
  *milliseconds = 2;
  return 0;
}
int cuEventDestroy_v2(void *) { return 0; }
}
