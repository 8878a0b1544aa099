//===- PropertyConfigs.h - what the property tests run ----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the tests of the CPU target and of GPU kernels on the emulator: one
// list of configurations, one property.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_COMPILER_PROPERTYCONFIGS_H
#define AUTOSAGE_TEST_COMPILER_PROPERTYCONFIGS_H

#include "RandomGraph.h"
#include "TestKernel.h"

#include <string>
#include <vector>

namespace autosage::test {

/// One configuration of a kernel, printable for the test's name.
struct Config {
  compiler::KernelSpec spec;
  std::vector<Widths> widths;
};

/// A name of letters, digits and underscores.
std::string nameOf(const compiler::KernelSpec &spec);

/// Widths 1, 3, 4, 31, 64 and 257.
std::vector<Widths> anyWidths(int64_t heads);

/// Every reduction, combination, score, element type, index type, form of edge
/// values and flag (each of them, not all combinations).
std::vector<Config> spmmConfigs();
std::vector<Config> sddmmConfigs();
std::vector<Config> softmaxConfigs();
std::vector<Config> attentionConfigs();

/// Expects what `runner` computes to match the reference on the graphs, with
/// every width, half of the calls with NaN and infinities planted.
void expectMatchesReference(const Config &config,
                            const TestCall::Runner &runner,
                            const std::vector<NamedGraph> &graphs);
inline void expectMatchesReference(const Config &config,
                                   const compiler::CompiledKernel &kernel,
                                   const std::vector<NamedGraph> &graphs) {
  expectMatchesReference(
      config, [&](const Operands &ops) { return kernel.run(ops); }, graphs);
}

} // namespace autosage::test

#endif // AUTOSAGE_TEST_COMPILER_PROPERTYCONFIGS_H
