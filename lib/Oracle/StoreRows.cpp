//===- StoreRows.cpp - reading and writing a decision store ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hash.h"
#include "StoreFile.h"

#include "autosage/Core/CacheFolder.h"

#include <charconv>
#include <sqlite3.h>

using namespace autosage;
using namespace autosage::oracle;

/// The number of a row: half of the hash, as SQLite's signed integer.
static int64_t rowOf(std::string_view text) {
  std::string digits = hashText(text);
  uint64_t word = 0;
  std::from_chars(digits.data(), digits.data() + 16, word, 16);
  return static_cast<int64_t>(word);
}

static std::string checksumOf(const Row &row) {
  std::string text;
  for (const std::string *part :
       {&row.key, &row.schedule, &row.decidedBy, &row.value})
    text.append(*part).append(1, '\n');
  return hashText(text);
}

/// In the order that rowFrom reads.
#define COLUMNS "key, schedule, decided_by, value, checksum, created, used"

static Row rowFrom(const Query &query) {
  Row row;
  row.key = query.text(0);
  row.schedule = query.text(1);
  row.decidedBy = query.text(2);
  row.value = query.text(3);
  row.intact = query.text(4) == checksumOf(row);
  row.created = query.integer(5);
  row.used = query.integer(6);
  return row;
}

MaybeFault StoreFile::transaction(const std::function<int()> &body) {
  NoSizeSignal guard;
  int code = database.run("BEGIN IMMEDIATE");
  if (code != SQLITE_OK)
    return faultOf(code);
  code = body();
  if (code == SQLITE_OK)
    code = database.run("COMMIT");
  MaybeFault fault = faultOf(code);
  // Some errors have rolled back already.
  if (fault && sqlite3_get_autocommit(database.get()) == 0)
    database.run("ROLLBACK");
  return fault;
}

//===----------------------------------------------------------------------===//
// One decision
//===----------------------------------------------------------------------===//

static int findRow(Database &database, const std::string &key,
                   std::optional<Row> &row) {
  Query query(database, "SELECT " COLUMNS " FROM decisions WHERE id = ?");
  query.add(rowOf(key));
  // A damaged key is as good as another one: the row is to be replaced.
  if (query.next() && query.text(0) == key)
    row = rowFrom(query);
  return query.code();
}

MaybeFault StoreFile::find(const std::string &key, std::optional<Row> &row) {
  NoSizeSignal guard;
  return faultOf(findRow(database, key, row));
}

MaybeFault StoreFile::findProblem(const std::string &problem,
                                  std::vector<std::string> &keys) {
  NoSizeSignal guard;
  Query query(database, "SELECT key FROM decisions WHERE problem = ? LIMIT 8");
  query.add(rowOf(problem));
  while (query.next())
    keys.emplace_back(query.text(0));
  return faultOf(query.code());
}

static int putRow(Database &database, const Row &row,
                  const std::string &problem, int64_t now) {
  std::string checksum = checksumOf(row);
  Query query(database, "INSERT OR REPLACE INTO decisions(id, problem, " COLUMNS
                        ") VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)");
  query.add(rowOf(row.key)).add(rowOf(problem)).add(row.key);
  query.add(row.schedule).add(row.decidedBy).add(row.value).add(checksum);
  query.add(row.created).add(now).next();
  return query.code();
}

MaybeFault
StoreFile::put(const Row &row, const std::string &problem, int64_t now,
               const std::function<bool(const std::optional<Row> &)> &decide,
               bool &written) {
  written = false;
  bool replaced = false;
  MaybeFault fault = transaction([&] {
    std::optional<Row> present;
    int code = findRow(database, row.key, present);
    if (code != SQLITE_OK || !decide(present))
      return code;
    replaced = true;
    return putRow(database, row, problem, now);
  });
  written = !fault && replaced;
  return fault;
}

MaybeFault StoreFile::markUsed(const std::vector<std::string> &keys,
                               int64_t now) {
  return transaction([&] {
    for (const std::string &key : keys) {
      Query query(database, "UPDATE decisions SET used = ? WHERE id = ?");
      query.add(now).add(rowOf(key)).next();
      if (query.code() != SQLITE_OK)
        return query.code();
    }
    return SQLITE_OK;
  });
}

