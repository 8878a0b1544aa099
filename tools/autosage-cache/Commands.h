//===- Commands.h - what autosage-cache does --------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_CACHE_COMMANDS_H
#define AUTOSAGE_TOOLS_CACHE_COMMANDS_H

#include "Options.h"

namespace autosage::cache {

/// True where all is well, false where something that was looked at is not
/// (status 1); an error is bad input (status 2).
Result<bool> run(const Options &options);

} // namespace autosage::cache

#endif // AUTOSAGE_TOOLS_CACHE_COMMANDS_H
