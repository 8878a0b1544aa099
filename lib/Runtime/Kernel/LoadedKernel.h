//===- LoadedKernel.h - kernels of this process -----------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of the kernels that were loaded, in front of the cache on disk and
// the compiler. A kernel is made by the first thread that asks for it, while
// others that do wait. Kernels stay for as long as the process: the driver
// keeps modules by their address.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_KERNEL_LOADEDKERNEL_H
#define AUTOSAGE_LIB_RUNTIME_KERNEL_LOADEDKERNEL_H

#include "Background.h"
#include "KernelCache.h"
#include "ObjectImage.h"

#include "autosage/Core/Artifact.h"
#include "autosage/Core/Kernel.h"

#include <future>
#include <memory>

struct autosage_symbol;

namespace autosage::runtime {

struct LoadedKernel {
  std::unique_ptr<ObjectImage> image;
  void (*entry)(void **) = nullptr;
  size_t arguments = 0;
  std::vector<ArtifactChoice> choices;
  /// "compiled" or "cache": where its first plan had it from.
  const char *origin = "";
};

/// What a kernel is made from.
struct KernelRequest {
  KernelSpec spec;
  Target target = Target::cpu;
  std::string cpu, features; // empty: this machine's
  std::string chip;          // nvptx
  const autosage_symbol *symbols = nullptr;
  std::string compiler; // path, may be empty
};

/// Two requests with equal keys get the same kernel, in any process.
std::string keyOf(const KernelRequest &request);

using MadeKernel = Result<std::shared_ptr<const LoadedKernel>>;

/// What this call spent in the compiler is added to `compileMs`.
MadeKernel getKernel(const KernelRequest &request, KernelCache &cache,
                     Warnings &warnings, double *compileMs = nullptr);

/// Starts making those that are not at hand, next to each other; the answers
/// come in the order of the requests. Whoever does not want to wait for one
/// leaves it: it is made all the same, and found by the next who asks. `cache`
/// and `warnings` have to live as long as `background`.
std::vector<std::shared_future<MadeKernel>>
startKernels(const std::vector<KernelRequest> &requests, KernelCache &cache,
             Warnings &warnings, Background &background);

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_KERNEL_LOADEDKERNEL_H
