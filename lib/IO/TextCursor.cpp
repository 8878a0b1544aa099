//===- TextCursor.cpp - position in a text, and numbers from it -----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextCursor.h"

#include "InputFile.h"

#include <algorithm>

namespace autosage::io {

/// The decimal exponent of the first digit that is not zero in a number that
/// from_chars found out of range.
static int64_t decimalExponent(std::string_view number) {
  int64_t beforePoint = 0, zerosAfterPoint = 0, exponent = 0;
  bool point = false, significant = false;
  size_t i = 0;
  for (; i < number.size(); ++i) {
    char c = number[i];
    if (c == 'e' || c == 'E')
      break;
    if (c == '.')
      point = true;
    else if (isDigit(c)) {
      significant |= c != '0';
      if (significant && !point)
        ++beforePoint;
      if (!significant && point)
        ++zerosAfterPoint;
    }
  }
  if (i < number.size()) {
    ++i;
    bool negative = i < number.size() && number[i] == '-';
    for (; i < number.size(); ++i)
      if (isDigit(number[i]) && exponent < (int64_t(1) << 40))
        exponent = exponent * 10 + (number[i] - '0');
    exponent = negative ? -exponent : exponent;
  }
  return exponent + (beforePoint > 0 ? beforePoint - 1 : -zerosAfterPoint - 1);
}

Scan TextCursor::scanUnusualReal(const char *first, double &value) {
  std::string_view word = peekWord();
  const char *wordEnd = word.data() + word.size();
  std::string number(first, wordEnd);
  for (char &c : number)
    if (c == 'd' || c == 'D')
      c = 'e';
  const char *stop = number.data() + number.size();
  auto [last, code] = std::from_chars(number.data(), stop, value);
  if (last != stop || code == std::errc::invalid_argument)
    return Scan::malformed;
  if (code == std::errc::result_out_of_range) {
    if (decimalExponent(number) > 0)
      return Scan::outOfRange;
    value = number.front() == '-' ? -0.0 : 0.0;
  }
  pos = wordEnd;
  return Scan::ok;
}

Error TextCursor::errorAt(const char *at, std::string_view message) const {
  std::string text =
      "line " + std::to_string(1 + std::count(begin, at, '\n')) + ": ";
  text += message;
  return fileError(name, text);
}

Error TextCursor::errorAtEnd(std::string_view message) const {
  const char *last = end;
  if (last != begin && last[-1] == '\n')
    --last;
  return errorAt(last, message);
}

} // namespace autosage::io
