//===- StoreFile.cpp - opening a decision store ---------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StoreFile.h"

#include "autosage/Core/CacheFolder.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <sqlite3.h>
#include <unistd.h>

using namespace autosage;
using namespace autosage::oracle;

/// `PRAGMA application_id` of our files, "ASdc".
static constexpr int64_t applicationId = 0x41536463;

// No second index on the key: rows are found by 64 bits of its hash, and the
// key's text is compared.
static constexpr const char *tables =
    "CREATE TABLE decisions(id INTEGER PRIMARY KEY, problem INTEGER NOT NULL,"
    " key TEXT NOT NULL, schedule TEXT NOT NULL, decided_by TEXT NOT NULL,"
    " value TEXT NOT NULL, checksum TEXT NOT NULL,"
    " created INTEGER NOT NULL, used INTEGER NOT NULL);"
    "CREATE INDEX decisions_problem ON decisions(problem);"
    "CREATE TABLE classes(id INTEGER PRIMARY KEY, key TEXT NOT NULL,"
    " seen INTEGER NOT NULL, used INTEGER NOT NULL);";

static Fault unusable(std::string message) {
  return {FaultKind::unusable, std::move(message)};
}

MaybeFault StoreFile::faultOf(int code) const {
  std::string text = database.message();
  switch (code & 0xff) {
  case SQLITE_OK:
    return std::nullopt;
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
  case SQLITE_PROTOCOL:
    return Fault{FaultKind::locked, "is locked by another process"};
  case SQLITE_READONLY:
    return Fault{FaultKind::readOnly, "is read-only"};
  case SQLITE_FULL:
    return Fault{FaultKind::full, "cannot be written: no space left"};
  case SQLITE_IOERR:
    return Fault{FaultKind::full, "cannot be read or written: " + text};
  case SQLITE_CANTOPEN:
  case SQLITE_PERM:
  case SQLITE_AUTH:
    return unusable("cannot be opened: " + text);
  case SQLITE_NOMEM:
    return unusable("needs more memory than there is");
  default: // CORRUPT, NOTADB; ERROR for a table or column that is not there
    return Fault{FaultKind::damaged, "is damaged (" + text + ")"};
  }
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

void StoreFile::setPatience(int64_t milliseconds) {
  patienceMs = milliseconds;
  database.setPatience(milliseconds);
}

void StoreFile::close() {
  if (!database.isOpen())
    return;
  // The last one to close removes the log, by its path. Where another store
  // has come to be at that path, it would be that one's.
  FolderLock lock(folderOf(settings.path), /*exclusive=*/false, 0);
  if (!lock.isHeld() || !isCurrent()) {
    int keep = 1;
    sqlite3_file_control(database.get(), "main", SQLITE_FCNTL_PERSIST_WAL,
                         &keep);
  }
  NoSizeSignal guard;
  database.close();
}

MaybeFault StoreFile::open(Access access) {
  close();
  NoSizeSignal guard;
  isMaker = needsMaker = false;
  MaybeFault fault = openLocked(access);
  if (needsMaker) {
    close();
    isMaker = true;
    needsMaker = false;
    fault = openLocked(access);
  }
  if (fault)
    close();
  return fault;
}

MaybeFault StoreFile::openLocked(Access access) {
  const std::string &path = settings.path;
  if (std::string problem = problemOfPlace(path, settings.strict);
      !problem.empty())
    return unusable(problem);
  bool exists = identityOf(path).exists();
  if (!exists && access == Access::read)
    return Fault{FaultKind::missing, "does not exist"};
  if (!exists && !makeFolders(folderOf(path)))
    return unusable(std::string("cannot be made: ") + std::strerror(errno));

  FolderLock lock(folderOf(path), /*exclusive=*/isMaker, patienceMs);
  if (!lock.isHeld())
    return Fault{FaultKind::locked, "is locked by another process"};
  if (!identityOf(path).exists()) {
    needsMaker = !isMaker;
    if (needsMaker)
      return Fault{FaultKind::missing, "does not exist"};
    if (int error = makeFile(path))
      return unusable(std::string("cannot be made: ") + std::strerror(error));
  }
  identity = identityOf(path);
  MaybeFault fault = connect(access);
  if (!fault && !isCurrent())
    return Fault{FaultKind::missing, "was removed"};
  return fault;
}

/// SQLite compares the same words to know whether the pages that it holds are
/// still those of the file: every commit changes them. Other processes write
/// them meanwhile, the second copy first.
__attribute__((no_sanitize("thread"))) std::optional<StoreVersion>
StoreFile::versionAt(const FileState &state) const {
  if (!database.isOpen() || !hasLog || !isCurrent(state))
    return std::nullopt;
  constexpr int regionBytes = 32768; // of SQLite's, mapped since the first read
  sqlite3_file *file = nullptr;
  void volatile *region = nullptr;
  if (sqlite3_file_control(database.get(), "main", SQLITE_FCNTL_FILE_POINTER,
                           &file) != SQLITE_OK ||
      !file || !file->pMethods || file->pMethods->iVersion < 2 ||
      file->pMethods->xShmMap(file, 0, regionBytes, 0, &region) != SQLITE_OK ||
      !region)
    return std::nullopt;
  StoreVersion version{state, connections, {}};
  const auto *words = static_cast<const volatile uint32_t *>(region);
  for (size_t i = 0; i < version.log.size(); ++i)
    version.log[i] = words[i];
  std::atomic_thread_fence(std::memory_order_acquire);
  size_t half = version.log.size() / 2;
  if (!std::equal(version.log.begin(), version.log.begin() + half,
                  version.log.begin() + half))
    return std::nullopt;
  return version;
}

static std::string uriOf(const std::string &path) {
  std::string uri = "file:";
  for (char c : path) {
    if (c == '%' || c == '?' || c == '#')
      uri.append("%")
          .append(1, "0123456789abcdef"[c >> 4])
          .append(1, "0123456789abcdef"[c & 15]);
    else
      uri += c;
  }
  return uri + "?immutable=1";
}

/// Whether a file that cannot be opened to be written can be read all the same.
bool StoreFile::isWorthReading(const Fault &fault) const {
  if (fault.kind == FaultKind::full)
    return true;
  return (fault.kind == FaultKind::unusable ||
          fault.kind == FaultKind::readOnly) &&
         (::access(settings.path.c_str(), W_OK) != 0 ||
          ::access(folderOf(settings.path).c_str(), W_OK) != 0);
}

MaybeFault StoreFile::connect(Access access) {
  immutable = hasLog = false;
  ++connections;
  database.setPatience(patienceMs);
  // SQLite has names of its own: not with a slash in them.
  bool hasSlash = settings.path.find('/') != std::string::npos;
  std::string name = (hasSlash ? "" : "./") + settings.path;
  // Also to read: only who may write can make the shared memory of the log.
  int code = database.open(name, SQLITE_OPEN_READWRITE);
  MaybeFault fault = code == SQLITE_OK ? checkSchema(access) : faultOf(code);
  // While a connection has a log, no other one can take it away.
  std::string mode;
  if (!fault)
    hasLog = database.readText("PRAGMA journal_mode", mode) == SQLITE_OK &&
             mode == "wal";
  if (!fault || needsMaker || !isWorthReading(*fault))
    return fault;
  // Where nothing can be written, not even beside the file, its contents can
  // still be read as they are. What another machine's log holds is not seen.
  code = database.open(uriOf(name), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  immutable = true;
  MaybeFault second =
      code == SQLITE_OK ? checkSchema(Access::read) : faultOf(code);
  return second ? fault : std::nullopt;
}

MaybeFault StoreFile::checkSchema(Access access) {
  int64_t application = 0, version = 0, objects = 0, ours = 0;
  int code = database.readInteger("PRAGMA application_id", application);
  if (code == SQLITE_OK)
    code = database.readInteger("PRAGMA user_version", version);
  if (code == SQLITE_OK)
    code = database.readInteger("SELECT count(*) FROM sqlite_master", objects);
  if (code == SQLITE_OK)
    code = database.readInteger("SELECT count(*) FROM sqlite_master WHERE name "
                                "IN ('decisions', 'classes')",
                                ours);
  if (code != SQLITE_OK)
    return faultOf(code);
  if (objects == 0 && version == 0) {
    if (access == Access::read)
      return Fault{FaultKind::missing, "is empty"};
    needsMaker = !isMaker;
    if (needsMaker)
      return Fault{FaultKind::missing, "is empty"};
    return makeTables();
  }
  if (application != applicationId)
    return ours == 2
               ? Fault{FaultKind::damaged, "is damaged (its mark is gone)"}
               : unusable("is a database of another program");
  if (version > tableSchema)
    return Fault{FaultKind::newer, "was written by a newer version (schema " +
                                       std::to_string(version) + ", expects " +
                                       std::to_string(tableSchema) + ")"};
  if (version != tableSchema || ours != 2)
    return Fault{FaultKind::damaged, "is damaged (tables are missing)"};
  // Who may write to the file but not through SQLite has a broken header.
  if (database.isReadOnly() && !immutable && access == Access::write &&
      ::access(settings.path.c_str(), W_OK) == 0)
    return Fault{FaultKind::damaged, "is damaged (its format is unknown)"};
  code = database.run("PRAGMA synchronous = NORMAL");
  // Not where others use it at this moment: then the next one will.
  std::string mode;
  if (code == SQLITE_OK && access == Access::write && wantsRollback() &&
      database.readText("PRAGMA journal_mode", mode) == SQLITE_OK &&
      mode == "wal")
    database.run("PRAGMA journal_mode = DELETE");
  if (code == SQLITE_OK && access == Access::read)
    code = database.run("PRAGMA query_only = ON");
  return faultOf(code);
}

bool StoreFile::wantsRollback() const {
  return settings.rollbackJournal || isOnNetwork(settings.path);
}

MaybeFault StoreFile::makeTables() {
  // Both have to come before the first table, and outside of a transaction.
  int code = database.run("PRAGMA auto_vacuum = INCREMENTAL");
  std::string mode;
  if (code == SQLITE_OK)
    code = database.readText(wantsRollback() ? "PRAGMA journal_mode = DELETE"
                                             : "PRAGMA journal_mode = WAL",
                             mode);
  // Where there can be no log, SQLite answers with what it uses instead.
  if (code == SQLITE_OK)
    code = database.run("BEGIN IMMEDIATE");
  if (code != SQLITE_OK)
    return faultOf(code);
  int64_t objects = 0; // another process may have been first
  code = database.readInteger("SELECT count(*) FROM sqlite_master", objects);
  if (code == SQLITE_OK && objects == 0) {
    code = database.run(tables);
    if (code == SQLITE_OK)
      code = database.run(
          ("PRAGMA application_id = " + std::to_string(applicationId) +
           "; PRAGMA user_version = " + std::to_string(tableSchema))
              .c_str());
  }
  if (code == SQLITE_OK)
    code = database.run("COMMIT");
  if (code == SQLITE_OK)
    code = database.run("PRAGMA synchronous = NORMAL");
  MaybeFault fault = faultOf(code);
  if (fault && sqlite3_get_autocommit(database.get()) == 0)
    database.run("ROLLBACK");
  return fault;
}

MaybeFault StoreFile::setAside() {
  close();
  FolderLock lock(folderOf(settings.path), /*exclusive=*/true, patienceMs);
  if (!lock.isHeld())
    return Fault{FaultKind::locked, "is locked by another process"};
  if (int error = moveAside(settings.path, identity))
    return unusable(std::string("cannot be moved aside: ") +
                    std::strerror(error));
  return std::nullopt;
}
