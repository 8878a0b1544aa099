//===- Database.cpp - SQLite with owners ----------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Database.h"

#include <chrono>
#include <sqlite3.h>
#include <thread>

using namespace autosage::oracle;

//===----------------------------------------------------------------------===//
// Connections
//===----------------------------------------------------------------------===//

/// SQLite's own handler sleeps for up to 100 ms, so that of many processes some
/// starve; a write here takes less than one.
int Database::onBusy(void *self, int count) {
  auto *database = static_cast<Database *>(self);
  int64_t microseconds = count < 20 ? 200 : 2000;
  int64_t waited = count < 20 ? count / 5 : 4 + 2 * (count - 20);
  if (waited >= database->patience)
    return 0;
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
  return 1;
}

int Database::open(const std::string &name, int flags) {
  close();
  int code = sqlite3_open_v2(name.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX,
                             nullptr);
  if (code != SQLITE_OK)
    return handle ? sqlite3_extended_errcode(handle) : code;
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_handler(handle, onBusy, this);
  // The file may be anything: nothing in it is to be run or trusted.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  code = run("PRAGMA trusted_schema = OFF");
  if (code == SQLITE_OK)
    code = run("PRAGMA cell_size_check = ON");
  return code;
}

void Database::close() {
  for (auto &[sql, statement] : statements)
    sqlite3_finalize(statement);
  statements.clear();
  sqlite3_close(handle);
  handle = nullptr;
}

void Database::abandon() {
  statements.clear();
  handle = nullptr;
}

int Database::run(const char *sql) {
  return sqlite3_exec(handle, sql, nullptr, nullptr, nullptr);
}

int Database::prepare(const char *sql, sqlite3_stmt *&statement) {
  auto found = statements.find(sql);
  if (found != statements.end()) {
    statement = found->second;
    return SQLITE_OK;
  }
  int code = sqlite3_prepare_v3(handle, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                &statement, nullptr);
  if (code == SQLITE_OK)
    statements.emplace(sql, statement);
  return code;
}

int Database::readInteger(const char *sql, int64_t &value) {
  Query query(*this, sql);
  if (query.next())
    value = query.integer(0);
  return query.code();
}

int Database::readText(const char *sql, std::string &value) {
  Query query(*this, sql);
  if (query.next())
    value = query.text(0);
  return query.code();
}

bool Database::isReadOnly() const {
  return sqlite3_db_readonly(handle, "main") == 1;
}

std::string Database::message() const {
  return handle ? sqlite3_errmsg(handle) : "not open";
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

Query::Query(Database &database, const char *sql) {
  status = database.prepare(sql, statement);
}

Query::~Query() {
  if (!statement)
    return;
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
}

Query &Query::add(int64_t value) {
  if (status == SQLITE_OK)
    status = sqlite3_bind_int64(statement, ++parameters, value);
  return *this;
}

Query &Query::add(std::string_view text) {
  if (status == SQLITE_OK)
    status = sqlite3_bind_text64(statement, ++parameters, text.data(),
                                 text.size(), SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

bool Query::next() {
  if (status != SQLITE_OK)
    return false;
  int code = sqlite3_step(statement);
  if (code == SQLITE_ROW)
    return true;
  if (code != SQLITE_DONE)
    status = code;
  return false;
}

int64_t Query::integer(int column) const {
  return sqlite3_column_int64(statement, column);
}

std::string_view Query::text(int column) const {
  const auto *bytes =
      reinterpret_cast<const char *>(sqlite3_column_text(statement, column));
  int count = sqlite3_column_bytes(statement, column);
  return bytes ? std::string_view(bytes, static_cast<size_t>(count))
               : std::string_view();
}
