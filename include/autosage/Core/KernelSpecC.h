//===- KernelSpecC.h - specs from and to C ----------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CORE_KERNELSPECC_H
#define AUTOSAGE_CORE_KERNELSPECC_H

#include "autosage/Core/Kernel.h"
#include "autosage/Core/KernelC.h"

namespace autosage {

/// Fills `spec`, but for what its readers take from the struct themselves (the
/// version, the CPU). Fails where a word has no meaning; the result is not
/// verified.
Status readSpec(const autosage_kernel_spec &c, KernelSpec &spec);

/// The other way; `schedule` is borrowed, empty for none.
autosage_kernel_spec writeSpec(const KernelSpec &spec,
                               const std::string &schedule);

/// Every default, in a struct of `size` bytes: no more than that is written.
void initSpec(autosage_kernel_spec *spec, size_t size, uint32_t version);

} // namespace autosage

#endif // AUTOSAGE_CORE_KERNELSPECC_H
