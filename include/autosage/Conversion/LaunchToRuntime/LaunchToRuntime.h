//===- LaunchToRuntime.h - launches as calls ------------------------*- C++
//-*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host code of the GPU path as calls of the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CONVERSION_LAUNCHTORUNTIME_LAUNCHTORUNTIME_H
#define AUTOSAGE_CONVERSION_LAUNCHTORUNTIME_LAUNCHTORUNTIME_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::autosage {

#define GEN_PASS_DECL_AUTOSAGELAUNCHTORUNTIME
#include "autosage/Conversion/Passes.h.inc"

} // namespace mlir::autosage

#endif // AUTOSAGE_CONVERSION_LAUNCHTORUNTIME_LAUNCHTORUNTIME_H
