//===- Main.cpp - autosage-run --------------------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prepares one sparse operation on one graph, runs it, checks it and times it.
// Exit status: 0 success, 1 a check failed, 2 bad usage or bad input.
//
//===----------------------------------------------------------------------===//

#include "Execution.h"
#include "Messages.h"
#include "Options.h"
#include "Report.h"

#include <exception>
#include <filesystem>
#include <new>

using namespace autosage::run;

namespace {
enum ExitStatus { success = 0, checkFailed = 1, badInput = 2 };
} // namespace

static int fail(const std::string &message) {
  printError(message);
  return badInput;
}

/// A result that could not be written would be noticed only after the work.
static autosage::Status checkFolders(const Options &o) {
  std::pair<const char *, const std::optional<std::string> *> files[] = {
      {"--output", &o.output},
      {"--emit-mlir", &o.emitMlir},
      {"--json", &o.json}};
  for (auto [option, path] : files) {
    if (!*path || **path == "-")
      continue;
    std::error_code error;
    std::filesystem::path file(**path), folder = file.parent_path();
    if (std::filesystem::is_directory(file, error) || !file.has_filename())
      return autosage::Error{std::string(option) + " expects a file, got '" +
                             **path + "'"};
    if (!folder.empty() && !std::filesystem::is_directory(folder, error))
      return autosage::Error{std::string(option) +
                             ": no such folder: " + folder.string()};
  }
  return autosage::Status::success();
}

static int runTool(int argc, char **argv) {
  Parsed parsed = parseOptions(argc, argv);
  if (!parsed.status)
    return fail(parsed.status.error());
  if (!parsed.options)
    return success;
  Options &options = *parsed.options;
  if (autosage::Status s = resolveTarget(options); !s)
    return fail(s.error());
  if (autosage::Status s = checkFolders(options); !s)
    return fail(s.error());

  autosage::Result<Workload> workload = prepare(options);
  if (!workload)
    return fail(workload.error());
  printNotes();
  autosage::Result<Outcome> outcome = execute(options, *workload);
  if (!outcome)
    return fail(outcome.error());
  if (autosage::Status s = report(options, *workload, *outcome); !s)
    return fail(s.error());
  return outcome->check && !outcome->check->passed ? checkFailed : success;
}

int main(int argc, char **argv) {
  try {
    return runTool(argc, argv);
  } catch (const std::bad_alloc &) {
    return fail("not enough memory for this graph and these operands");
  } catch (const std::exception &e) {
    return fail(e.what());
  }
}
