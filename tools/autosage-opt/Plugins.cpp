//===- Plugins.cpp - plugins named on the command line --------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plugins.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/WithColor.h"

using namespace autosage::opt;

std::vector<PluginOption> autosage::opt::findPlugins(int argc, char **argv) {
  std::vector<PluginOption> found;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    if (argument == "--")
      break;
    if (!argument.consume_front("--") && !argument.consume_front("-"))
      continue;
    auto [name, value] = argument.split('=');
    bool isDialect = name == "load-dialect-plugin";
    if (!isDialect && name != "load-pass-plugin")
      continue;
    if (argument.contains('='))
      found.push_back({isDialect, value.str()});
    else if (i + 1 < argc)
      found.push_back({isDialect, argv[++i]});
  }
  return found;
}

static llvm::Error check(const PluginOption &plugin) {
  if (plugin.isDialect)
    return mlir::DialectPlugin::load(plugin.path).takeError();
  return mlir::PassPlugin::load(plugin.path).takeError();
}

bool autosage::opt::checkPlugins(const std::vector<PluginOption> &plugins) {
  for (const PluginOption &plugin : plugins) {
    if (llvm::Error error = check(plugin)) {
      llvm::WithColor::error(llvm::errs(), "autosage-opt")
          << llvm::toString(std::move(error)) << "\n";
      return false;
    }
  }
  return true;
}
