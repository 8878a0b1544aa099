//===- Subprocess.h - plan-child, with what it says -------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_RUNTIME_SUBPROCESS_H
#define AUTOSAGE_TEST_RUNTIME_SUBPROCESS_H

#include <string>
#include <vector>

namespace autosage::test {

struct Finished {
  int status = -1; // of exit; -1 for a signal
  std::string out, err;
};

/// Runs plan-child with arguments and, besides what this process has,
/// environment variables as NAME=value.
Finished runChild(const std::vector<std::string> &arguments,
                  const std::vector<std::string> &environment);

/// Paths of a folder's files whose name ends in `ending`.
std::vector<std::string> listFiles(const std::string &folder,
                                   const std::string &ending);

} // namespace autosage::test

#endif // AUTOSAGE_TEST_RUNTIME_SUBPROCESS_H
