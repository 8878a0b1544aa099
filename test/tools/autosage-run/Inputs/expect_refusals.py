# ===- expect_refusals.py - runs a tool into its error messages ------------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Usage: expect_refusals.py TOOL GRAPH FILE. Each line of FILE is `options |
# message`: with the options (`--op spmm --features 2` unless they say
# otherwise), TOOL must exit with status 2, print nothing on stdout, and on
# stderr one line that starts with the message. A lone `--op` means no --op.
#
# ===----------------------------------------------------------------------===#
import shlex
import subprocess
import sys


def command(tool, graph, options):
    words = shlex.split(options)
    if words == ["--op"]:
        return [tool, graph, "--features", "2"]
    if "--op" not in words:
        words = ["--op", "spmm"] + words
        if "--features" not in words:
            words += ["--features", "2"]
    return [tool, graph] + words


def failure(words, message):
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    expected = "autosage-run: error: " + message
    if done.returncode != 2:
        return f"exit status {done.returncode}"
    if done.stdout:
        return f"stdout holds {done.stdout!r}"
    if len(done.stderr.splitlines()) != 1 or not done.stderr.startswith(expected):
        return f"stderr holds {done.stderr!r}, expects {expected!r}"
    return None


def main():
    tool, graph, path = sys.argv[1:]
    failures, count = 0, 0
    with open(path) as file:
        cases = [line.strip().split(" | ", 1) for line in file if line.strip()]
    for options, message in cases:
        count += 1
        problem = failure(command(tool, graph, options), message)
        if problem:
            failures += 1
            print(f"{options}: {problem}")
    print(f"{count - failures} of {count} as expected")
    return 1 if failures or not count else 0


sys.exit(main())
