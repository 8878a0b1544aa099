//===- Parse.cpp - the text form of schedules -----------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// schedule ::= family (`,` knob `=` value)*
//     value    ::= `-`? digits | word
//
// with blanks between any two tokens. A knob may be written once.
//
//===----------------------------------------------------------------------===//

#include "../Text.h"
#include "autosage/Core/Schedule.h"

#include <charconv>

namespace autosage {
namespace {

class Parser {
public:
  explicit Parser(std::string_view text) : rest(text) { skipBlanks(); }

  Result<Schedule> parse() {
    Schedule schedule;
    schedule.family = takeWord();
    if (schedule.family.empty())
      return fails("a schedule family");
    while (!rest.empty()) {
      if (!take(','))
        return fails("',' between knobs");
      std::string name(takeWord());
      if (name.empty())
        return fails("a knob after ','");
      if (!take('='))
        return fails("'=' after knob " + quoted(name));
      Result<KnobValue> value = parseValue(name);
      if (!value)
        return Error{value.error()};
      if (!schedule.knobs.emplace(name, std::move(*value)).second)
        return Error{"expects each knob once, got " + quoted(name) + " twice"};
    }
    return schedule;
  }

private:
  static bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
  }
  static bool isDigit(char c) { return c >= '0' && c <= '9'; }
  static bool isWordStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }
  static bool isWordPart(char c) { return isWordStart(c) || isDigit(c); }

  void skipBlanks() {
    while (!rest.empty() && isBlank(rest.front()))
      rest.remove_prefix(1);
  }

  /// Removes `length` characters and the blanks behind them.
  std::string_view advance(size_t length) {
    std::string_view token = rest.substr(0, length);
    rest.remove_prefix(length);
    skipBlanks();
    return token;
  }

  bool take(char c) {
    if (rest.empty() || rest.front() != c)
      return false;
    advance(1);
    return true;
  }

  /// Empty when there is none.
  std::string_view takeWord() {
    size_t length = 0;
    if (!rest.empty() && isWordStart(rest.front()))
      while (length < rest.size() && isWordPart(rest[length]))
        ++length;
    return advance(length);
  }

  Result<KnobValue> parseValue(const std::string &name) {
    // Up to the next separator, so that a message shows all of a wrong value.
    size_t length = 0;
    while (length < rest.size() && !isBlank(rest[length]) &&
           rest[length] != ',' && rest[length] != '=')
      ++length;
    if (length == 0)
      return Error{fails("a value for knob " + quoted(name))};
    std::string_view token = advance(length);

    bool isWord = isWordStart(token.front());
    for (char c : token)
      isWord = isWord && isWordPart(c);
    if (isWord)
      return KnobValue(std::string(token));

    int64_t number = 0;
    auto [end, code] =
        std::from_chars(token.data(), token.data() + token.size(), number);
    if (end == token.data() + token.size()) {
      if (code == std::errc())
        return KnobValue(number);
      if (code == std::errc::result_out_of_range)
        return Error{"expects the value of " + quoted(name) +
                     " to fit 64 bits, got " + quoted(token)};
    }
    return Error{"expects the value of " + quoted(name) +
                 " to be an integer or a word, got " + quoted(token)};
  }

  Error fails(const std::string &expected) const {
    return {"expects " + expected + ", got " +
            (rest.empty() ? std::string("the end of the text") : quoted(rest))};
  }

  std::string_view rest;
};

} // namespace

Result<Schedule> parseSchedule(std::string_view text) {
  Result<Schedule> schedule = Parser(text).parse();
  if (schedule)
    if (Status status = verifySchedule(*schedule); !status)
      return Error{status.error()};
  return schedule;
}

} // namespace autosage
