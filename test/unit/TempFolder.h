//===- TempFolder.h - a folder for one test ---------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_TEMPFOLDER_H
#define AUTOSAGE_TEST_TEMPFOLDER_H

#include <cstdlib>
#include <filesystem>
#include <string>

namespace autosage::test {

/// A folder that exists as long as the object.
class TempFolder {
public:
  TempFolder() : path(make()) {}
  ~TempFolder() {
    std::error_code error;
    std::filesystem::remove_all(path, error);
  }
  TempFolder(const TempFolder &) = delete;
  TempFolder &operator=(const TempFolder &) = delete;
  const std::string path;

private:
  static std::string make() {
    // Not below TMPDIR: tests go on as another user, who may not get there.
    std::string name = "/tmp/autosage-test-XXXXXX";
    if (!mkdtemp(name.data()))
      std::abort();
    return name;
  }
};

} // namespace autosage::test

#endif // AUTOSAGE_TEST_TEMPFOLDER_H
