//===- Result.h - value or error, without exceptions ------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Core and IO are called from code built with and without exceptions (LLVM's
// own is built without), so a function that can fail returns a `Result`.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CORE_RESULT_H
#define AUTOSAGE_CORE_RESULT_H

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace autosage {

/// Why an operation failed, in the form `expects ..., got ...`: lower case, no
/// full stop, one line.
struct Error {
  std::string message;
};

/// Either a value or an `Error`. A success is true.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : storage(std::move(value)) {}
  Result(Error error) : storage(std::move(error)) {}

  explicit operator bool() const { return storage.index() == 0; }

  T &operator*() { return value(); }
  const T &operator*() const { return value(); }
  T *operator->() { return &value(); }
  const T *operator->() const { return &value(); }

  T &value() {
    assert(*this && "value of a failed Result");
    return std::get<0>(storage);
  }
  const T &value() const {
    assert(*this && "value of a failed Result");
    return std::get<0>(storage);
  }
  const std::string &error() const {
    assert(!*this && "error of a successful Result");
    return std::get<1>(storage).message;
  }

private:
  std::variant<T, Error> storage;
};

/// The outcome of an operation without a value.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Error error) : failed(true), text(std::move(error.message)) {}

  static Status success() { return {}; }

  explicit operator bool() const { return !failed; }
  const std::string &error() const { return text; }

private:
  bool failed = false;
  std::string text;
};

} // namespace autosage

#endif // AUTOSAGE_CORE_RESULT_H
