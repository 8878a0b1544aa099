# ===- collect.py - reports of gpu.sh as one file -------------------------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Usage: collect.py FOLDER. One entry a test: suite (property, memcheck, ...),
# name, result, seconds, and what the test recorded.

import datetime
import glob
import json
import os
import re
import subprocess
import sys

KNOWN = {"name", "file", "line", "status", "result", "timestamp", "time", "classname", "value_param", "type_param"}


def device():
    command = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        line = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]
        return [part.strip() for part in line.split(",")]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return [None, None]


def tests(path):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    for suite in report["testsuites"]:
        for test in suite["testsuite"]:
            if test["status"] != "RUN":
                continue
            result = "failed" if test.get("failures") else "skipped" if test["result"] == "SKIPPED" else "passed"
            entry = {"test": f"{suite['name']}.{test['name']}", "result": result, "seconds": float(test["time"].rstrip("s"))}
            for key, value in test.items():
                if key not in KNOWN and key != "failures":
                    entry[key] = value
            yield entry


def findings(path):
    """What compute-sanitizer's last lines say, or None where it did not run."""
    with open(path, encoding="utf-8", errors="replace") as file:
        found = re.findall(r"SUMMARY: (.*)", file.read())
    return found[-1] if found else None


def main():
    folder = sys.argv[1]
    name, driver = device()
    entries = []
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        if os.path.basename(path) == "correctness.json":
            continue
        suite = re.sub(r"-\d+\.json$", "", os.path.basename(path))
        summary = findings(path[: -len("json")] + "log")
        for entry in tests(path):
            if summary is not None:
                entry["sanitizer"] = summary
            entries.append({"suite": suite, **entry})
    counts = {}
    for entry in entries:
        of_suite = counts.setdefault(entry["suite"], {"passed": 0, "failed": 0, "skipped": 0})
        of_suite[entry["result"]] += 1
    json.dump(
        {
            "device": name,
            "driver": driver,
            "commit": os.environ.get("AUTOSAGE_COMMIT"),
            "date": datetime.date.today().isoformat(),
            "method": "tests/gpu.sh of the bundle: results against f64 references on poisoned outputs; rel_err is "
            "the largest relative error of a test",
            "counts": counts,
            "cells": entries,
        },
        sys.stdout,
        indent=1,
    )
    print()


if __name__ == "__main__":
    main()
