//===- ZipArchive.h - members of a zip archive ------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thin owner of a libzip archive. Members are read in chunks until they end,
// so that memory follows the data and not the size that a member promises.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_IO_ZIPARCHIVE_H
#define AUTOSAGE_LIB_IO_ZIPARCHIVE_H

#include "InputFile.h"

#include <optional>

struct zip;

namespace autosage::io {

class ZipArchive {
public:
  /// `input` outlives the archive.
  static Result<ZipArchive> open(const Input &input, const std::string &name);

  bool has(const std::string &member) const;
  /// The decompressed contents.
  Result<std::string> read(const std::string &member) const;
  /// The names of the first members, for messages.
  std::string listing() const;
  /// `name: member 'm'`, for messages about its contents.
  std::string label(const std::string &member) const {
    return name + ": member " + quoted(member);
  }

private:
  struct Discard {
    void operator()(zip *archive) const;
  };

  std::string name;
  int64_t archiveBytes = 0;
  std::unique_ptr<zip, Discard> archive;
};

} // namespace autosage::io

#endif // AUTOSAGE_LIB_IO_ZIPARCHIVE_H
