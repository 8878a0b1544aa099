//===- Device.cpp - launches, device memory, errors -----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of Runtime/Device.h. Device memory is memory of the process.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

using namespace autosage::simt;

namespace {
struct ThreadState {
  int32_t code = 0;
  std::string message;
  std::string taken; // what the last take_error handed out
  void *stream = nullptr;
  autosage_simt_counts counts{};
};
} // namespace

static ThreadState &state() {
  static thread_local ThreadState s;
  return s;
}

void autosage::simt::setError(int32_t code, std::string message) {
  ThreadState &s = state();
  if (s.code)
    return;
  s.code = code;
  s.message = std::move(message);
}

int32_t autosage::simt::errorCode() { return state().code; }

uint32_t autosage_simt_version(void) noexcept { return AUTOSAGE_SIMT_VERSION; }

int32_t autosage_simt_take_error(const char **message) noexcept {
  ThreadState &s = state();
  s.taken = std::move(s.message);
  s.message.clear();
  if (message)
    *message = s.taken.c_str();
  int32_t code = s.code;
  s.code = 0;
  return code;
}

void autosage_simt_take_counts(autosage_simt_counts *counts) noexcept {
  if (counts)
    *counts = state().counts;
  state().counts = {};
}

void autosage_simt_set_stream(void *stream) noexcept {
  state().stream = stream;
}
void *autosage_simt_get_stream(void) noexcept { return state().stream; }

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

int32_t autosage_simt_register_buffer(const void *pointer, int64_t bytes,
                                      const char *name,
                                      int32_t readOnly) noexcept {
  Buffers &buffers = Buffers::instance();
  std::lock_guard<std::mutex> guard(buffers.lock);
  return buffers.add(reinterpret_cast<uintptr_t>(pointer), bytes,
                     name ? name : "unnamed", readOnly != 0, /*owned=*/false)
             ? AUTOSAGE_SIMT_OK
             : AUTOSAGE_SIMT_BAD_ARGUMENT;
}

void autosage_simt_unregister_buffer(const void *pointer) noexcept {
  Buffers &buffers = Buffers::instance();
  std::lock_guard<std::mutex> guard(buffers.lock);
  auto begin = reinterpret_cast<uintptr_t>(pointer);
  Buffer *buffer = buffers.at(begin);
  if (buffer && !buffer->owned)
    buffers.remove(begin);
}

void *autosage_simt_device_alloc(int64_t bytes) noexcept {
  if (errorCode() || bytes == 0)
    return nullptr;
  if (bytes < 0) {
    setError(AUTOSAGE_SIMT_BAD_ARGUMENT,
             "device allocation expects a size of 0 or more bytes, got " +
                 std::to_string(bytes));
    return nullptr;
  }
  // A multiple of the alignment is what aligned_alloc asks for. Between buffers
  // lie 256 bytes that belong to none.
  auto size = (static_cast<size_t>(bytes) + 511) & ~size_t{255};
  void *memory = std::aligned_alloc(256, size);
  if (!memory) {
    setError(AUTOSAGE_SIMT_OUT_OF_MEMORY, "device allocation of " +
                                              std::to_string(bytes) +
                                              " bytes: out of memory");
    return nullptr;
  }
  std::memset(memory, 0xff, size); // NaN, for what is read before it is written
  Buffers &buffers = Buffers::instance();
  std::lock_guard<std::mutex> guard(buffers.lock);
  static int64_t number = 0;
  buffers.add(reinterpret_cast<uintptr_t>(memory), bytes,
              "device allocation " + std::to_string(++number),
              /*readOnly=*/false, /*owned=*/true);
  return memory;
}

void autosage_simt_device_free(void *pointer) noexcept {
  if (!pointer)
    return;
  Buffers &buffers = Buffers::instance();
  std::lock_guard<std::mutex> guard(buffers.lock);
  auto begin = reinterpret_cast<uintptr_t>(pointer);
  Buffer *buffer = buffers.at(begin);
  if (!buffer || !buffer->owned)
    return setError(AUTOSAGE_SIMT_BAD_ARGUMENT,
                    "device free expects what the device allocated, got "
                    "another pointer");
  buffers.remove(begin);
  std::free(pointer);
}

