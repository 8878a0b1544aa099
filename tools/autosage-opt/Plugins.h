//===- Plugins.h - plugins named on the command line ------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's driver drops the reason where a plugin does not load, goes on without
// it, and may exit with 0. The tool therefore asks each plugin itself first.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_OPT_PLUGINS_H
#define AUTOSAGE_TOOLS_OPT_PLUGINS_H

#include <string>
#include <vector>

namespace autosage::opt {

struct PluginOption {
  bool isDialect; // else of passes
  std::string path;
};

/// The values of --load-dialect-plugin and --load-pass-plugin, in any of the
/// forms that LLVM's command line takes.
std::vector<PluginOption> findPlugins(int argc, char **argv);

/// Opens each plugin and compares versions; registers nothing. Returns false
/// after an error message on stderr.
bool checkPlugins(const std::vector<PluginOption> &plugins);

} // namespace autosage::opt

#endif // AUTOSAGE_TOOLS_OPT_PLUGINS_H
