//===- Text.h - decisions for people ----------------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_CACHE_TEXT_H
#define AUTOSAGE_TOOLS_CACHE_TEXT_H

#include "autosage/Oracle/StoreAdmin.h"

#include <string>

namespace autosage::cache {

/// Control characters, which a path or a store may hold, would break the line.
std::string oneLine(std::string text);

/// Every entry on a line, below a line of headings.
std::string listText(const std::vector<oracle::StoreEntry> &entries);
/// Key, candidates with their times, baseline, guardrail and budget.
std::string explainText(const oracle::StoreEntry &entry);

} // namespace autosage::cache

#endif // AUTOSAGE_TOOLS_CACHE_TEXT_H
