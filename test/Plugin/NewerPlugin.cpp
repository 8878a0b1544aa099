//===- NewerPlugin.cpp - a plugin of the interface's next version ---------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

#include <cstdlib>

// Registering before comparing versions ends the process, and with it the test.
extern "C" mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION + 1, "Newer", "1",
          [](mlir::DialectRegistry *) { std::abort(); }};
}

extern "C" mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION + 1, "Newer", "1", [] { std::abort(); }};
}
