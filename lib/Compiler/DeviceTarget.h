//===- DeviceTarget.h - what runs the kernels of a module -------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_COMPILER_DEVICETARGET_H
#define AUTOSAGE_LIB_COMPILER_DEVICETARGET_H

#include "Jit.h"

#include "autosage/Runtime/Device.h"

#include <vector>

namespace autosage::compiler {

/// Host code calls the functions of Device.h, which the emulator and the
/// runtime both have: compilation binds it to one of them.
struct DeviceTarget {
  const autosage_device_api *api;
  std::vector<JitSymbol> symbols;
};

const DeviceTarget &simtTarget();
const DeviceTarget &cudaTarget();

} // namespace autosage::compiler

#endif // AUTOSAGE_LIB_COMPILER_DEVICETARGET_H
