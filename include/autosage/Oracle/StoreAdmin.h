//===- StoreAdmin.h - looking after a decision store ------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `autosage-cache` does. Unlike a DecisionStore it says what went wrong,
// and moves nothing aside but when asked to clear.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_ORACLE_STOREADMIN_H
#define AUTOSAGE_ORACLE_STOREADMIN_H

#include "autosage/Oracle/DecisionStore.h"

namespace autosage::oracle {

struct StoreEntry {
  DecisionKey key;
  Decision decision;
  int64_t created = 0, used = 0; // seconds since 1970
};

struct StoreContents {
  std::vector<StoreEntry> entries; // oldest first
  int64_t damaged = 0;             // rows that could not be read
  std::string fault;               // damage after which no more was read
  int64_t classes = 0;             // that are counted
  int64_t bytes = 0;
};

/// All of a store. A store that does not exist is an error.
Result<StoreContents> readStore(const StoreOptions &options);

struct StoreFindings {
  int64_t decisions = 0;
  /// What is wrong, a line each; of the file as such and of single decisions.
  std::vector<std::string> lines;
};
/// SQLite's own check of the file, and every decision's check sum and form.
Result<StoreFindings> verifyStore(const StoreOptions &options);

/// Applies the options' bounds, and removes what is damaged; how many went.
Result<int64_t> pruneStore(const StoreOptions &options);

/// Removes everything. A damaged file is moved aside for a fresh one.
Status clearStore(const StoreOptions &options);

} // namespace autosage::oracle

#endif // AUTOSAGE_ORACLE_STOREADMIN_H
