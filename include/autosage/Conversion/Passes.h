//===- Passes.h - conversions out of the autosage dialect -------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CONVERSION_PASSES_H
#define AUTOSAGE_CONVERSION_PASSES_H

#include "autosage/Conversion/AutosageToCPU/AutosageToCPU.h"
#include "autosage/Conversion/AutosageToGPU/AutosageToGPU.h"
#include "autosage/Conversion/AutosageToRuntime/AutosageToRuntime.h"
#include "autosage/Conversion/DenseToGPU/DenseToGPU.h"
#include "autosage/Conversion/DenseToParallel/DenseToParallel.h"
#include "autosage/Conversion/ExpandCopy/ExpandCopy.h"
#include "autosage/Conversion/ExpandExp/ExpandExp.h"
#include "autosage/Conversion/ExpandHalf/ExpandHalf.h"
#include "autosage/Conversion/LaunchToRuntime/LaunchToRuntime.h"
#include "autosage/Conversion/NVVMToSimt/NVVMToSimt.h"
#include "autosage/Conversion/OutlineParallel/OutlineParallel.h"

namespace mlir::autosage {

#define GEN_PASS_REGISTRATION
#include "autosage/Conversion/Passes.h.inc"

} // namespace mlir::autosage

#endif // AUTOSAGE_CONVERSION_PASSES_H
