//===- Artifact.h - a compiled kernel as bytes ------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the compile service hands to the runtime, and what the kernel cache
// stores: the relocatable object of a kernel's host code, GPU images included,
// and what is to be said of it. As text lines, each `key=value`, up to an empty
// line, and then the object.
//
// Formats: 1, the first.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CORE_ARTIFACT_H
#define AUTOSAGE_CORE_ARTIFACT_H

#include "autosage/Core/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace autosage {

inline constexpr int64_t artifactFormat = 1;

/// The function of the object that takes the addresses of the arguments'
/// addresses: `void (void **)`.
inline constexpr const char *artifactEntry = "autosage_packed_main";

/// A schedule that was chosen or obeyed, an op each in order.
struct ArtifactChoice {
  std::string schedule, decidedBy, reason;
};

struct Artifact {
  /// Of the compiler's sources (codeVersion); another one's code may differ.
  std::string code;
  int64_t arguments = 0;
  std::vector<ArtifactChoice> choices;
  std::string object;
};

std::string serialize(const Artifact &artifact);
Result<Artifact> parseArtifact(std::string_view bytes);

/// Identifies the sources that code generation depends on, and the LLVM that
/// they were built with: equal text means equal kernels.
const char *codeVersion();

} // namespace autosage

#endif // AUTOSAGE_CORE_ARTIFACT_H
