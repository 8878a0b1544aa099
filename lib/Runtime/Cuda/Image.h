//===- Image.h - modules that were loaded into contexts ---------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_CUDA_IMAGE_H
#define AUTOSAGE_LIB_RUNTIME_CUDA_IMAGE_H

#include "Scope.h"

struct autosage_image;

namespace autosage::runtime::cuda {

/// A kernel in a context.
struct LoadedKernel {
  Function function = nullptr;
  /// It waits for the kernel before it by itself (autosage-dependent-launch),
  /// so that it may be launched while that one runs.
  bool waits = false;
};

/// A kernel in the scope's context, with room for
/// `dynamicSharedBytes`; loads the image where this context has not seen it.
/// Without a function, with the thread's error set, on failure.
LoadedKernel findKernel(const Scope &scope, autosage_image &image,
                        const char *kernel, int64_t dynamicSharedBytes);

} // namespace autosage::runtime::cuda

#endif // AUTOSAGE_LIB_RUNTIME_CUDA_IMAGE_H
