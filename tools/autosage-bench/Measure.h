//===- Measure.h - times on the device -------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_BENCH_MEASURE_H
#define AUTOSAGE_TOOLS_BENCH_MEASURE_H

#include "Workload.h"

#include "autosage/Runtime/PlanCpp.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace autosage::bench {

/// What a contestant took and how far it is off; `failure` instead where it
/// could not run.
struct Measurement {
  std::string failure;
  double medianMs = 0, minMs = 0; // of one run
  double relError = 0;
  double prepareMs = 0; // with compilation, where the kernel was not at hand
  int64_t workspaceBytes = 0;
};

/// Runs once for the result, then samples: each between two events, as many
/// back-to-back runs as take `sampleMs`. Caches stay warm.
Measurement measure(Workload &workload, const Options &options,
                    llvm::function_ref<Status()> run);

/// The same of two by turns, so that what the machine does meanwhile hits both.
std::pair<Measurement, Measurement>
measurePair(Workload &workload, const Options &options,
            llvm::function_ref<Status()> first,
            llvm::function_ref<Status()> second);

/// A device, with kernels of its own; those on disk are in `cacheDir`, which
/// may be empty for none.
Result<runtime::ContextHandle> makeContext(const Options &options,
                                           const std::string &cacheDir);

/// One for the process: kernels that were compiled stay at hand.
Result<runtime::ContextHandle> &context(const Options &options);

/// A schedule of ours.
Measurement measureSchedule(Workload &workload, const Options &options,
                            const Schedule &schedule);

/// Several of ours, a sample of each in turn: what else the machine does in the
/// meantime is shared by all.
std::vector<Measurement> measureSchedules(Workload &workload,
                                          const Options &options,
                                          const std::vector<Schedule> &all);

/// An algorithm of cuSPARSE: 0 its own choice, 1 to 3.
Measurement measureVendor(Workload &workload, const Options &options,
                          int32_t algorithm);

/// `default` for its own choice, else `CSR_ALG1` to `CSR_ALG3`.
std::string vendorAlgorithmName(int64_t algorithm);

struct VendorResult {
  std::string name;
  bool deterministic;
  Measurement measurement;
};

/// All that cuSPARSE has for the op: none for attention.
std::vector<VendorResult> measureVendors(Workload &workload,
                                         const Options &options);

} // namespace autosage::bench

#endif // AUTOSAGE_TOOLS_BENCH_MEASURE_H
