//===- EmulatedKernels.h - the runtime's kernels on the emulator -*- C++ -*-==//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_UNIT_RUNTIME_EMULATEDKERNELS_H
#define AUTOSAGE_TEST_UNIT_RUNTIME_EMULATEDKERNELS_H

#include "Runtime/Kernels/PatternKernels.h"

#include "autosage/Emulation/Simt.h"

/// Of the kernels' own sources, compiled for the host.
extern const autosage_simt_kernel autosage_simt_sort_kernels[];
extern const autosage_simt_kernel autosage_simt_tasks_kernels[];
extern const autosage_simt_kernel autosage_simt_locality_kernels[];
extern const autosage_simt_kernel autosage_simt_transpose_kernels[];
extern const autosage_simt_kernel autosage_simt_validate_kernels[];
extern const autosage_simt_kernel autosage_simt_stats_kernels[];
extern const autosage_simt_kernel autosage_simt_scatter32x32_kernels[];
extern const autosage_simt_kernel autosage_simt_scatter32x64_kernels[];
extern const autosage_simt_kernel autosage_simt_scatter64x32_kernels[];
extern const autosage_simt_kernel autosage_simt_scatter64x64_kernels[];

namespace autosage::test {

inline runtime::KernelImages &emulatedImages() {
  auto image = [](const char *name, const autosage_simt_kernel *kernels) {
    return autosage_image{sizeof(autosage_image),
                          AUTOSAGE_DEVICE_VERSION,
                          AUTOSAGE_IMAGE_SIMT,
                          0,
                          name,
                          kernels,
                          0,
                          nullptr};
  };
  static runtime::KernelImages images = {
      image("runtime_sort", autosage_simt_sort_kernels),
      image("runtime_tasks", autosage_simt_tasks_kernels),
      image("runtime_locality", autosage_simt_locality_kernels),
      image("runtime_transpose", autosage_simt_transpose_kernels),
      image("runtime_validate", autosage_simt_validate_kernels),
      image("runtime_stats", autosage_simt_stats_kernels),
      {image("runtime_scatter32x32", autosage_simt_scatter32x32_kernels),
       image("runtime_scatter32x64", autosage_simt_scatter32x64_kernels),
       image("runtime_scatter64x32", autosage_simt_scatter64x32_kernels),
       image("runtime_scatter64x64", autosage_simt_scatter64x64_kernels)}};
  return images;
}

} // namespace autosage::test

#endif // AUTOSAGE_TEST_UNIT_RUNTIME_EMULATEDKERNELS_H
