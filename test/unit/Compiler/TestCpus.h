//===- TestCpus.h - CPUs that tests compile for -----------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The levels of x86-64 by what kernels make of them: SSE2 alone, AVX2 with FMA
// and F16C, AVX-512, and whatever this machine has. Elsewhere the last alone.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_COMPILER_TESTCPUS_H
#define AUTOSAGE_TEST_COMPILER_TESTCPUS_H

#include <string>

namespace autosage::test {

#if defined(__x86_64__)
inline constexpr const char *testCpus[] = {"x86-64", "x86-64-v3", "x86-64-v4",
                                           ""};
#else
inline constexpr const char *testCpus[] = {""};
#endif

/// For the names of tests.
inline std::string cpuName(std::string cpu) {
  for (char &c : cpu)
    if (c == '-')
      c = '_';
  return cpu.empty() ? "native" : cpu;
}

/// Whether compiling failed because this machine is a lesser one.
inline bool isForeignCpu(const std::string &error) {
  return error.find("expects a CPU whose code runs on this machine") == 0;
}

} // namespace autosage::test

#endif // AUTOSAGE_TEST_COMPILER_TESTCPUS_H
