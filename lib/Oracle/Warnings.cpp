//===- Warnings.cpp - one warning for one cause ---------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Oracle/Warnings.h"

#include "ForkGuard.h"

#include <cstdio>
#include <mutex>
#include <set>
#include <utility>

using namespace autosage;

std::mutex &oracle::warningsMutex() {
  static auto *mutex = new std::mutex;
  return *mutex;
}

void oracle::warnOnce(const WarningFunction &function, const std::string &file,
                      const std::string &cause, const std::string &message) {
  {
    static std::set<std::pair<std::string, std::string>> given;
    std::lock_guard<std::mutex> lock(warningsMutex());
    if (!given.emplace(file, cause).second)
      return;
  }
  if (function)
    function(message);
  else
    std::fprintf(stderr, "warning: %s\n", message.c_str());
}
