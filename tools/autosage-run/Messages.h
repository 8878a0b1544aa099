//===- Messages.h - what the tool says on stderr ----------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of it goes to stderr, so that stdout holds the report alone.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_RUN_MESSAGES_H
#define AUTOSAGE_TOOLS_RUN_MESSAGES_H

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace autosage::run {

/// `autosage-run: error: ...`, on one line whatever the text holds.
void printError(const std::string &message);
/// `note: ...`; a text that begins with `warning:` is printed as it is. Held
/// back until the input has turned out good: bad input gets one line.
void addNote(const std::string &message);
void addWarning(const std::string &message);
void printNotes();
/// At once, from any thread: what comes up while a plan is made or runs.
void printWarning(const std::string &message);

/// Announces a step that takes longer than a second; short ones stay silent.
class Progress {
public:
  explicit Progress(std::string step);
  ~Progress();

private:
  std::string step;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::thread timer;
};

} // namespace autosage::run

#endif // AUTOSAGE_TOOLS_RUN_MESSAGES_H