/// Whether the bytes lie in one buffer.
static bool checkRange(Buffers &buffers, const void *pointer, int64_t bytes,
                       const char *what) {
  auto address = reinterpret_cast<uintptr_t>(pointer);
  const Buffer *buffer = buffers.find(address);
  if (buffer && static_cast<uint64_t>(bytes) <= buffer->end - address)
    return true;
  setError(AUTOSAGE_SIMT_OUT_OF_BOUNDS,
           "device copy expects " + std::to_string(bytes) +
               " bytes of one buffer as its " + what + ", got " +
               (buffer ? std::to_string(buffer->end - address) +
                             " bytes up to the end of buffer '" + buffer->name +
                             "'"
                       : std::string("an address in no known buffer")));
  return false;
}

void autosage_simt_device_copy(void *to, const void *from,
                               int64_t bytes) noexcept {
  if (errorCode() || bytes == 0)
    return;
  if (bytes < 0)
    return setError(AUTOSAGE_SIMT_BAD_ARGUMENT,
                    "device copy expects a size of 0 or more bytes, got " +
                        std::to_string(bytes));
  Buffers &buffers = Buffers::instance();
  std::lock_guard<std::mutex> guard(buffers.lock);
  if (checkRange(buffers, to, bytes, "destination") &&
      checkRange(buffers, from, bytes, "source"))
    std::memcpy(to, from, static_cast<size_t>(bytes));
}

/// Between a buffer and memory that the emulator does not know.
static void transfer(void *to, const void *from, int64_t bytes,
                     const void *device, const char *what) {
  if (errorCode() || bytes == 0)
    return;
  if (bytes < 0)
    return setError(AUTOSAGE_SIMT_BAD_ARGUMENT,
                    "device copy expects a size of 0 or more bytes, got " +
                        std::to_string(bytes));
  Buffers &buffers = Buffers::instance();
  std::lock_guard<std::mutex> guard(buffers.lock);
  if (checkRange(buffers, device, bytes, what))
    std::memcpy(to, from, static_cast<size_t>(bytes));
}

void autosage_simt_device_upload(void *to, const void *from,
                                 int64_t bytes) noexcept {
  transfer(to, from, bytes, to, "destination");
}

void autosage_simt_device_download(void *to, const void *from,
                                   int64_t bytes) noexcept {
  transfer(to, from, bytes, from, "source");
}

//===----------------------------------------------------------------------===//
// Time and facts
//===----------------------------------------------------------------------===//

int32_t autosage_simt_device_synchronize(void) noexcept { return errorCode(); }

using Clock = std::chrono::steady_clock;

void *autosage_simt_event_record(void) noexcept {
  return new (std::nothrow) Clock::time_point(Clock::now());
}

double autosage_simt_event_elapsed(void *begin, void *end) noexcept {
  std::unique_ptr<Clock::time_point> from(
      static_cast<Clock::time_point *>(begin)),
      to(static_cast<Clock::time_point *>(end));
  if (!from || !to)
    return -1;
  return std::chrono::duration<double, std::milli>(*to - *from).count();
}

