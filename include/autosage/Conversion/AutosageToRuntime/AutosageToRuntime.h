//===- AutosageToRuntime.h - autosage ops to runtime calls ------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lowering of ops with a `vendor` schedule to calls of
// include/autosage/Runtime/Vendor.h. It obeys the schedule and chooses nothing.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CONVERSION_AUTOSAGETORUNTIME_AUTOSAGETORUNTIME_H
#define AUTOSAGE_CONVERSION_AUTOSAGETORUNTIME_AUTOSAGETORUNTIME_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::autosage {

#define GEN_PASS_DECL_CONVERTAUTOSAGETORUNTIME
#include "autosage/Conversion/Passes.h.inc"

} // namespace mlir::autosage

#endif // AUTOSAGE_CONVERSION_AUTOSAGETORUNTIME_AUTOSAGETORUNTIME_H
