//===- MatrixMarketReader.cpp - Matrix Market files to graphs -------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After NIST, "The Matrix Market Exchange Formats: Initial Design" (Boisvert,
// Pozo, Remington 1996). One pass over the text: banner, comments, size line,
// then one entry a line. What the format leaves open is settled in
// docs/formats.md.
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "InputFile.h"
#include "Readers.h"
#include "TextCursor.h"

#include <algorithm>
#include <cctype>

namespace autosage::io {

constexpr std::string_view bannerWord = "%%matrixmarket";

static std::string lower(std::string_view word) {
  std::string out(word);
  for (char &c : out)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// What may stand before the banner: a byte-order mark and white space.
static size_t bannerOffset(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  size_t at = text.substr(0, mark.size()) == mark ? mark.size() : 0;
  while (at < text.size() && (isBlank(text[at]) || text[at] == '\n'))
    ++at;
  return at;
}

bool looksLikeMatrixMarket(std::string_view head) {
  size_t at = bannerOffset(head);
  return lower(head.substr(at, bannerWord.size())) == bannerWord;
}

namespace {

enum class Field { real, integer, pattern };

/// Reads one text. Members are what the banner and the size line said.
class MatrixMarketParser {
public:
  MatrixMarketParser(std::string_view text, const std::string &name)
      : cursor(text, name), text(text), name(name) {}

  Result<Graph> parse() {
    if (Status s = parseBanner(); !s)
      return Error{s.error()};
    if (Status s = parseSizes(); !s)
      return Error{s.error()};
    if (indexTypeFor(std::max(rows, cols)) == IndexType::i32)
      return parseBody<int32_t>();
    return parseBody<int64_t>();
  }

private:
  Status parseBanner();
  Status parseFormat(const std::string &word);
  Status parseField(const std::string &word);
  Status parseSymmetry(const std::string &word);
  Status parseSizes();
  Status checkArrayCount();

  template <typename I> Result<Graph> parseBody();
  template <typename I> Status parseEntries(Entries<I> &entries);
  template <typename I> Status parseArray(Entries<I> &entries);

  /// The next index of a line, from one to `most`. Where that fails the cursor
  /// stays before the word, for `indexError` to say what is wrong with it.
  bool takeIndex(int64_t most, int64_t &index);
  Error indexError(const char *what, int64_t most);
  Status parseValue(double &value);
  Status expectLineEnd(std::string_view after);
  Status expectTextEnd();
  Error truncated(int64_t got) const;
  const char *unit() const { return isArray ? " values" : " entries"; }

  TextCursor cursor;
  std::string_view text;
  const std::string &name;
  bool isArray = false;
  Field field = Field::real;
  Symmetry symmetry = Symmetry::general;
  int64_t rows = 0, cols = 0;
  int64_t count = 0; // of entries or array values in the file
};

} // namespace

//===----------------------------------------------------------------------===//
// Banner and size line
//===----------------------------------------------------------------------===//

Status MatrixMarketParser::parseBanner() {
  cursor.advance(bannerOffset(text));
  if (lower(cursor.peekWord()) != bannerWord)
    return cursor.error(
        "not a MatrixMarket file, expects it to start with '%%MatrixMarket'");

  constexpr std::string_view form =
      "'%%MatrixMarket matrix FORMAT FIELD SYMMETRY'";
  std::string words[4];
  cursor.advance(bannerWord.size());
  for (int i = 0; i < 4; ++i) {
    cursor.skipBlanks();
    words[i] = lower(cursor.peekWord());
    if (words[i].empty())
      return cursor.error("expects the banner " + std::string(form) + ", got " +
                          std::to_string(i) + " of the 4 words");
    cursor.advance(words[i].size());
  }
  if (words[0] != "matrix")
    return cursor.error("expects object 'matrix', got " + quoted(words[0]));
  if (Status s = parseFormat(words[1]); !s)
    return s;
  if (Status s = parseField(words[2]); !s)
    return s;
  if (Status s = parseSymmetry(words[3]); !s)
    return s;
  return expectLineEnd("the banner");
}

Status MatrixMarketParser::parseFormat(const std::string &word) {
  isArray = word == "array";
  if (isArray || word == "coordinate")
    return Status::success();
  return cursor.error("expects format 'coordinate' or 'array', got " +
                      quoted(word));
}

Status MatrixMarketParser::parseField(const std::string &word) {
  if (word == "complex")
    return cursor.error(
        "field 'complex' is not supported, expects real, integer or pattern");
  if (word == "real" || word == "double")
    field = Field::real;
  else if (word == "integer")
    field = Field::integer;
  else if (word == "pattern")
    field = Field::pattern;
  else
    return cursor.error("expects field 'real', 'integer' or 'pattern', got " +
                        quoted(word));
  if (isArray && field == Field::pattern)
    return cursor.error("field 'pattern' is not possible in an array file, "
                        "expects real or integer");
  return Status::success();
}

Status MatrixMarketParser::parseSymmetry(const std::string &word) {
  if (word == "hermitian")
    return cursor.error("symmetry 'hermitian' is not supported, expects "
                        "general, symmetric or skew-symmetric");
  if (word == "general")
    symmetry = Symmetry::general;
  else if (word == "symmetric")
    symmetry = Symmetry::symmetric;
  else if (word == "skew-symmetric")
    symmetry = Symmetry::skew;
  else
    return cursor.error(
        "expects symmetry 'general', 'symmetric' or 'skew-symmetric', got " +
        quoted(word));
  if (symmetry == Symmetry::skew && field == Field::pattern)
    return cursor.error("symmetry 'skew-symmetric' is not possible with field "
                        "'pattern', which has no signs");
  return Status::success();
}

Status MatrixMarketParser::parseSizes() {
  constexpr std::string_view names[] = {"row", "column", "entry"};
  int64_t *sizes[] = {&rows, &cols, &count};
  int expected = isArray ? 2 : 3;
  std::string form =
      isArray ? "2 sizes (rows, columns)" : "3 sizes (rows, columns, entries)";

  if (!cursor.toDataLine())
    return cursor.errorAtEnd("missing size line, expects " + form);
  for (int i = 0; i < expected; ++i) {
    cursor.skipBlanks();
    if (cursor.atLineEnd())
      return cursor.error("expects " + form + ", got " + std::to_string(i));
    std::string word(cursor.peekWord());
    std::string what = std::string(names[i]) + " count ";
    switch (cursor.scanInteger(*sizes[i])) {
    case Scan::malformed:
      return cursor.error("expects an integer as " + what +
                          "in the size line, "
                          "got " +
                          quoted(word));
    case Scan::outOfRange:
      return cursor.error(what + word.substr(0, 32) + " is out of range");
    case Scan::ok:
      break;
    }
    if (*sizes[i] < 0 || *sizes[i] == INT64_MAX)
      return cursor.error(what + std::to_string(*sizes[i]) +
                          " is out of range");
  }
  if (Status s = expectLineEnd("the sizes"); !s)
    return s;
  if (symmetry != Symmetry::general && rows != cols)
    return cursor.error("expects a square matrix for this symmetry, got " +
                        std::to_string(rows) + " x " + std::to_string(cols));
  if (isArray)
    if (Status s = checkArrayCount(); !s)
      return s;
  return checkRowCount(name, rows, static_cast<int64_t>(text.size()));
}

Status MatrixMarketParser::checkArrayCount() {
  // Rows and columns are below 2^63, so that 128 bits hold every product.
  __extension__ using Wide = unsigned __int128;
  Wide r = static_cast<Wide>(rows), c = static_cast<Wide>(cols);
  Wide product = r * c;
  if (symmetry == Symmetry::symmetric)
    product = r * (r + 1) / 2;
  else if (symmetry == Symmetry::skew)
    product = r == 0 ? 0 : r * (r - 1) / 2;
  if (product >= static_cast<Wide>(INT64_MAX))
    return cursor.error("an array of " + std::to_string(rows) + " x " +
                        std::to_string(cols) + " values is out of range");
  count = static_cast<int64_t>(product);
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

Error MatrixMarketParser::truncated(int64_t got) const {
  return cursor.errorAtEnd("expects " + std::to_string(count) + unit() +
                           ", got " + std::to_string(got) +
                           " (truncated file)");
}

Status MatrixMarketParser::expectLineEnd(std::string_view after) {
  cursor.skipBlanks();
  if (cursor.atLineEnd())
    return Status::success();
  std::string message = "expects the end of the line after ";
  message += after;
  return cursor.error(message + ", got " + quoted(cursor.peekWord()));
}

Status MatrixMarketParser::expectTextEnd() {
  if (!cursor.toDataLine())
    return Status::success();
  return cursor.error("expects " + std::to_string(count) + unit() +
                      ", got more");
}

bool MatrixMarketParser::takeIndex(int64_t most, int64_t &index) {
  cursor.skipBlanks();
  const char *start = cursor.position();
  if (cursor.scanInteger(index) == Scan::ok) {
    if (index >= 1 && index <= most)
      return true;
    cursor.moveTo(start);
  }
  return false;
}

Error MatrixMarketParser::indexError(const char *what, int64_t most) {
  std::string text(what);
  if (cursor.atLineEnd())
    return cursor.error("expects a " + text +
                        " index, got the end of the line");
  std::string word(cursor.peekWord());
  int64_t index = 0;
  if (cursor.scanInteger(index) == Scan::malformed)
    return cursor.error("expects a " + text + " index, got " + quoted(word));
  return cursor.error(text + " index " + word.substr(0, 32) +
                      " is outside [1, " + std::to_string(most) +
                      "]; indices are 1-based");
}

Status MatrixMarketParser::parseValue(double &value) {
  cursor.skipBlanks();
  bool integral = field == Field::integer;
  const char *kind = integral ? "an integer" : "a number";
  if (cursor.atLineEnd())
    return cursor.error("expects " + std::string(kind) +
                        " as value, got the end of the line");
  std::string_view word = cursor.peekWord();
  int64_t whole = 0;
  switch (integral ? cursor.scanInteger(whole) : cursor.scanReal(value)) {
  case Scan::malformed:
    return cursor.error("expects " + std::string(kind) + " as value, got " +
                        quoted(word));
  case Scan::outOfRange:
    return cursor.error("value " + quoted(word) + " is out of range, expects " +
                        (integral ? "a 64-bit integer" : "a double"));
  case Scan::ok:
    break;
  }
  if (integral)
    value = static_cast<double>(whole);
  return Status::success();
}

template <typename I>
Status MatrixMarketParser::parseEntries(Entries<I> &entries) {
  // Reserve for what the rest of the text can hold at most, however many
  // entries the header promises.
  bool hasValues = field != Field::pattern;
  int64_t shortest = hasValues ? 6 : 4; // "1 1 1\n"
  int64_t most = std::min(count, cursor.remaining() / shortest + 1);
  entries.coordinates.reserve(static_cast<size_t>(most));
  if (hasValues)
    entries.values.reserve(static_cast<size_t>(most));

  for (int64_t got = 0; got < count; ++got) {
    if (!cursor.toDataLine())
      return truncated(got);
    int64_t row = 0, col = 0;
    double value = 0;
    if (!takeIndex(rows, row))
      return indexError("row", rows);
    if (!takeIndex(cols, col))
      return indexError("column", cols);
    if (symmetry == Symmetry::skew && row == col)
      return cursor.error("entry (" + std::to_string(row) + ", " +
                          std::to_string(col) +
                          ") is on the diagonal, which is zero in a "
                          "skew-symmetric matrix");
    entries.coordinates.push_back(
        {static_cast<I>(row - 1), static_cast<I>(col - 1)});
    if (hasValues) {
      cursor.skipBlanks();
      // The common case inline; the rest, and every message, in parseValue.
      if (field != Field::real || cursor.scanReal(value) != Scan::ok)
        if (Status s = parseValue(value); !s)
          return s;
      entries.values.push_back(value);
    }
    cursor.skipBlanks();
    if (!cursor.atLineEnd())
      return expectLineEnd("an entry");
  }
  return expectTextEnd();
}

template <typename I>
Status MatrixMarketParser::parseArray(Entries<I> &entries) {
  // Column by column; with a symmetry the lower triangle, for skew without the
  // diagonal. Driven by the values, so that no size alone makes it run long.
  int64_t skip = symmetry == Symmetry::skew ? 1 : 0;
  int64_t row = skip, col = 0;
  for (int64_t got = 0; got < count; ++got) {
    if (!cursor.toDataLine())
      return truncated(got);
    double value = 0;
    if (Status s = parseValue(value); !s)
      return s;
    if (Status s = expectLineEnd("a value"); !s)
      return s;
    if (value != 0) { // true for NaN too
      entries.coordinates.push_back({static_cast<I>(row), static_cast<I>(col)});
      entries.values.push_back(value);
    }
    if (++row == rows) {
      ++col;
      row = symmetry == Symmetry::general ? 0 : col + skip;
    }
  }
  return expectTextEnd();
}

template <typename I> Result<Graph> MatrixMarketParser::parseBody() {
  Entries<I> entries;
  Status parsed = isArray ? parseArray(entries) : parseEntries(entries);
  if (!parsed)
    return Error{parsed.error()};
  return finishGraph(
      name, buildRows(rows, cols, entries, field != Field::pattern, symmetry));
}

Result<Graph> parseMatrixMarket(std::string_view text,
                                const std::string &name) {
  if (text.empty())
    return fileError(name, "empty file");
  return guarded(name, [&]() -> Result<Graph> {
    return MatrixMarketParser(text, name).parse();
  });
}

Result<Graph> readMatrixMarket(const std::string &path) {
  Result<Input> input = Input::open(path);
  if (!input)
    return Error{input.error()};
  return readMatrixMarket(*input, path);
}

Result<Graph> readMatrixMarket(Input &input, const std::string &name) {
  Result<std::string_view> text = input.all();
  if (!text)
    return Error{text.error()};
  return parseMatrixMarket(*text, name);
}

} // namespace autosage::io
