//===- Warn.h - one warning for one cause -----------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_KERNEL_WARN_H
#define AUTOSAGE_LIB_RUNTIME_KERNEL_WARN_H

#include <mutex>
#include <set>
#include <string>

namespace autosage::runtime {

/// Where warnings go, each cause once for as long as this object lives.
class Warnings {
public:
  using Function = void (*)(void *userData, const char *message);
  /// A null function: stderr.
  Warnings(Function function, void *userData)
      : function(function), userData(userData) {}

  void once(const std::string &cause, const std::string &message);

private:
  const Function function;
  void *const userData;
  std::mutex mutex;
  std::set<std::string> given;
};

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_KERNEL_WARN_H
