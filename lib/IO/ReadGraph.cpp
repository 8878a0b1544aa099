//===- ReadGraph.cpp - choice of the reader -------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Readers.h"

#include <algorithm>
#include <cctype>

namespace autosage::io {

/// Enough for a banner behind some white space, and for every magic number.
constexpr int64_t headBytes = 4096;

static bool hasExtension(const std::string &path, std::string_view extension) {
  if (path.size() < extension.size())
    return false;
  return std::equal(extension.begin(), extension.end(),
                    path.end() - static_cast<std::ptrdiff_t>(extension.size()),
                    [](char a, char b) {
                      return a == std::tolower(static_cast<unsigned char>(b));
                    });
}

Result<Graph> readGraph(const std::string &path) {
  Result<Input> input = Input::open(path);
  if (!input)
    return Error{input.error()};
  Result<std::string> head = input->head(headBytes);
  if (!head)
    return Error{head.error()};

  if (looksLikeMatrixMarket(*head))
    return readMatrixMarket(*input, path);
  if (looksLikeZip(*head))
    return readNpz(*input, path);
  if (looksLikeRaw(*head))
    return readRaw(*input, path);

  // Other things that users pass by mistake, by their magic numbers.
  if (head->compare(0, 6, "\x93NUMPY") == 0)
    return fileError(path, "expects a graph, got a .npy array");
  if (head->compare(0, 2, "\x1F\x8B") == 0)
    return fileError(path, "expects an uncompressed file, got gzip");

  // The content says nothing; the extension says whose message fits.
  if (hasExtension(path, ".mtx"))
    return readMatrixMarket(*input, path);
  if (hasExtension(path, ".npz"))
    return readNpz(*input, path);
  if (hasExtension(path, ".bin"))
    return readRaw(*input, path);
  return fileError(path,
                   "unknown format, expects Matrix Market, .npz or raw CSR");
}

} // namespace autosage::io
