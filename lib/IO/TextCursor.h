//===- TextCursor.h - position in a text, and numbers from it ---*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lexical level of Matrix Market: lines of words, comments, numbers. Line
// numbers are counted only when a message needs one, which keeps them out of
// the loop over entries.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_IO_TEXTCURSOR_H
#define AUTOSAGE_LIB_IO_TEXTCURSOR_H

#include "autosage/Core/Result.h"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace autosage::io {

/// White space within a line. A carriage return is one, so that line ends of
/// either style are alike.
inline bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}
inline bool isDigit(char c) { return c >= '0' && c <= '9'; }

enum class Scan { ok, malformed, outOfRange };

class TextCursor {
public:
  TextCursor(std::string_view text, const std::string &name)
      : begin(text.data()), pos(begin), end(begin + text.size()), name(name) {}

  const char *position() const { return pos; }
  int64_t remaining() const { return end - pos; }
  bool atEnd() const { return pos == end; }
  bool atLineEnd() const { return pos == end || *pos == '\n'; }

  void advance(size_t count) { pos += count; }
  void moveTo(const char *position) { pos = position; }
  void skipBlanks() {
    while (pos != end && isBlank(*pos))
      ++pos;
  }
  void skipLine() {
    const void *newline =
        std::memchr(pos, '\n', static_cast<size_t>(end - pos));
    pos = newline ? static_cast<const char *>(newline) + 1 : end;
  }
  /// Moves to the first word of the next line that is neither blank nor a
  /// comment; expects to be at the start or the end of a line. False at the
  /// end of the text.
  bool toDataLine() {
    for (;;) {
      skipBlanks();
      if (pos == end)
        return false;
      if (*pos == '\n')
        ++pos;
      else if (*pos == '%')
        skipLine();
      else
        return true;
    }
  }
  /// The word at the position: everything up to white space.
  std::string_view peekWord() const {
    const char *stop = pos;
    while (stop != end && !isBlank(*stop) && *stop != '\n')
      ++stop;
    return {pos, static_cast<size_t>(stop - pos)};
  }

  /// A decimal integer, sign allowed, that ends where the word does. Moves only
  /// on success.
  Scan scanInteger(int64_t &value) {
    const char *first = pos;
    if (first != end && *first == '+') {
      ++first;
      if (first == end || !isDigit(*first))
        return Scan::malformed;
    }
    auto [stop, code] = std::from_chars(first, end, value);
    if (code == std::errc::result_out_of_range)
      return Scan::outOfRange;
    if (code != std::errc() || !wordEndsAt(stop))
      return Scan::malformed;
    pos = stop;
    return Scan::ok;
  }
  /// A decimal number in any usual form, also with a Fortran exponent (1D5).
  /// Too small for a double gives zero, too large is out of range.
  Scan scanReal(double &value) {
    const char *first = pos;
    if (first != end && *first == '+')
      ++first;
    if (first != pos && first != end && (*first == '-' || *first == '+'))
      return Scan::malformed;
    auto [stop, code] = std::from_chars(first, end, value);
    if (code == std::errc() && wordEndsAt(stop)) {
      pos = stop;
      return Scan::ok;
    }
    return scanUnusualReal(first, value);
  }

  /// `name: line N: message`, N the line of `at`.
  Error errorAt(const char *at, std::string_view message) const;
  Error error(std::string_view message) const { return errorAt(pos, message); }
  /// The same for the last line of the text.
  Error errorAtEnd(std::string_view message) const;

private:
  bool wordEndsAt(const char *p) const {
    return p == end || isBlank(*p) || *p == '\n';
  }
  Scan scanUnusualReal(const char *first, double &value);

  const char *begin, *pos, *end;
  const std::string &name;
};

} // namespace autosage::io

#endif // AUTOSAGE_LIB_IO_TEXTCURSOR_H
