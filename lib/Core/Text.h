//===- Text.h - small helpers for messages ----------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Messages quote text that users wrote; they stay one line of bounded length
// whatever that text is.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CORE_TEXT_H
#define AUTOSAGE_LIB_CORE_TEXT_H

#include <string>
#include <string_view>

namespace autosage {

/// `'text'`, with control characters as `\xNN` and the tail of a long text cut.
inline std::string quoted(std::string_view text) {
  constexpr size_t limit = 48;
  constexpr char digits[] = "0123456789abcdef";
  std::string out = "'";
  for (char c : text.substr(0, limit)) {
    auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f)
      out += c;
    else
      out.append("\\x")
          .append(1, digits[byte >> 4])
          .append(1, digits[byte & 15]);
  }
  return out + (text.size() > limit ? "...'" : "'");
}

/// `a, b, c`.
template <typename Range, typename Fn>
std::string joined(const Range &range, Fn &&textOf) {
  std::string out;
  for (const auto &item : range) {
    if (!out.empty())
      out += ", ";
    out += textOf(item);
  }
  return out;
}

} // namespace autosage

#endif // AUTOSAGE_LIB_CORE_TEXT_H
