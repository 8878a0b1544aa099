//===- NpyHeader.cpp - the header of a NumPy array ------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The header is a Python dictionary with three known keys. It is parsed as
// such, with any spacing, and nothing else is accepted: no expression is ever
// evaluated.
//
//===----------------------------------------------------------------------===//

#include "InputFile.h"
#include "Npy.h"

#include <charconv>
#include <cstring>

namespace autosage::io {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "the readers and writers of binary files expect a little-endian "
              "machine");

namespace {

/// A parser of `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.
class HeaderParser {
public:
  HeaderParser(std::string_view text, NpyArray &array)
      : text(text), array(array) {}

  /// An empty string, or what is wrong.
  std::string parse() {
    if (!take('{'))
      return "expects '{'";
    bool seen[3] = {false, false, false};
    while (!take('}')) {
      std::string key;
      if (!takeString(key))
        return "expects a quoted key or '}'";
      int which = key == "descr"           ? 0
                  : key == "fortran_order" ? 1
                  : key == "shape"         ? 2
                                           : -1;
      if (which < 0)
        return "expects the keys descr, fortran_order and shape, got " +
               quoted(key);
      if (seen[which])
        return "key " + quoted(key) + " occurs twice";
      seen[which] = true;
      if (!take(':'))
        return "expects ':' after key " + quoted(key);
      std::string problem = which == 0   ? parseDescr()
                            : which == 1 ? parseOrder()
                                         : parseShape();
      if (!problem.empty())
        return problem;
      if (!take(',')) {
        if (!take('}'))
          return "expects ',' or '}' after the value of " + quoted(key);
        break;
      }
    }
    skipSpace();
    if (at != text.size())
      return "expects nothing after '}'";
    for (int i = 0; i < 3; ++i)
      if (!seen[i])
        return std::string("key '") +
               (i == 0   ? "descr"
                : i == 1 ? "fortran_order"
                         : "shape") +
               "' is missing";
    return {};
  }

private:
  void skipSpace() {
    while (at < text.size() && std::strchr(" \t\r\n", text[at]) && text[at])
      ++at;
  }
  bool take(char c) {
    skipSpace();
    if (at == text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }
  bool takeWord(std::string_view word) {
    skipSpace();
    if (text.substr(at, word.size()) != word)
      return false;
    at += word.size();
    return true;
  }
  bool takeString(std::string &out) {
    skipSpace();
    if (at == text.size() || (text[at] != '\'' && text[at] != '"'))
      return false;
    size_t close = text.find(text[at], at + 1);
    if (close == std::string_view::npos)
      return false;
    out = text.substr(at + 1, close - at - 1);
    at = close + 1;
    return true;
  }

  std::string parseDescr() {
    if (takeString(array.dtype))
      return {};
    skipSpace();
    if (at < text.size() && text[at] == '[')
      return "structured arrays are not supported";
    return "expects a quoted dtype";
  }
  std::string parseOrder() {
    if (takeWord("True"))
      array.fortran = true;
    else if (!takeWord("False"))
      return "expects fortran_order to be True or False";
    return {};
  }
  std::string parseShape() {
    if (!take('('))
      return "expects shape to be a tuple";
    bool comma = true; // (3) is a number, not a tuple
    while (!take(')')) {
      if (!comma)
        return "expects ',' or ')' in shape";
      skipSpace();
      int64_t extent = 0;
      auto [stop, code] =
          std::from_chars(text.data() + at, text.data() + text.size(), extent);
      if (code == std::errc::result_out_of_range)
        return "an extent of shape is out of range";
      if (code != std::errc())
        return "expects integers in shape";
      if (extent < 0)
        return "expects extents of at least 0 in shape, got " +
               std::to_string(extent);
      at = static_cast<size_t>(stop - text.data());
      takeWord("L"); // Python 2 wrote long integers so
      array.shape.push_back(extent);
      comma = take(',');
    }
    if (array.shape.size() == 1 && !comma)
      return "expects shape to be a tuple, got a number";
    return {};
  }

  std::string_view text;
  NpyArray &array;
  size_t at = 0;
};

} // namespace

/// Splits a dtype such as "<f4" into order, kind and size. An empty string, or
/// what is wrong.
static std::string parseDType(NpyArray &array) {
  std::string_view rest = array.dtype;
  if (!rest.empty() && std::strchr("<>=|", rest.front()) && rest.front()) {
    array.swapped = rest.front() == '>';
    rest.remove_prefix(1);
  }
  std::string unsupported = "dtype " + quoted(array.dtype) +
                            " is not supported, expects bool, integers, f16, "
                            "f32, f64 or bf16 (V2)";
  if (rest == "?")
    rest = "b1";
  if (rest.empty())
    return unsupported;
  array.kind = rest.front();
  if (array.kind == 'O')
    return "object arrays are not supported, they hold pickled Python objects";
  if (array.kind == 'c')
    return "complex arrays are not supported, got dtype " + quoted(array.dtype);
  rest.remove_prefix(1);
  int64_t size = 0;
  auto [stop, code] =
      std::from_chars(rest.data(), rest.data() + rest.size(), size);
  if (code != std::errc() || stop != rest.data() + rest.size() || size < 0)
    return unsupported;

  bool known = false;
  switch (array.kind) {
  case 'b':
    known = size == 1;
    break;
  case 'i':
  case 'u':
    known = size == 1 || size == 2 || size == 4 || size == 8;
    break;
  case 'f':
    known = size == 2 || size == 4 || size == 8;
    break;
  case 'V': // bf16 of ml_dtypes, of which NumPy knows the size alone
    known = size == 2;
    break;
  case 'S':
    known = true;
    break;
  case 'U':
    known = size <= INT64_MAX / 4;
    size = known ? size * 4 : 0;
    break;
  default:
    break;
  }
  array.itemSize = size;
  return known ? std::string() : unsupported;
}

/// The product of the extents, or -1 where it passes 64 bits.
static int64_t elementCount(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    if (extent == 0)
      return 0;
  for (int64_t extent : shape)
    if (__builtin_mul_overflow(count, extent, &count))
      return -1;
  return count;
}

Result<NpyArray> parseNpyArray(std::string_view bytes,
                               const std::string &name) {
  constexpr std::string_view magic = "\x93NUMPY";
  if (bytes.empty())
    return fileError(name, "empty file");
  if (bytes.substr(0, magic.size()) != magic)
    return offsetError(name, 0,
                       "not a .npy array, expects the magic \\x93NUMPY");
  if (bytes.size() < 8)
    return offsetError(name, 6, "expects a version, got the end of the file");
  int major = static_cast<unsigned char>(bytes[6]);
  int minor = static_cast<unsigned char>(bytes[7]);
  if (major < 1 || major > 3 || minor != 0)
    return offsetError(name, 6,
                       "expects .npy version 1.0, 2.0 or 3.0, got " +
                           std::to_string(major) + "." + std::to_string(minor));

  size_t lengthBytes = major == 1 ? 2 : 4;
  size_t headerAt = 8 + lengthBytes;
  uint32_t length = 0;
  if (bytes.size() >= headerAt)
    std::memcpy(&length, bytes.data() + 8, lengthBytes);
  if (bytes.size() < headerAt || bytes.size() - headerAt < length)
    return offsetError(name, 8,
                       "expects a header of " + std::to_string(length) +
                           " bytes, got the end of the file");

  NpyArray array;
  std::string problem =
      HeaderParser(bytes.substr(headerAt, length), array).parse();
  if (problem.empty())
    problem = parseDType(array);
  if (!problem.empty())
    return offsetError(name, static_cast<int64_t>(headerAt),
                       "bad .npy header: " + problem);

  array.count = elementCount(array.shape);
  int64_t expected = 0;
  if (array.count < 0 ||
      __builtin_mul_overflow(array.count, array.itemSize, &expected))
    return offsetError(name, static_cast<int64_t>(headerAt),
                       "bad .npy header: the size of shape is out of range");
  array.data = bytes.substr(headerAt + length);
  if (static_cast<int64_t>(array.data.size()) != expected)
    return offsetError(name, static_cast<int64_t>(headerAt + length),
                       "expects " + std::to_string(expected) +
                           " bytes of data, got " +
                           std::to_string(array.data.size()));
  return array;
}

} // namespace autosage::io
