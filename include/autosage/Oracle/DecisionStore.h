//===- DecisionStore.h - decisions that outlive the process -----*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One SQLite file that any number of processes share. Keeping decisions is a
// matter of best effort: whatever goes wrong is a miss, or a decision that
// lives as long as this object, with one warning a process, file and cause. Any
// thread may call; no connection is carried into a fork.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_ORACLE_DECISIONSTORE_H
#define AUTOSAGE_ORACLE_DECISIONSTORE_H

#include "autosage/Oracle/Decision.h"
#include "autosage/Oracle/Warnings.h"

#include <memory>

namespace autosage::oracle {

class DecisionLog;

struct StoreOptions {
  /// Empty: decisions live as long as the object.
  std::string path;
  /// The folder is the project's own: it has to be this user's alone.
  bool ownFolder = false;
  /// Never writes: for replay.
  bool readOnly = false;
  /// What was not used for longest goes first. Checked on writing.
  int64_t mostBytes = int64_t{64} << 20;
  int64_t mostDays = 365;
  /// How long other processes' locks are waited for.
  int64_t patienceMs = 2000;
  /// A rollback journal also where a write-ahead log would work.
  bool rollbackJournal = false;
  WarningFunction warn;
  /// Borrowed; null: none.
  DecisionLog *log = nullptr;
};

/// `decisions.sqlite` in the cache folder, or the file AUTOSAGE_DECISION_CACHE
/// (empty: none). Without either a warning says that nothing will be kept.
StoreOptions defaultStoreOptions(WarningFunction warn = {});
/// The file that was asked for, with the default bounds.
StoreOptions storeOptionsFor(std::string path, WarningFunction warn = {});

/// What becomes of a decision under the same key.
enum class Existing : uint8_t {
  keep,   // who was first decided, for all; a probe replaces an estimate
  replace // the old one cannot be used
};

/// How much of a decision is read: to run, the choice is enough, and several
/// times as fast.
enum class Detail : uint8_t {
  choice, // schedule, decidedBy, time
  full    // with every number
};

struct Stored {
  enum class Place : uint8_t {
    file,
    memory, // could not be written: kept by this object
    existing,
    refused // not kept at all
  } place = Place::refused;
  /// What holds now: also where another process was first.
  Decision decision;
  std::string why; // of memory and refused
};

/// How often a class of graphs is seen before it is worth probing.
inline constexpr int64_t classSightings = 3;

class DecisionStore {
public:
  explicit DecisionStore(StoreOptions options);
  ~DecisionStore();
  DecisionStore(const DecisionStore &) = delete;
  DecisionStore &operator=(const DecisionStore &) = delete;

  /// What was decided under exactly this key, by `least` or with more
  /// authority: a probe does not take an estimate for an answer.
  std::optional<Decision> find(const DecisionKey &key,
                               DecidedBy least = DecidedBy::estimate,
                               Detail detail = Detail::full);

  /// Refuses what must not be kept (checkStorable). A decision without a time
  /// gets the present one.
  Stored store(const DecisionKey &key, const Decision &decision,
               Existing existing = Existing::keep);

  /// Counts a sight of a class that is not decided yet, over all processes, and
  /// gives the number of sights with this one.
  int64_t noteClass(const DecisionKey &key);

  /// How stored keys of the same problem differ from this one, a line each: why
  /// it is a miss.
  std::vector<std::string> explainMiss(const DecisionKey &key);

  const StoreOptions &getOptions() const { return options; }

private:
  class Impl;
  const StoreOptions options;
  const std::unique_ptr<Impl> impl;
};

} // namespace autosage::oracle

#endif // AUTOSAGE_ORACLE_DECISIONSTORE_H
