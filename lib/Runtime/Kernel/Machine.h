//===- Machine.h - what host code may depend on -----------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_KERNEL_MACHINE_H
#define AUTOSAGE_LIB_RUNTIME_KERNEL_MACHINE_H

#include <cstdint>
#include <string>

namespace autosage::runtime {

/// Model and features of this machine's CPU, as it and the operating system
/// give them: kernels are compiled for them, and a home folder may be shared by
/// different machines.
const std::string &machineText();

/// The CPU's name as it gives it, for people and for keys; `unknown` where it
/// gives none.
const std::string &machineName();

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_KERNEL_MACHINE_H
