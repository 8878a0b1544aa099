//===- Decide.h - a plan asks the oracle ------------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_ORACLE_DECIDE_H
#define AUTOSAGE_LIB_RUNTIME_ORACLE_DECIDE_H

#include "PlanTrack.h"

#include "autosage/Oracle/DecisionLog.h"
#include "autosage/Oracle/Oracle.h"

namespace autosage::runtime {

/// The store of a context and what belongs to it.
class Decisions {
public:
  Decisions(oracle::StoreOptions options, Warnings &warnings);
  oracle::Oracle &oracle() { return asked; }

private:
  oracle::DecisionLog log;
  oracle::DecisionStore store;
  oracle::Oracle asked;
};

/// What is asked for a plan without a schedule. Expects a DeviceGuard, on a
/// stream that is not captured, and a pattern that is valid.
oracle::Answer decide(const TrackInput &input);

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_ORACLE_DECIDE_H
