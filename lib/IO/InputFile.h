//===- InputFile.h - bytes to read, from a file or memory -------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Readers see a file through `Input`, so that a pipe, a regular file and a
// buffer all take one path. Plain reads, not a mapping: a file that shrinks
// while it is read is then an error, where a mapping would raise SIGBUS.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_IO_INPUTFILE_H
#define AUTOSAGE_LIB_IO_INPUTFILE_H

#include "autosage/Core/Result.h"

#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

namespace autosage::io {

/// `name: message`.
Error fileError(std::string_view name, std::string_view message);
/// `name: offset N: message`.
Error offsetError(std::string_view name, int64_t offset,
                  std::string_view message);
/// `'text'` with at most 32 characters, anything unprintable as `?`: what a
/// message may repeat of a file that can hold anything.
std::string quoted(std::string_view text);

/// Runs `fn` and turns a failed allocation into an error where the build has
/// exceptions.
template <typename Fn>
auto guarded([[maybe_unused]] std::string_view name, Fn &&fn)
    -> decltype(fn()) {
#if defined(__cpp_exceptions)
  try {
    return fn();
  } catch (const std::bad_alloc &) {
    return fileError(name, "not enough memory to hold its contents");
  } catch (const std::length_error &) {
    return fileError(name, "not enough memory to hold its contents");
  }
#else
  return fn();
#endif
}

/// An open regular file, or bytes in memory. Other kinds of file (pipes) are
/// read to their end when opened.
class Input {
public:
  /// Fails with `no such file`, `is a directory`, `empty file` and the like.
  static Result<Input> open(const std::string &path);
  /// Borrows `bytes`.
  explicit Input(std::string_view bytes) : bytes(bytes) {}
  Input(Input &&other) noexcept { *this = std::move(other); }
  Input &operator=(Input &&other) noexcept;
  ~Input();

  /// Whether the contents are still in a file rather than in memory.
  bool isFile() const { return descriptor >= 0; }
  int64_t size() const {
    return isFile() ? fileSize : static_cast<int64_t>(bytes.size());
  }
  /// The first bytes, at most `count`.
  Result<std::string> head(int64_t count) const;
  /// Reads exactly `count` bytes; fails where the file ends before.
  Status read(int64_t offset, void *target, int64_t count) const;
  /// The contents where they are in memory already, else nothing.
  std::string_view view() const { return bytes; }
  /// The whole contents, valid as long as this object is.
  Result<std::string_view> all();

private:
  Status readToEnd();

  std::string name;
  int descriptor = -1;
  int64_t fileSize = 0;
  std::unique_ptr<char, void (*)(void *)> owned{nullptr, nullptr};
  std::string_view bytes;
};

} // namespace autosage::io

#endif // AUTOSAGE_LIB_IO_INPUTFILE_H
