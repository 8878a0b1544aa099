//===- AutosageOps.td - ops of the autosage dialect --------*- tablegen -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Base classes and the list of op files: pattern ops make and describe
// patterns, compute ops aggregate over them.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_OPS_TD
#define AUTOSAGE_OPS_TD

include "autosage/Dialect/Autosage/IR/AutosagePatternOps.td"
include "autosage/Dialect/Autosage/IR/AutosageComputeOps.td"
include "autosage/Dialect/Autosage/IR/AutosageBackwardOps.td"

#endif // AUTOSAGE_OPS_TD
