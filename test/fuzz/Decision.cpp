//===- Decision.cpp - fuzz target of decisions as JSON --------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "autosage/Oracle/Decision.h"

using namespace autosage;
using namespace autosage::fuzz;
using namespace autosage::oracle;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Result<KeyedDecision> read = parseKeyedDecision(toText(data, size));
  if (!read) {
    expectMessage(read.error(), "");
    return 0;
  }
  std::string text = toJson(read->key, read->decision);
  expect(text.find('\n') == std::string::npos, "one line", text);
  Result<KeyedDecision> again = parseKeyedDecision(text);
  expect(static_cast<bool>(again), "printed text to parse", text);
  expect(toJson(again->key, again->decision) == text,
         "the text that was parsed", text);
  Result<DecisionKey> key = DecisionKey::parse(read->key.str());
  expect(key && *key == read->key, "the key that was printed", text);
  if (Status storable = checkStorable(read->decision); !storable)
    expectMessage(storable.error(), "");
  return 0;
}
