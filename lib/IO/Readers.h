//===- Readers.h - readers by format, over an open input --------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `readGraph` opens a file once, looks at its first bytes, and hands the open
// file on.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_IO_READERS_H
#define AUTOSAGE_LIB_IO_READERS_H

#include "InputFile.h"

#include "autosage/IO/Graph.h"

namespace autosage::io {

bool looksLikeMatrixMarket(std::string_view head);
bool looksLikeZip(std::string_view head);
bool looksLikeRaw(std::string_view head);

Result<Graph> readMatrixMarket(Input &input, const std::string &name);
Result<Graph> readNpz(Input &input, const std::string &name);
Result<Graph> readRaw(Input &input, const std::string &name);

} // namespace autosage::io

#endif // AUTOSAGE_LIB_IO_READERS_H
