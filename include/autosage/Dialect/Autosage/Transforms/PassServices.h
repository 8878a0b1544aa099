//===- PassServices.h - what passes ask of others ---------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect knows neither files nor stores nor a device. A tool that has them
// hands them in before passes run; a pass that needs one that is missing says
// so.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_DIALECT_AUTOSAGE_TRANSFORMS_PASSSERVICES_H
#define AUTOSAGE_DIALECT_AUTOSAGE_TRANSFORMS_PASSSERVICES_H

#include "autosage/Core/Csr.h"
#include "autosage/Core/Kernel.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace mlir::autosage {

/// One op that needs a schedule.
struct ScheduleQuestion {
  ::autosage::Target target = ::autosage::Target::cpu;
  std::string chip; // of nvptx, as sm_90
  /// The op; its schedule and statistics play no part.
  ::autosage::KernelSpec spec;
  /// With the fingerprint of the pattern.
  ::autosage::InputStats stats;
  int64_t expectedCalls = 0; // 0: not stated
  /// File of decisions; empty: the default place.
  std::string cache;
};

struct ScheduleAnswer {
  ::autosage::Schedule schedule;
  ::autosage::DecidedBy decidedBy = ::autosage::DecidedBy::probe;
  std::string reason; // one line
  std::string device; // where it was measured
  double chosenMs = 0, baselineMs = 0;
};

struct ProbeOptions {
  double guardrail = 0.98;
  double budgetMs = 0; // 0: as plans have it
  int64_t probeK = 3;
  int64_t vectorBits = 0;
};

/// Functions may be called from several threads at once. Errors are one line,
/// `expects ..., got ...` or the reader's own.
struct PassServices {
  std::function<::autosage::Result<std::shared_ptr<const ::autosage::Csr>>(
      const std::string &path)>
      readGraph;
  /// What was decided before; nothing where it is a miss.
  std::function<::autosage::Result<std::optional<ScheduleAnswer>>(
      const ScheduleQuestion &)>
      replay;
  /// Measures candidates on the pattern, and keeps the decision.
  std::function<::autosage::Result<ScheduleAnswer>(
      const ScheduleQuestion &, const ::autosage::CsrView &pattern,
      const ProbeOptions &)>
      probe;
};

/// Those of this process, empty at first. To be set before passes run.
PassServices &passServices();

} // namespace mlir::autosage

#endif // AUTOSAGE_DIALECT_AUTOSAGE_TRANSFORMS_PASSSERVICES_H
