//===- Execution.h - a plan and the operands of its runs --------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A workload on its target: operands where kernels reach them, and a plan
// (autosage/Runtime/Plan.h), which holds what is made once.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_RUN_EXECUTION_H
#define AUTOSAGE_TOOLS_RUN_EXECUTION_H

#include "Workload.h"

#include "autosage/Runtime/DeviceCpp.h"
#include "autosage/Runtime/PlanCpp.h"

namespace autosage::run {

/// Settles what the target is: `auto` and a missing chip follow from the
/// device. Fails where a GPU is asked for and there is none.
Status resolveTarget(Options &options);

class Execution {
public:
  /// Places the operands and makes the plan. The workload must stay where it
  /// is.
  static Result<std::unique_ptr<Execution>> make(const Options &options,
                                                 Workload &workload);
  ~Execution();
  Execution(const Execution &) = delete;
  Execution &operator=(const Execution &) = delete;

  /// Enqueues one run; on the host it is done then.
  Status run() { return plan->run(operands); }
  /// Waits, and copies the output to the workload.
  Status download();
  /// One run in milliseconds: of a GPU between events around it.
  Result<double> time();

  const runtime::PlanHandle &getPlan() const { return *plan; }

private:
  Execution(const Options &options, Workload &workload);
  void copyToDevice();
  void showToEmulator();
  Result<runtime::ContextHandle> makeContext() const;
  Result<runtime::PlanHandle> makePlan(runtime::ContextHandle &context) const;

  const Options &options;
  Workload &workload;
  /// Of an NVIDIA GPU, else null.
  const autosage_device_api *device = nullptr;
  std::vector<runtime::DeviceBuffer> copies;
  std::vector<const void *> shown;
  CsrView graph;
  autosage_operands operands;
  std::optional<runtime::PlanHandle> plan;
};

} // namespace autosage::run

#endif // AUTOSAGE_TOOLS_RUN_EXECUTION_H
