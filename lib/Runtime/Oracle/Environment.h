//===- Environment.h - where a decision holds -------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_ORACLE_ENVIRONMENT_H
#define AUTOSAGE_LIB_RUNTIME_ORACLE_ENVIRONMENT_H

#include "autosage/Oracle/DecisionKey.h"
#include "autosage/Runtime/Device.h"

namespace autosage::runtime {

/// Of the device that `info` tells of, under its own name and chip.
oracle::Environment deviceEnvironment(const autosage_device_api &api,
                                      const autosage_device_info &info,
                                      Target target);

/// Of this machine's CPU with the threads that loops use now.
oracle::Environment hostEnvironment();

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_ORACLE_ENVIRONMENT_H
