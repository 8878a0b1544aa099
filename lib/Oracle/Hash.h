//===- Hash.h - names and check sums ----------------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_ORACLE_HASH_H
#define AUTOSAGE_LIB_ORACLE_HASH_H

#include <string>
#include <string_view>

namespace autosage::oracle {

/// 32 hexadecimal digits, XXH3-128.
std::string hashText(std::string_view text);

} // namespace autosage::oracle

#endif // AUTOSAGE_LIB_ORACLE_HASH_H
