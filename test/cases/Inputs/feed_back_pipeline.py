#!/usr/bin/env python3
# ===- feed_back_pipeline.py - printed pipelines read back -----*- Python -*-===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Usage: feed_back_pipeline.py TOOL FILE OPTION...
#
# Runs the tool with OPTIONs, and again with the pipeline that the first run
# printed. Both runs have to print one text and make one module.
#
# ===----------------------------------------------------------------------===#

import re
import subprocess
import sys


def run(tool, path, options):
    done = subprocess.run(
        [tool, path, "--dump-pass-pipeline", *options], capture_output=True, text=True, timeout=120
    )
    if done.returncode:
        sys.exit(f"{options}: exit status {done.returncode}\n{done.stderr}")
    text = re.search(r"^builtin\.module\(.*?^\)$", done.stderr, re.MULTILINE | re.DOTALL)
    if not text:
        sys.exit(f"{options}: expects the text of a pipeline, got\n{done.stderr}")
    return text.group(0), done.stdout


def main(tool, path, *options):
    text, module = run(tool, path, options)
    again, same = run(tool, path, ["--pass-pipeline=" + text])
    if again != text:
        sys.exit(f"expects the text\n{text}\ngot\n{again}")
    if same != module:
        sys.exit("expects the same module, got another")
    if not module.strip():
        sys.exit("expects a module, got nothing")


if __name__ == "__main__":
    main(*sys.argv[1:])
