//===- Main.cpp - autosage-cache ------------------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists, shows, explains, exports, imports, prunes, verifies and clears
// remembered decisions. Exit status: 0 success, 1 something in the cache or in
// the imported lines is wrong, 2 bad usage or bad input.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Text.h"

#include <cstdio>
#include <exception>

using namespace autosage::cache;

namespace {
enum ExitStatus { success = 0, wrong = 1, badInput = 2 };
} // namespace

static int fail(const std::string &message) {
  std::fflush(stdout);
  std::fprintf(stderr, "autosage-cache: error: %s\n", oneLine(message).c_str());
  return badInput;
}

static int runTool(int argc, char **argv) {
  Parsed parsed = parseOptions(argc, argv);
  if (!parsed.status)
    return fail(parsed.status.error());
  if (!parsed.options)
    return success;
  autosage::Result<bool> good = run(*parsed.options);
  if (!good)
    return fail(good.error());
  if (std::fflush(stdout) != 0)
    return fail("cannot write to stdout");
  return *good ? success : wrong;
}

int main(int argc, char **argv) {
  try {
    return runTool(argc, argv);
  } catch (const std::exception &e) {
    return fail(e.what());
  }
}
