#!/usr/bin/env python3
# ===- summarize_tests.py - one closing line for all test suites -----------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Adds up the JUnit XML of lit (--xunit-xml-output) and pytest (--junitxml).
# Each suite comes with its runner's exit status, so that a runner that died,
# or that failed without a failing test, cannot pass for success. The last line
# printed is `N passed, N failed, N skipped`; the exit status is 0 only when
# tests passed and none failed.
#
# ===----------------------------------------------------------------------===#
import argparse
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field

# What lit says of tests that --filter left out; they were not asked for.
DESELECTED = "Test not selected"
# lit has one word for tests that it never ran and for those that skipped
# themselves; the former come with a non-zero exit status, which counts.
LIT_SKIPPED = "User interrupt"
# pytest: no test was collected, or the filter matched none.
PYTEST_NO_TESTS = 5


@dataclass
class Counts:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    failures: list = field(default_factory=list)
    skip_reasons: dict = field(default_factory=dict)

    def add_case(self, case):
        name = f"{case.get('classname', '')} :: {case.get('name', '')}"
        skip = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            self.failed += 1
            self.failures.append(name)
        elif skip is not None:
            reason = skip.get("message") or "no reason given"
            if reason.startswith(DESELECTED):
                return
            if reason == LIT_SKIPPED:
                reason = "skipped by the test itself"
            self.skipped += 1
            self.skip_reasons[reason] = self.skip_reasons.get(reason, 0) + 1
        else:
            self.passed += 1

    def add_failure(self, what):
        self.failed += 1
        self.failures.append(what)


def count_suite(name, path, status):
    """Counts one suite; `status` is the exit status of its runner."""
    counts = Counts()
    nothing_ran = status == 0 or (name == "pytest" and status == PYTEST_NO_TESTS)
    try:
        root = ElementTree.parse(path).getroot()
    except FileNotFoundError:
        if not nothing_ran:
            counts.add_failure(f"{name} exited with status {status} and left no results")
        return counts
    except ElementTree.ParseError as error:
        counts.add_failure(f"{name} left results that do not parse: {error}")
        return counts
    for case in root.iter("testcase"):
        counts.add_case(case)
    if counts.failed == 0 and not nothing_ran:
        counts.add_failure(f"{name} exited with status {status} though no test failed")
    return counts


def summarize(suites, out=sys.stdout):
    """Prints the report; returns the exit status."""
    all_counts = [(name, count_suite(name, path, status)) for name, path, status in suites]

    print(f"\n{'suite':<10}{'passed':>8}{'failed':>8}{'skipped':>9}", file=out)
    for name, counts in all_counts:
        print(f"{name:<10}{counts.passed:>8}{counts.failed:>8}{counts.skipped:>9}", file=out)

    for name, counts in all_counts:
        for reason, number in sorted(counts.skip_reasons.items()):
            print(f"skipped in {name}: {number} x {reason}", file=out)
    for name, counts in all_counts:
        for failure in counts.failures:
            print(f"FAILED in {name}: {failure}", file=out)

    passed = sum(counts.passed for _, counts in all_counts)
    failed = sum(counts.failed for _, counts in all_counts)
    skipped = sum(counts.skipped for _, counts in all_counts)
    if passed + failed == 0:
        print("FAILED: no test was executed", file=out)
        failed = 1
    print(f"{passed} passed, {failed} failed, {skipped} skipped", file=out)
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description="Adds up the results of test suites.")
    parser.add_argument(
        "--suite",
        nargs=3,
        action="append",
        required=True,
        metavar=("NAME", "XML", "STATUS"),
        help="a suite's name, its JUnit XML, and the exit status of its runner",
    )
    arguments = parser.parse_args()
    suites = [(name, path, int(status)) for name, path, status in arguments.suite]
    sys.exit(summarize(suites))


if __name__ == "__main__":
    main()
