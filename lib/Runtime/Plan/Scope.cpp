//===- Scope.cpp - what host code gets while a plan runs it ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scope.h"

#include <algorithm>
#include <utility>

using namespace autosage::runtime;

static thread_local PlanScope *current = nullptr;

PlanScope::PlanScope(Mode mode, const autosage_device_api &api,
                     Recording &recording, StreamState &stream)
    : mode(mode), api(api), recording(recording), stream(stream),
      outer(std::exchange(current, this)) {}

PlanScope::~PlanScope() { current = outer; }

void PlanScope::fail(std::string message) {
  if (text.empty())
    text = std::move(message);
}

bool PlanScope::refuses(const char *what) {
  if (capturing)
    fail(std::string("expects a plan that was made before the capture: it ") +
         what + "; call autosage_plan_create before the capture begins");
  return !text.empty() || isOverLimit();
}

void *PlanScope::alloc(int64_t bytes) {
  size_t index = nextAllocation++;
  if (isRecording()) {
    recording.allocations.push_back({bytes, nullptr});
    sum += bytes;
    void *pointer = nullptr;
    if (bytes > 0 && !refuses("needs memory"))
      pointer = api.alloc(bytes);
    stream.pointers.push_back(pointer);
    return pointer;
  }
  // Sizes are functions of the operands' sizes, which a run has checked.
  if (index >= recording.allocations.size() ||
      recording.allocations[index].bytes != bytes) {
    fail("expects host code to ask for what it asked for first, got " +
         std::to_string(bytes) + " bytes");
    return nullptr;
  }
  if (mode == Mode::fill) {
    void *pointer = recording.allocations[index].shared;
    if (!pointer && bytes > 0) {
      sum += bytes;
      if (!refuses("needs memory for another stream"))
        pointer = api.alloc(bytes);
    }
    stream.pointers.push_back(pointer);
  }
  return stream.pointers[index];
}

void PlanScope::share(void *pointer) {
  for (size_t i = 0; pointer && i < stream.pointers.size(); ++i)
    if (stream.pointers[i] == pointer)
      recording.allocations[i].shared = pointer;
}

namespace autosage::runtime {
/// What host code is bound to. Outside of a plan, which nothing does today, the
/// driver answers.
struct ScopeCalls {
  static int32_t launch(autosage_image *image, const char *kernel,
                        int64_t gridX, int64_t gridY, int64_t gridZ,
                        int64_t blockX, int64_t blockY, int64_t blockZ,
                        int64_t shared, void *const *args, int64_t numArgs) {
    PlanScope *scope = current;
    if (!scope)
      return autosage_launch_kernel(image, kernel, gridX, gridY, gridZ, blockX,
                                    blockY, blockZ, shared, args, numArgs);
    if (scope->mode == PlanScope::Mode::replay)
      return scope->text.empty()
                 ? scope->api.launch_kernel(image, kernel, gridX, gridY, gridZ,
                                            blockX, blockY, blockZ, shared,
                                            args, numArgs)
                 : AUTOSAGE_DEVICE_FAILED;
    return scope->api.prepare_kernel
               ? scope->api.prepare_kernel(image, kernel, shared)
               : AUTOSAGE_DEVICE_OK;
  }

  static void *alloc(int64_t bytes) {
    return current ? current->alloc(bytes) : autosage_device_alloc(bytes);
  }

  static void free(void *pointer) {
    if (!current)
      autosage_device_free(pointer);
  }

  static void copy(void *to, const void *from, int64_t bytes) {
    if (!current)
      autosage_device_copy(to, from, bytes);
    else if (current->mode == PlanScope::Mode::replay && current->text.empty())
      current->api.copy(to, from, bytes);
  }

  static int64_t countTasks(const void *rowptr, int64_t rows,
                            int32_t indexBytes, int64_t chunk) {
    PlanScope *scope = current;
    if (!scope)
      return autosage_count_tasks(rowptr, rows, indexBytes, chunk);
    size_t index = scope->nextCount++;
    std::vector<int64_t> &counts = scope->recording.counts;
    if (scope->isRecording())
      counts.push_back(
          scope->refuses("needs a task list")
              ? 0
              : scope->api.count_tasks(rowptr, rows, indexBytes, chunk));
    if (index < counts.size())
      return counts[index];
    scope->fail("expects host code to count what it counted first");
    return 0;
  }

  static void buildTasks(const void *rowptr, const void *colind, int64_t rows,
                         int64_t cols, int64_t nnz, int32_t positionBytes,
                         int32_t coordinateBytes, int64_t chunk, int32_t order,
                         void *tasks, int64_t numTasks) {
    PlanScope *scope = current;
    if (!scope)
      return autosage_build_tasks(rowptr, colind, rows, cols, nnz,
                                  positionBytes, coordinateBytes, chunk, order,
                                  tasks, numTasks);
    if (!scope->isRecording() || scope->refuses("needs a task list"))
      return;
    scope->api.build_tasks(rowptr, colind, rows, cols, nnz, positionBytes,
                           coordinateBytes, chunk, order, tasks, numTasks);
    scope->share(tasks);
  }

  static void buildTranspose(const void *rowptr, const void *colind,
                             int64_t rows, int64_t cols, int64_t nnz,
                             int32_t positionBytes, int32_t coordinateBytes,
                             int32_t outCoordinateBytes, void *outRowptr,
                             void *outColind, void *outPerm) {
    PlanScope *scope = current;
    if (!scope)
      return autosage_build_transpose(
          rowptr, colind, rows, cols, nnz, positionBytes, coordinateBytes,
          outCoordinateBytes, outRowptr, outColind, outPerm);
    if (!scope->isRecording() || scope->refuses("needs the transposed pattern"))
      return;
    scope->api.build_transpose(rowptr, colind, rows, cols, nnz, positionBytes,
                               coordinateBytes, outCoordinateBytes, outRowptr,
                               outColind, outPerm);
    for (void *pointer : {outRowptr, outColind, outPerm})
      scope->share(pointer);
  }
};
} // namespace autosage::runtime

void *PlanScope::function(std::string_view name) {
  static const std::pair<std::string_view, void *> functions[] = {
      {"autosage_launch_kernel", reinterpret_cast<void *>(ScopeCalls::launch)},
      {"autosage_device_alloc", reinterpret_cast<void *>(ScopeCalls::alloc)},
      {"autosage_device_free", reinterpret_cast<void *>(ScopeCalls::free)},
      {"autosage_device_copy", reinterpret_cast<void *>(ScopeCalls::copy)},
      {"autosage_count_tasks",
       reinterpret_cast<void *>(ScopeCalls::countTasks)},
      {"autosage_build_tasks",
       reinterpret_cast<void *>(ScopeCalls::buildTasks)},
      {"autosage_build_transpose",
       reinterpret_cast<void *>(ScopeCalls::buildTranspose)}};
  for (const auto &[known, address] : functions)
    if (known == name)
      return address;
  return nullptr;
}
