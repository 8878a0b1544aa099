//===- Fuzz.h - what the fuzz targets share ---------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A target is one function, `LLVMFuzzerTestOneInput`, that takes any bytes.
// What it finds it reports by ending the process: libFuzzer, and the driver of
// the tests, then say which input it was.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_FUZZ_FUZZ_H
#define AUTOSAGE_TEST_FUZZ_FUZZ_H

#include "autosage/IO/Graph.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace autosage::fuzz {

/// The engine's bytes as text.
inline std::string_view toText(const uint8_t *data, size_t size) {
  return {reinterpret_cast<const char *>(data), size};
}

/// Ends the process where a property does not hold.
inline void expect(bool holds, std::string_view property,
                   std::string_view detail = {}) {
  if (holds)
    return;
  std::fprintf(stderr, "fuzz: expects %.*s\n%.*s\n",
               static_cast<int>(property.size()), property.data(),
               static_cast<int>(detail.size()), detail.data());
  std::abort();
}

/// The property of readers and parsers: an error is one line of a bounded
/// length that begins with the name of the input.
inline void expectMessage(const std::string &message, std::string_view name) {
  expect(message.compare(0, name.size(), name) == 0,
         "a message that begins with the name", message);
  expect(message.find('\n') == std::string::npos, "one line", message);
  expect(message.size() < 1000, "a short message", message);
}

/// The property of graph readers: an error as above, or a valid graph.
inline void expectErrorOrValid(const Result<io::Graph> &graph,
                               std::string_view name) {
  if (!graph)
    return expectMessage(graph.error(), name);
  Status valid = validate(graph->csr.view());
  expect(static_cast<bool>(valid), "a valid pattern",
         valid ? std::string() : valid.error());
  expect(!graph->values ||
             static_cast<int64_t>(graph->values->size()) == graph->csr.nnz(),
         "one value an entry");
}

/// Changes one to four places of `text` for another input that is likely to
/// get far: bytes, numbers, words and lines, also those of `other`.
std::string mutate(std::string text, std::string_view other,
                   std::mt19937 &random);

} // namespace autosage::fuzz

#endif // AUTOSAGE_TEST_FUZZ_FUZZ_H
