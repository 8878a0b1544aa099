//===- Versions.h - which version of an op runs on a pattern ----*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What lies behind autosage_choose_version (Runtime/Device.h), for whoever has
// the patterns: the runtime, and the emulator's library for ahead-of-time
// programs.
//
// A pattern is known by the addresses and sizes of its arrays. Another one that
// comes to lie in the same place gets the same answer: as any answer it is
// right, only perhaps not the fastest.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_DISPATCH_VERSIONS_H
#define AUTOSAGE_LIB_RUNTIME_DISPATCH_VERSIONS_H

#include "autosage/Core/DeviceFacts.h"
#include "autosage/Core/Kernel.h"
#include "autosage/Runtime/Device.h"

#include <optional>
#include <vector>

namespace autosage::runtime {

/// What a decision is made from. No function throws.
class PatternLook {
public:
  virtual ~PatternLook() = default;
  /// Empty where the pattern may not or cannot be looked at now.
  virtual std::optional<InputStats> stats(const CsrView &csr) = 0;
  virtual Result<DeviceFacts> facts() = 0;
  /// What is remembered for this kernel and pattern.
  virtual std::optional<Schedule> recall(const KernelSpec &spec,
                                         const InputStats &stats) = 0;
  virtual void note(const KernelSpec &spec, const InputStats &stats,
                    const Schedule &chosen, DecidedBy by,
                    const std::string &why) = 0;
};

/// The number of the version for the pattern, from 0. Any thread may call.
int64_t chooseVersion(autosage_site &site, const CsrView &csr,
                      PatternLook &look);

/// The one of `versions` that is remembered, else the cheapest by the model of
/// costs; 0 where nothing is known of the device.
size_t decideVersion(const KernelSpec &spec,
                     const std::vector<Schedule> &versions,
                     const InputStats &stats, PatternLook &look);

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_DISPATCH_VERSIONS_H
