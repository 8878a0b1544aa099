//===- PlanSupport.h - what the tests of plans share ------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_RUNTIME_PLANSUPPORT_H
#define AUTOSAGE_TEST_RUNTIME_PLANSUPPORT_H

#include "../Compiler/PropertyConfigs.h"
#include "../Compiler/TestKernel.h"
#include "../TempFolder.h"

#include "autosage/Runtime/PlanCpp.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace autosage::test {

/// The emulator, with a count of what is asked of it and of the streams that it
/// was asked on. One at a time.
struct CountingApi {
  CountingApi();
  ~CountingApi();
  autosage_device_api api;

  struct Counts {
    std::atomic<int64_t> launches{0}, allocs{0}, frees{0}, copies{0},
        transfers{0}, waits{0}, builds{0}, prepared{0}, validations{0},
        stats{0};
    /// All but launches and copies.
    int64_t preparing() const {
      return allocs + frees + transfers + waits + builds + prepared +
             validations + stats;
    }
  } counts;
  std::atomic<bool> capturing{false};
  std::mutex mutex;
  std::vector<void *> launchStreams;
  /// Called by each launch, when set.
  std::function<void()> onLaunch;
};

struct ContextDeleter {
  void operator()(autosage_context *c) const { autosage_context_destroy(c); }
};
struct PlanDeleter {
  void operator()(autosage_plan *p) const { autosage_plan_destroy(p); }
};
using ContextPtr = std::unique_ptr<autosage_context, ContextDeleter>;
using PlanPtr = std::unique_ptr<autosage_plan, PlanDeleter>;

/// A context's options for the target, with the emulator for simt, the compiler
/// that lies beside the runtime, without a cache on disk; warnings go to
/// `warnings` where that is not null.
autosage_context_options
optionsFor(uint32_t target, std::vector<std::string> *warnings = nullptr);
ContextPtr makeContext(const autosage_context_options &options);

using runtime::patternOf;
using runtime::toC;
/// A spec of the tests as C has it; `schedule` is borrowed.
autosage_kernel_spec toC(const KernelSpec &spec, const std::string &schedule);

/// Makes a plan for the operands' shapes.
autosage_plan_status makePlan(autosage_context *context, const KernelSpec &spec,
                              const Operands &operands, void *stream,
                              PlanPtr &plan,
                              const autosage_plan_options *options = nullptr);

/// Lets the emulator's kernels access the operands.
class SimtMemory {
public:
  SimtMemory(const KernelSpec &spec, const Operands &operands);
  ~SimtMemory();
  SimtMemory(const SimtMemory &) = delete;
  SimtMemory &operator=(const SimtMemory &) = delete;

private:
  std::vector<const void *> registered;
};

/// The small graph of the handed cases: two rows, three edges.
struct SmallSpmm {
  std::vector<int32_t> rowptr = {0, 2, 3}, colind = {0, 1, 1};
  std::vector<float> w = {1, 2, 3}, x = {1, 10}, out = {0, 0};
  KernelSpec spec;
  SmallSpmm() {
    spec.features = 1;
    spec.edgeValues = EdgeValues::perEdge;
  }
  Operands operands();
};

/// Some configurations of each kind: their steps have no common factor with the
/// numbers of forms and types. Of each the widths that differ most.
std::vector<Config> planConfigs();
std::vector<NamedGraph> planGraphs();
/// Of a GPU, in turn; empty: the plan chooses.
std::string gpuPlanSchedule(size_t index);

} // namespace autosage::test

#endif // AUTOSAGE_TEST_RUNTIME_PLANSUPPORT_H
