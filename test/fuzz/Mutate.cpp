//===- Mutate.cpp - mutations that keep text recognisable -----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flipped bytes seldom get past a header or a lexer. These edits work on what
// the formats are made of, numbers, words and lines, and now and then on bytes.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include <algorithm>
#include <cctype>

namespace autosage::fuzz {

namespace {

/// A span of the text.
struct Span {
  size_t begin = 0, length = 0;
};

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' ||
         c == '%' || c == '!' || c == '#' || c == '?';
}
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNotNewline(char c) { return c != '\n'; }

/// The run of characters of a kind at or behind a random place.
template <typename Kind>
Span findRun(std::string_view text, Kind &&kind, std::mt19937 &random) {
  if (text.empty())
    return {};
  size_t begin = random() % text.size();
  while (begin < text.size() && !kind(text[begin]))
    ++begin;
  size_t end = begin;
  while (begin > 0 && kind(text[begin - 1]))
    --begin;
  while (end < text.size() && kind(text[end]))
    ++end;
  return {begin, end - begin};
}

std::string someNumber(std::mt19937 &random) {
  static const char *const numbers[] = {"0",          "1",
                                        "2",          "3",
                                        "4",          "7",
                                        "8",          "64",
                                        "100",        "-1",
                                        "65536",      "2147483647",
                                        "2147483648", "4294967295",
                                        "4294967296", "9223372036854775807",
                                        "1e400",      "9223372036854775808",
                                        "nan",        "18446744073709551615"};
  return numbers[random() % std::size(numbers)];
}

void mutateBytes(std::string &text, std::mt19937 &random) {
  constexpr std::string_view likely = "0123456789 -+.eE\n%\0\xFF(),'<>[]:?x";
  if (text.empty())
    text += likely[random() % likely.size()];
  size_t at = random() % text.size();
  switch (random() % 5) {
  case 0:
    text[at] = static_cast<char>(random());
    break;
  case 1:
    text[at] = likely[random() % likely.size()];
    break;
  case 2:
    text[at] = static_cast<char>(text[at] ^ (1 << random() % 8));
    break;
  case 3:
    text.erase(at, 1 + random() % 4);
    break;
  default:
    text.insert(at, text.substr(random() % text.size(), random() % 8));
    break;
  }
}

} // namespace

std::string mutate(std::string text, std::string_view other,
                   std::mt19937 &random) {
  unsigned edits = 1 + random() % 4;
  for (unsigned i = 0; i < edits; ++i) {
    Span span;
    switch (random() % 8) {
    case 0: // another number
      span = findRun(text, isDigit, random);
      text.replace(span.begin, span.length, someNumber(random));
      break;
    case 1: // a word of another place
    case 2: {
      std::string_view source = random() % 2 ? std::string_view(text) : other;
      Span from = findRun(source, isWord, random);
      std::string word(source.substr(from.begin, from.length));
      span = findRun(text, isWord, random);
      text.replace(span.begin, span.length, word);
      break;
    }
    case 3: // a word less
      span = findRun(text, isWord, random);
      text.erase(span.begin, span.length);
      break;
    case 4: // a line less
      span = findRun(text, isNotNewline, random);
      text.erase(span.begin, span.length + 1);
      break;
    case 5: { // a line of another place
      std::string_view source = random() % 2 ? std::string_view(text) : other;
      Span from = findRun(source, isNotNewline, random);
      std::string line(source.substr(from.begin, from.length));
      span = findRun(text, isNotNewline, random);
      text.insert(span.begin, line + "\n");
      break;
    }
    default:
      mutateBytes(text, random);
      break;
    }
  }
  return text;
}

} // namespace autosage::fuzz