MaybeFault StoreFile::countClass(const std::string &key, int64_t now,
                                 int64_t &seen) {
  return transaction([&] {
    Query query(database,
                "INSERT INTO classes(id, key, seen, used) VALUES(?1, ?2, 1, ?3)"
                " ON CONFLICT(id) DO UPDATE SET key = ?2, used = ?3, "
                "seen = CASE WHEN key = ?2 THEN seen + 1 ELSE 1 END "
                "RETURNING seen");
    query.add(rowOf(key)).add(key).add(now);
    if (query.next())
      seen = query.integer(0);
    query.next(); // to the end
    return query.code();
  });
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

MaybeFault StoreFile::forEach(const std::function<void(const Row &)> &visit) {
  NoSizeSignal guard;
  Query query(database,
              "SELECT " COLUMNS ", id FROM decisions ORDER BY created, id");
  while (query.next()) {
    Row row = rowFrom(query);
    row.intact &= query.integer(7) == rowOf(row.key);
    visit(row);
  }
  return faultOf(query.code());
}

int StoreFile::usedBytes(int64_t &bytes) {
  int64_t pages = 0, unused = 0, size = 0;
  int code = database.readInteger("PRAGMA page_count", pages);
  if (code == SQLITE_OK)
    code = database.readInteger("PRAGMA freelist_count", unused);
  if (code == SQLITE_OK)
    code = database.readInteger("PRAGMA page_size", size);
  bytes = (pages - unused) * size;
  return code;
}

MaybeFault StoreFile::readBytes(int64_t &bytes) {
  NoSizeSignal guard;
  return faultOf(usedBytes(bytes));
}

MaybeFault StoreFile::size(int64_t &decisions, int64_t &classes,
                           int64_t &bytes) {
  NoSizeSignal guard;
  int code = database.readInteger("SELECT count(*) FROM decisions", decisions);
  if (code == SQLITE_OK)
    code = database.readInteger("SELECT count(*) FROM classes", classes);
  if (code == SQLITE_OK)
    code = usedBytes(bytes);
  return faultOf(code);
}

MaybeFault StoreFile::prune(int64_t oldest, int64_t mostBytes,
                            int64_t &removed) {
  removed = 0;
  auto removeWhere = [&](const char *sql, int64_t bound, int64_t *count) {
    Query query(database, sql);
    query.add(bound).next();
    if (count && query.code() == SQLITE_OK)
      *count += sqlite3_changes64(database.get());
    return query.code();
  };
  MaybeFault fault = transaction([&] {
    int code =
        removeWhere("DELETE FROM decisions WHERE used < ?", oldest, &removed);
    if (code == SQLITE_OK)
      code = removeWhere("DELETE FROM classes WHERE used < ?", oldest, nullptr);
    int64_t bytes = 0;
    while (code == SQLITE_OK && mostBytes >= 0) {
      int64_t before = removed;
      code = usedBytes(bytes);
      if (code != SQLITE_OK || bytes <= mostBytes)
        break;
      // An eighth at a time: how many bytes a row frees is known only after.
      code = removeWhere(
          "DELETE FROM decisions WHERE id IN (SELECT id FROM decisions ORDER "
          "BY used, id LIMIT max(?, (SELECT count(*) FROM decisions) / 8))",
          1, &removed);
      if (removed == before)
        break;
    }
    return code;
  });
  if (!fault && removed > 0) {
    NoSizeSignal guard;
    fault = faultOf(database.run("PRAGMA incremental_vacuum"));
  }
  return fault;
}

MaybeFault StoreFile::removeDamaged(int64_t &removed) {
  removed = 0;
  return transaction([&] {
    std::vector<int64_t> damaged;
    {
      Query query(database, "SELECT " COLUMNS ", id FROM decisions");
      while (query.next())
        if (Row row = rowFrom(query);
            !row.intact || query.integer(7) != rowOf(row.key))
          damaged.push_back(query.integer(7));
      if (query.code() != SQLITE_OK)
        return query.code();
    }
    for (int64_t id : damaged) {
      Query query(database, "DELETE FROM decisions WHERE id = ?");
      query.add(id).next();
      if (query.code() != SQLITE_OK)
        return query.code();
      ++removed;
    }
    return SQLITE_OK;
  });
}

MaybeFault StoreFile::clear() {
  MaybeFault fault = transaction([&] {
    return database.run("DELETE FROM decisions; DELETE FROM classes");
  });
  if (fault)
    return fault;
  NoSizeSignal guard;
  return faultOf(database.run("PRAGMA incremental_vacuum"));
}

MaybeFault StoreFile::checkIntegrity(std::vector<std::string> &findings) {
  NoSizeSignal guard;
  Query query(database, "PRAGMA integrity_check(20)");
  while (query.next())
    if (std::string_view line = query.text(0); line != "ok")
      findings.emplace_back(line);
  return faultOf(query.code());
}
