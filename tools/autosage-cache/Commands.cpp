//===- Commands.cpp - what autosage-cache does ----------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "Text.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

using namespace autosage;
using namespace autosage::cache;
using namespace autosage::oracle;

static void print(const std::string &text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

static void warn(const std::string &message) {
  std::fprintf(stderr, "warning: %s\n", oneLine(message).c_str());
}

static std::string counted(int64_t count, const char *what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// What could not be read, on stderr; whether that is nothing.
static bool reportDamage(const StoreContents &contents) {
  if (contents.damaged > 0)
    warn(counted(contents.damaged, "decision") +
         " could not be read; see autosage-cache verify");
  if (!contents.fault.empty())
    warn(contents.fault + "; what could be read is given");
  return contents.damaged == 0 && contents.fault.empty();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static Result<bool> list(const Options &o, const StoreContents &contents) {
  if (!contents.entries.empty())
    print(listText(contents.entries));
  print(counted(static_cast<int64_t>(contents.entries.size()), "decision") +
        ", " + std::to_string(contents.classes) + " classes counted, " +
        std::to_string((contents.bytes + 1023) / 1024) + " KiB\n");
  return true;
}

static Result<const StoreEntry *> findEntry(const Options &o,
                                            const StoreContents &contents) {
  const StoreEntry *found = nullptr;
  for (const StoreEntry &entry : contents.entries) {
    if (entry.key.id().rfind(o.key, 0) != 0)
      continue;
    if (found)
      return Error{"expects one decision whose key begins with '" + o.key +
                   "', got several"};
    found = &entry;
  }
  if (!found || o.key.empty())
    return Error{"expects a decision whose key begins with '" + o.key +
                 "', got none"};
  return found;
}

static Result<bool> exportAll(const Options &o, const StoreContents &contents) {
  std::FILE *file = o.file == "-" ? stdout : std::fopen(o.file.c_str(), "wb");
  if (!file)
    return Error{"cannot write '" + o.file + "': " + std::strerror(errno)};
  bool good = true;
  for (const StoreEntry &entry : contents.entries) {
    std::string line = toJson(entry.key, entry.decision) + "\n";
    good &= std::fwrite(line.data(), 1, line.size(), file) == line.size();
  }
  good &= (file == stdout ? std::fflush(file) : std::fclose(file)) == 0;
  if (!good)
    return Error{"cannot write '" + o.file + "': " + std::strerror(errno)};
  return true;
}

/// What needs the contents, whose damage is status 1.
static Result<bool> runReader(const Options &o) {
  Result<StoreContents> contents = readStore(o.store);
  if (!contents)
    return Error{contents.error()};
  bool good = reportDamage(*contents);
  Result<bool> done = true;
  if (o.command == Command::list) {
    done = list(o, *contents);
  } else if (o.command == Command::exportAll) {
    done = exportAll(o, *contents);
  } else {
    Result<const StoreEntry *> entry = findEntry(o, *contents);
    if (!entry)
      return Error{entry.error()};
    print(o.command == Command::show
              ? toJson((*entry)->key, (*entry)->decision, 2) + "\n"
              : explainText(**entry));
  }
  if (!done)
    return Error{done.error()};
  return good;
}

static Result<bool> verifyAll(const Options &o) {
  Result<StoreFindings> findings = verifyStore(o.store);
  if (!findings)
    return Error{findings.error()};
  for (const std::string &line : findings->lines)
    print(oneLine(line) + "\n");
  print(counted(findings->decisions, "decision") + ", " +
        counted(static_cast<int64_t>(findings->lines.size()), "problem") +
        "\n");
  return findings->lines.empty();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static Result<bool> importFrom(const Options &o, std::istream &input) {
  DecisionStore store(o.store);
  int64_t stored = 0, kept = 0, refused = 0, number = 0;
  for (std::string line; std::getline(input, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos)
      continue;
    std::string why;
    Result<KeyedDecision> read = parseKeyedDecision(line);
    if (!read) {
      why = read.error();
    } else {
      Stored result =
          store.store(read->key, read->decision,
                      o.replace ? Existing::replace : Existing::keep);
      if (result.place == Stored::Place::memory)
        return Error{"decision cache '" + o.store.path + "' " + result.why};
      stored += result.place == Stored::Place::file;
      kept += result.place == Stored::Place::existing;
      why = result.why;
    }
    if (!why.empty()) {
      ++refused;
      warn("line " + std::to_string(number) + ": " + why);
    }
  }
  if (input.bad())
    return Error{"cannot read '" + o.file + "'"};
  print(std::to_string(stored) + " imported, " + std::to_string(kept) +
        " decided already, " + std::to_string(refused) + " refused\n");
  return refused == 0;
}

static Result<bool> importAll(const Options &o) {
  if (o.file == "-")
    return importFrom(o, std::cin);
  std::ifstream file(o.file, std::ios::binary);
  if (!file)
    return Error{"cannot read '" + o.file + "': " + std::strerror(errno)};
  return importFrom(o, file);
}

/// A file that nobody named and that is not there yet is as good as empty.
static bool isNotThereYet(const Options &o) {
  std::error_code error;
  return o.isDefault && o.command != Command::import &&
         o.command != Command::show && o.command != Command::explain &&
         !std::filesystem::exists(o.store.path, error);
}

Result<bool> cache::run(const Options &o) {
  if (isNotThereYet(o)) {
    std::fprintf(stderr, "note: no decisions yet: '%s' does not exist\n",
                 oneLine(o.store.path).c_str());
    return true;
  }
  switch (o.command) {
  case Command::list:
  case Command::show:
  case Command::explain:
  case Command::exportAll:
    return runReader(o);
  case Command::verify:
    return verifyAll(o);
  case Command::import:
    return importAll(o);
  case Command::prune: {
    Result<int64_t> removed = pruneStore(o.store);
    if (!removed)
      return Error{removed.error()};
    print(counted(*removed, "decision") + " removed\n");
    return true;
  }
  case Command::clear:
    if (Status status = clearStore(o.store); !status)
      return Error{status.error()};
    return true;
  }
  return true;
}
