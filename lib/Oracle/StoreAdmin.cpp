//===- StoreAdmin.cpp - looking after a decision store --------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Oracle/StoreAdmin.h"

#include "StoreFile.h"

#include <ctime>

using namespace autosage;
using namespace autosage::oracle;

static StoreFile::Settings settingsOf(const StoreOptions &options) {
  return {options.path, options.ownFolder, options.rollbackJournal,
          options.patienceMs};
}

static Error errorOf(const StoreOptions &options, const Fault &fault) {
  return Error{"decision cache '" + options.path + "' " + fault.message};
}

/// What is stored in a row, or what is wrong with it.
static Result<StoreEntry> entryOf(const Row &row) {
  if (!row.intact)
    return Error{"has a wrong check sum"};
  Result<DecisionKey> key = DecisionKey::parse(row.key);
  if (!key)
    return Error{"has a key that " + key.error()};
  Result<Decision> decision = parseDecision(row.value);
  if (!decision)
    return Error{decision.error()};
  if (Status storable = checkStorable(*decision); !storable)
    return Error{storable.error()};
  return StoreEntry{std::move(*key), std::move(*decision), row.created,
                    row.used};
}

Result<StoreContents> oracle::readStore(const StoreOptions &options) {
  StoreFile file(settingsOf(options));
  StoreContents contents;
  MaybeFault fault = file.open(Access::read);
  int64_t decisions = 0;
  if (!fault)
    fault = file.size(decisions, contents.classes, contents.bytes);
  if (!fault)
    fault = file.forEach([&](const Row &row) {
      if (Result<StoreEntry> entry = entryOf(row))
        contents.entries.push_back(std::move(*entry));
      else
        ++contents.damaged;
    });
  if (fault && fault->kind == FaultKind::damaged && file.isOpen())
    contents.fault = errorOf(options, *fault).message;
  else if (fault)
    return errorOf(options, *fault);
  return contents;
}

Result<StoreFindings> oracle::verifyStore(const StoreOptions &options) {
  StoreFile file(settingsOf(options));
  StoreFindings findings;
  MaybeFault fault = file.open(Access::read);
  if (!fault)
    fault = file.checkIntegrity(findings.lines);
  if (!fault)
    fault = file.forEach([&](const Row &row) {
      ++findings.decisions;
      if (Result<StoreEntry> entry = entryOf(row); !entry)
        findings.lines.push_back("decision " +
                                 std::to_string(findings.decisions) + " " +
                                 entry.error());
    });
  // Damage is what was looked for.
  if (fault && fault->kind == FaultKind::damaged)
    findings.lines.push_back(fault->message);
  else if (fault)
    return errorOf(options, *fault);
  return findings;
}

Result<int64_t> oracle::pruneStore(const StoreOptions &options) {
  // To open it to be written would make it.
  StoreFile file(settingsOf(options));
  int64_t damaged = 0, removed = 0;
  MaybeFault fault = file.open(Access::read);
  if (!fault)
    fault = file.open(Access::write);
  if (!fault)
    fault = file.removeDamaged(damaged);
  int64_t oldest =
      static_cast<int64_t>(std::time(nullptr)) - options.mostDays * 86400;
  if (!fault)
    fault = file.prune(oldest, options.mostBytes, removed);
  if (fault)
    return errorOf(options, *fault);
  return damaged + removed;
}

Status oracle::clearStore(const StoreOptions &options) {
  StoreFile file(settingsOf(options));
  MaybeFault fault = file.open(Access::read);
  if (!fault)
    fault = file.open(Access::write);
  if (!fault)
    fault = file.clear();
  if (fault && fault->kind == FaultKind::damaged) {
    fault = file.setAside();
    if (!fault)
      fault = file.open(Access::write);
  }
  if (fault)
    return errorOf(options, *fault);
  return Status::success();
}
