# ===- lit.cfg.py - the GoogleTest binaries --------------------*- Python -*-===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Every executable below build/test/unit whose name ends in "Tests" is one; lit
# reports their tests one by one. Names here are those of the build folder.
#
# ===----------------------------------------------------------------------===#

import glob
import os

import lit.formats

config.name = "AutoSAGE-Unit"
config.test_format = lit.formats.GoogleTest(".", "Tests")
config.suffixes = []
config.excludes = ["CMakeFiles"]
config.test_source_root = config.autosage_unit_dir
config.test_exec_root = config.autosage_unit_dir

# Seconds, for all tests of one shard of a binary.
config.maxIndividualTestTime = 1800 if config.autosage_sanitizer else 600

if config.autosage_sanitizer:
    for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"):
        config.environment[name] = os.environ.get(name, "")
if config.autosage_sanitizer == "thread":
    # What compiles many kernels to look at their numbers. Kernels are not
    # instrumented: the other tests run as many loops in threads.
    numeric = (
        *("*/Property.*", "PropertyOfZero.*", "Unroll.*", "Exp.*", "Semantics.*"),
        *("*/CpuLevels.*", "*/HalfConversion.*", "Cliffs.*"),
        *("LiteralCases.*", "Emitter*"),
    )
    config.environment["GTEST_FILTER"] = "-" + ":".join(numeric)

# A binary that was not built has no tests that could fail, so its absence must.
binaries = glob.glob(os.path.join(config.autosage_unit_dir, "**", "*Tests"), recursive=True)
found = {os.path.basename(path) for path in binaries}
missing = [name for name in config.autosage_unittests if name not in found]
if missing:
    lit_config.fatal(f"expects unit test binaries {', '.join(missing)}, got none; build them first")

shared_dir = os.environ.get("AUTOSAGE_SHARED_DIR") or config.autosage_shared_dir
if shared_dir and os.path.isdir(os.path.join(shared_dir, "data")):
    config.environment["AUTOSAGE_SHARED_DIR"] = shared_dir
