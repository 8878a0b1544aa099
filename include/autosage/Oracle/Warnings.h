//===- Warnings.h - one warning for one cause -------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_ORACLE_WARNINGS_H
#define AUTOSAGE_ORACLE_WARNINGS_H

#include <functional>
#include <string>

namespace autosage::oracle {

/// Takes a warning of one line, without `warning:`. Empty: stderr.
using WarningFunction = std::function<void(const std::string &message)>;

/// Gives the warning unless this process has given one for the same file and
/// cause.
void warnOnce(const WarningFunction &function, const std::string &file,
              const std::string &cause, const std::string &message);

} // namespace autosage::oracle

#endif // AUTOSAGE_ORACLE_WARNINGS_H
