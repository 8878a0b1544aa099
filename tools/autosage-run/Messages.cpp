//===- Messages.cpp - what the tool says on stderr ------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Messages.h"

#include <chrono>
#include <cstdio>
#include <vector>

using namespace autosage::run;

/// Control characters, which a path may hold, would break the line.
static std::string oneLine(std::string text) {
  for (char &c : text)
    if (static_cast<unsigned char>(c) < 0x20)
      c = ' ';
  return text;
}

void autosage::run::printError(const std::string &message) {
  std::fprintf(stderr, "autosage-run: error: %s\n", oneLine(message).c_str());
}

static std::vector<std::string> &heldNotes() {
  static std::vector<std::string> notes;
  return notes;
}

void autosage::run::addNote(const std::string &message) {
  bool warning = message.rfind("warning:", 0) == 0;
  heldNotes().push_back((warning ? "" : "note: ") + oneLine(message));
}

void autosage::run::addWarning(const std::string &message) {
  addNote("warning: " + message);
}

void autosage::run::printNotes() {
  for (const std::string &note : heldNotes())
    std::fprintf(stderr, "%s\n", note.c_str());
  heldNotes().clear();
}

void autosage::run::printWarning(const std::string &message) {
  std::fprintf(stderr, "warning: %s\n", oneLine(message).c_str());
}

Progress::Progress(std::string text) : step(std::move(text)) {
  timer = std::thread([this] {
    std::unique_lock<std::mutex> lock(mutex);
    if (!changed.wait_for(lock, std::chrono::seconds(1), [&] { return done; }))
      std::fprintf(stderr, "%s ...\n", step.c_str());
  });
}

Progress::~Progress() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    done = true;
  }
  changed.notify_one();
  timer.join();
}