int32_t autosage_simt_get_info(autosage_device_info *info) noexcept {
  if (!info || info->struct_size < sizeof(autosage_device_info) ||
      info->version != AUTOSAGE_DEVICE_VERSION) {
    setError(AUTOSAGE_SIMT_BAD_ARGUMENT,
             "expects info with its size and version set");
    return errorCode();
  }
  autosage_device_info facts = {};
  facts.struct_size = info->struct_size;
  facts.version = info->version;
  std::strcpy(facts.name, "simt");
  facts.multiprocessors = 1;             // blocks run one after another
  facts.shared_bytes_per_block = 232448; // of sm_90
  std::memcpy(info, &facts, sizeof facts);
  return AUTOSAGE_SIMT_OK;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static int32_t fail(const std::string &message) {
  setError(AUTOSAGE_SIMT_BAD_ARGUMENT, message);
  return errorCode();
}

static const autosage_simt_kernel *findKernel(const autosage_image *image,
                                              const char *name) {
  for (auto *kernel = static_cast<const autosage_simt_kernel *>(image->data);
       kernel->name; ++kernel)
    if (std::strcmp(kernel->name, name) == 0)
      return kernel;
  return nullptr;
}

/// The limits of the devices that the same kernels run on.
static std::string checkGeometry(const Dim3 &grid, const Dim3 &block) {
  auto check = [](const char *what, int64_t size, int64_t most) -> std::string {
    if (size >= 0 && size <= most)
      return "";
    return "expects " + std::string(what) + " of at most " +
           std::to_string(most) + ", got " + std::to_string(size);
  };
  for (std::string text :
       {check("a grid x", grid.x, 2147483647), check("a grid y", grid.y, 65535),
        check("a grid z", grid.z, 65535), check("a block x", block.x, 1024),
        check("a block y", block.y, 1024), check("a block z", block.z, 64)})
    if (!text.empty())
      return text;
  return check("threads in a block", block.count(), maxBlockThreads);
}

int32_t autosage_simt_launch_kernel(autosage_image *image, const char *kernel,
                                    int64_t gridX, int64_t gridY, int64_t gridZ,
                                    int64_t blockX, int64_t blockY,
                                    int64_t blockZ, int64_t dynamicSharedBytes,
                                    void *const *args, int64_t) noexcept {
  if (int32_t code = errorCode())
    return code;
  if (!image || !kernel)
    return fail("launch expects an image and a kernel's name, got null");
  if (image->struct_size < sizeof(autosage_image) ||
      image->version > AUTOSAGE_DEVICE_VERSION)
    return fail("launch expects an image of version " +
                std::to_string(AUTOSAGE_DEVICE_VERSION) + ", got " +
                std::to_string(image->version));
  if (image->kind != AUTOSAGE_IMAGE_SIMT)
    return fail("launch on the simt target expects an image of kind " +
                std::to_string(AUTOSAGE_IMAGE_SIMT) + ", got " +
                std::to_string(image->kind));
  if (currentMachine())
    return fail("launch expects to be called by the host, got a kernel");
  const autosage_simt_kernel *found = findKernel(image, kernel);
  std::string name = "kernel '" + std::string(kernel) + "'";
  if (!found)
    return fail("launch expects a kernel of module '" +
                std::string(image->name ? image->name : "") + "', got '" +
                kernel + "'");
  Dim3 grid{gridX, gridY, gridZ}, block{blockX, blockY, blockZ};
  if (std::string text = checkGeometry(grid, block); !text.empty())
    return fail(name + ": " + text);
  if (dynamicSharedBytes < 0)
    return fail(name +
                ": expects 0 or more bytes of dynamic shared memory, "
                "got " +
                std::to_string(dynamicSharedBytes));
  if (grid.count() == 0)
    return 0;
  if (block.count() == 0)
    return fail(name + ": expects threads in a block, got 0");

  std::lock_guard<std::mutex> guard(Buffers::instance().lock);
  Machine machine(found->name);
  bool passed = machine.run(found->entry, args, grid, block,
                            static_cast<int64_t>(found->static_shared_bytes),
                            dynamicSharedBytes);
  autosage_simt_counts &sum = state().counts;
  sum.launches += machine.counts.launches;
  sum.blocks += machine.counts.blocks;
  sum.threads += machine.counts.threads;
  sum.switches += machine.counts.switches;
  sum.accesses += machine.counts.accesses;
  if (!passed)
    setError(machine.errorCode, std::move(machine.error));
  return errorCode();
}

// Kernels are functions of the host: there is nothing that a launch loads.
void autosage_simt_image_unload(autosage_image *) noexcept {}
