//===- VendorCall.h - an op as a call of cuSPARSE ---------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CONVERSION_AUTOSAGETORUNTIME_VENDORCALL_H
#define AUTOSAGE_LIB_CONVERSION_AUTOSAGETORUNTIME_VENDORCALL_H

#include "autosage/Core/Schedule.h"
#include "autosage/Core/Vendor.h"
#include "autosage/Dialect/Autosage/IR/Autosage.h"

namespace mlir::autosage::vendor {

/// Whether cuSPARSE does the op on buffers under the schedule, from all that
/// types and attributes say; else why not.
::autosage::Status verify(Operation *op, const ::autosage::Schedule &schedule);

/// The call, in front of an op that `verify` accepted.
void emit(SpmmOp op, const ::autosage::Schedule &schedule);
void emit(SddmmOp op, const ::autosage::Schedule &schedule);

} // namespace mlir::autosage::vendor

#endif // AUTOSAGE_LIB_CONVERSION_AUTOSAGETORUNTIME_VENDORCALL_H
