//===- CodeVersion.cpp - what compiled kernels depend on ------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text is made by cmake/CodeVersion.cmake on every change of those sources:
// a number that people raise would be forgotten, and a stale cache runs code of
// another compiler.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Artifact.h"

const char *autosage::codeVersion() {
  return
#include "CodeVersion.inc"
      ;
}
