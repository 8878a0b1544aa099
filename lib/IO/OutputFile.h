//===- OutputFile.h - a file being written ----------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writers collect bytes here. Every error of the system surfaces, also the one
// that only `close` reports; a file that could not be completed is removed, so
// that half a file is never taken for a whole one.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_IO_OUTPUTFILE_H
#define AUTOSAGE_LIB_IO_OUTPUTFILE_H

#include "autosage/Core/Result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace autosage::io {

class OutputFile {
public:
  explicit OutputFile(const std::string &path);
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;
  ~OutputFile();

  /// After a failure further calls do nothing; `finish` reports the first one.
  void append(std::string_view bytes);
  template <typename T> void appendValue(T value) {
    append({reinterpret_cast<const char *>(&value), sizeof(T)});
  }
  /// Flushes and closes.
  Status finish();

private:
  void flush();
  void writeAll(const char *data, size_t size);

  std::string path;
  std::string buffer;
  int descriptor = -1;
  int failure = 0; // errno of the first failure
  bool removable = false;
};

} // namespace autosage::io

#endif // AUTOSAGE_LIB_IO_OUTPUTFILE_H
