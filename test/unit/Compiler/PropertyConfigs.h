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

/// Gradients of attention: every score, element type and form of edge values,
/// with their gradients.
std::vector<Config> gradientConfigs();

/// Attention of static widths and heads, where kernels for a GPU hold q and
/// share out heads.
std::vector<Config> staticAttentionConfigs();

/// Each configuration with one GPU schedule, in turn from the `first`; every
/// schedule meets every element type and form, as their numbers have no common
/// factor with its own.
std::vector<Config> withGpuSchedules(std::vector<Config> configs,
                                     size_t first = 0);

/// Configurations with a schedule: attention fused, or composed.
std::vector<Config> withAttention(std::vector<Config> configs,
                                  const std::string &form);

/// The graphs of the CPU's property, and rows longer than every chunk and tile.
std::vector<NamedGraph> gpuPropertyGraphs();

/// Expects what `runner` computes to match the reference on the graphs, with
/// every width, half of the calls with NaN and infinities planted. With
/// `device`, operands are in its memory.
void expectMatchesReference(const Config &config,
                            const TestCall::Runner &runner,
                            const std::vector<NamedGraph> &graphs,
                            const autosage_device_api *device = nullptr);
inline void
expectMatchesReference(const Config &config,
                       const compiler::CompiledKernel &kernel,
                       const std::vector<NamedGraph> &graphs,
                       const autosage_device_api *device = nullptr) {
  expectMatchesReference(
      config, [&](const Operands &ops) { return kernel.run(ops); }, graphs,
      device);
}

} // namespace autosage::test

#endif // AUTOSAGE_TEST_COMPILER_PROPERTYCONFIGS_H
