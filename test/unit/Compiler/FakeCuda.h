//===- FakeCuda.h - a CUDA driver that keeps accounts -----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_COMPILER_FAKECUDA_H
#define AUTOSAGE_TEST_COMPILER_FAKECUDA_H

#include <map>

struct FakeCudaState {
  void *current = nullptr;          // context
  std::map<void *, void *> modules; // loaded now, and into which context
  int loads = 0, launches = 0, synchronized = 0;
  int mistakes = 0; // calls that a driver would refuse
  int failure = 2;  // what allocations and events end with
};

/// Contexts are told apart by their addresses alone.
inline void *fakeContext(int number) {
  static char contexts[4];
  return &contexts[number];
}

extern "C" FakeCudaState *fakeCudaState();

#endif // AUTOSAGE_TEST_COMPILER_FAKECUDA_H
