//===- Options.h - the command line of autosage-cache -----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_CACHE_OPTIONS_H
#define AUTOSAGE_TOOLS_CACHE_OPTIONS_H

#include "autosage/Oracle/DecisionStore.h"

#include <optional>
#include <string>

namespace autosage::cache {

enum class Command : uint8_t {
  list,
  show,
  explain,
  exportAll,
  import,
  prune,
  verify,
  clear
};

struct Options {
  Command command = Command::list;
  oracle::StoreOptions store;
  bool isDefault = false; // the file is not of the command line
  std::string key;        // show, explain: how its name begins
  std::string file{"-"};  // export, import
  bool replace = false;   // import
};

struct Parsed {
  /// Empty after --help, --version and errors.
  std::optional<Options> options;
  Status status;
};
Parsed parseOptions(int argc, char **argv);

} // namespace autosage::cache

#endif // AUTOSAGE_TOOLS_CACHE_OPTIONS_H
