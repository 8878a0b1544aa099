//===- Database.h - SQLite with owners --------------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_ORACLE_DATABASE_H
#define AUTOSAGE_LIB_ORACLE_DATABASE_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace autosage::oracle {

/// A connection. One thread at a time. Functions return SQLite's (extended)
/// codes.
class Database {
public:
  Database() = default;
  ~Database() { close(); }
  Database(const Database &) = delete;
  Database &operator=(const Database &) = delete;

  int open(const std::string &name, int flags);
  void close();
  /// Gives up the connection without touching it, files included.
  void abandon();
  bool isOpen() const { return handle != nullptr; }

  /// How long to wait for other processes' locks.
  void setPatience(int64_t milliseconds) { patience = milliseconds; }

  int run(const char *sql);
  /// Runs a statement whose first column of the first row is an integer.
  int readInteger(const char *sql, int64_t &value);
  int readText(const char *sql, std::string &value);

  bool isReadOnly() const;
  std::string message() const;
  sqlite3 *get() const { return handle; }

private:
  friend class Query;
  sqlite3 *handle = nullptr;
  int64_t patience = 0;
  /// Compiled once, for as long as the connection.
  std::map<std::string_view, sqlite3_stmt *> statements;

  static int onBusy(void *self, int count);
  int prepare(const char *sql, sqlite3_stmt *&statement);
};

/// One use of a statement of the connection: parameters, then rows. `sql` is a
/// literal: it names the compiled statement.
class Query {
public:
  Query(Database &database, const char *sql);
  ~Query();
  Query(const Query &) = delete;
  Query &operator=(const Query &) = delete;

  Query &add(int64_t value);
  /// Borrowed until the end.
  Query &add(std::string_view text);
  /// True for a row, false at the end or for an error.
  bool next();
  /// SQLITE_OK while nothing has failed.
  int code() const { return status; }

  int64_t integer(int column) const;
  std::string_view text(int column) const; // until the next row

private:
  sqlite3_stmt *statement = nullptr;
  int status = 0, parameters = 0;
};

} // namespace autosage::oracle

#endif // AUTOSAGE_LIB_ORACLE_DATABASE_H
