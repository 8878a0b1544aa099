//===- StoreFile.h - the tables of a decision store -------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One connection to one file, with every failure as a value. What to do about
// failures is for its users: DecisionStore degrades, autosage-cache reports.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_ORACLE_STOREFILE_H
#define AUTOSAGE_LIB_ORACLE_STOREFILE_H

#include "Database.h"
#include "StorePlace.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace autosage::oracle {

/// Version of the tables. 1: the first.
inline constexpr int64_t tableSchema = 1;

enum class FaultKind : uint8_t {
  missing,  // no such file
  unusable, // not ours, or cannot be opened
  damaged,  // ours once, broken now
  locked,   // others hold it for longer than our patience
  readOnly, // no write is possible
  full,     // no space, or another error of writing
  newer,    // of a later version
};
struct Fault {
  FaultKind kind;
  std::string message;
};
using MaybeFault = std::optional<Fault>;

/// A stored decision as text.
struct Row {
  std::string key, schedule, decidedBy;
  std::string value; // all of it, as JSON
  /// The check sum is that of the texts.
  bool intact = false;
  int64_t created = 0, used = 0;
};

enum class Access : uint8_t { read, write };

/// Of which contents something was read: equal versions, equal rows.
struct StoreVersion {
  FileState file;
  /// Which of the connections that a StoreFile has had.
  uint64_t connection = 0;
  /// The head of the log's index, twice.
  std::array<uint32_t, 24> log = {};
  bool operator==(const StoreVersion &o) const {
    return file == o.file && connection == o.connection && log == o.log;
  }
};

class StoreFile {
public:
  struct Settings {
    std::string path;
    /// The folder is the project's own (StorePlace.h).
    bool strict = false;
    /// Never a write-ahead log.
    bool rollbackJournal = false;
    int64_t patienceMs = 2000;
  };
  explicit StoreFile(Settings settings)
      : settings(std::move(settings)), patienceMs(this->settings.patienceMs) {}
  ~StoreFile() { close(); }

  /// To write makes the file where it is missing.
  MaybeFault open(Access access);
  void close();
  void abandon() { database.abandon(); }
  bool isOpen() const { return database.isOpen(); }
  /// Whether the path still leads to the file that is open.
  bool isCurrent() const { return isCurrent(stateOf(settings.path)); }
  bool isCurrent(const FileState &state) const {
    return state.identity == identity;
  }
  /// What can be read now, without a lock or a call of the system. Nothing
  /// where that does not show (no write-ahead log), or while it is written.
  std::optional<StoreVersion> versionAt(const FileState &state) const;
  void setPatience(int64_t milliseconds);
  const std::string &path() const { return settings.path; }

  /// Moves the file that was found damaged out of the way.
  MaybeFault setAside();

  /// Empty where there is none under this very key.
  MaybeFault find(const std::string &key, std::optional<Row> &row);
  /// Keys of the same problem, at most eight.
  MaybeFault findProblem(const std::string &problem,
                         std::vector<std::string> &keys);

  /// Writes in one transaction, in which `decide` sees what is there and says
  /// whether it is replaced.
  MaybeFault put(const Row &row, const std::string &problem, int64_t now,
                 const std::function<bool(const std::optional<Row> &)> &decide,
                 bool &written);
  MaybeFault markUsed(const std::vector<std::string> &keys, int64_t now);
  /// Counts one more sight of a class and gives the number of them.
  MaybeFault countClass(const std::string &key, int64_t now, int64_t &seen);

  /// Oldest first. Rows that are in the wrong place count as damaged.
  MaybeFault forEach(const std::function<void(const Row &)> &visit);
  MaybeFault readBytes(int64_t &bytes);
  /// Reads all pages of an index.
  MaybeFault size(int64_t &decisions, int64_t &classes, int64_t &bytes);
  /// Removes what was not used since `oldest`, and then what was not used for
  /// longest until the rest takes at most `mostBytes` (negative: any number).
  MaybeFault prune(int64_t oldest, int64_t mostBytes, int64_t &removed);
  /// Removes rows whose check sum or place is wrong.
  MaybeFault removeDamaged(int64_t &removed);
  MaybeFault clear();
  /// SQLite's own check of the whole file; a line for each thing that is wrong.
  MaybeFault checkIntegrity(std::vector<std::string> &findings);

private:
  const Settings settings;
  int64_t patienceMs;
  Database database;
  FileIdentity identity;
  bool immutable = false;
  bool hasLog = false; // a write-ahead log, until it is closed
  uint64_t connections = 0;
  /// Who makes tables holds the folder for itself.
  bool isMaker = false, needsMaker = false;

  MaybeFault openLocked(Access access);
  MaybeFault connect(Access access);
  bool isWorthReading(const Fault &fault) const;
  MaybeFault checkSchema(Access access);
  MaybeFault makeTables();
  bool wantsRollback() const;
  MaybeFault faultOf(int code) const;
  MaybeFault transaction(const std::function<int()> &body);
  int usedBytes(int64_t &bytes);
};

} // namespace autosage::oracle

#endif // AUTOSAGE_LIB_ORACLE_STOREFILE_H
