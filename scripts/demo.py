#!/usr/bin/env python3
# ===- demo.py - every operation on a real and a generated graph -----------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Runs autosage-run once an operation and prints one table. Each run compiles
# its kernel through the passes, times it, and compares the result with the
# reference evaluator. Exit status: 0 when every check passed, 1 when one
# failed, 2 when the graph is unusable.
#
# ===----------------------------------------------------------------------===#
import argparse
import json
import os
import subprocess
import sys

import export_graph

FEATURES = "64"
# What the table calls it, and the options that make it.
OPERATIONS = [
    ("spmm sum", ["--op", "spmm", "--reduce", "sum"]),
    ("spmm mean", ["--op", "spmm", "--reduce", "mean"]),
    ("spmm max", ["--op", "spmm", "--reduce", "max"]),
    ("sddmm dot", ["--op", "sddmm", "--combine", "dot"]),
    ("row_softmax", ["--op", "row_softmax"]),
    ("attention dot", ["--op", "attention", "--score", "dot"]),
    ("attention gat", ["--op", "attention", "--score", "gat"]),
    ("attention gatv2", ["--op", "attention", "--score", "gatv2"]),
    ("spmm sum", ["--op", "spmm", "--reduce", "sum", "--dtype", "f64"]),
]
COLUMNS = [
    ("graph", "<"),
    ("op", "<"),
    ("dtype", "<"),
    ("schedule", "<"),
    ("median ms", ">"),
    ("GFLOP/s", ">"),
    ("GB/s", ">"),
    ("rel. error", ">"),
    ("check", "<"),
]


class Failed(Exception):
    """A run without a result; the text is the tool's own message."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def run(tool, graph, options):
    """Runs one operation; returns the tool's JSON object."""
    command = [tool, graph, "--features", FEATURES, *options, "--check", "--json", "-"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    # Status 1 is a failed check: the object is there and says so.
    if done.returncode not in (0, 1) or not done.stdout.strip():
        lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise Failed(done.returncode, lines[-1])
    return json.loads(done.stdout)


def row_of(name, operation, result):
    timing, check = result["run"], result["check"]
    return [
        name,
        operation,
        result["dtype"],
        result["schedule"] or "none",
        f"{timing['median_ms']:.3f}",
        f"{timing['gflops']:.2f}",
        f"{timing['gbytes_per_s']:.2f}",
        f"{float(check['rel_err']):.1e}",  # JSON has no infinity: "inf"
        "ok" if check["passed"] else "FAILED",
    ]


def print_table(rows):
    table = [[title for title, _ in COLUMNS], *rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(COLUMNS))]
    for number, row in enumerate(table):
        cells = [
            f"{cell:{align}{width}}"
            for cell, width, (_, align) in zip(row, widths, COLUMNS)
        ]
        print("  ".join(cells).rstrip())
        if number == 0:
            print("  ".join("-" * width for width in widths))


def make_graphs(work):
    """The built-in graphs, written below `work`: (name, path)."""
    os.makedirs(work, exist_ok=True)
    graphs = []
    for name, what in (
        ("les_miserables", "real: " + export_graph.REAL_GRAPHS["les_miserables"]),
        ("powerlaw", "generated: degrees follow a power law, seed 1"),
    ):
        path = os.path.join(work, name + ".mtx")
        if name == "powerlaw":
            matrix = export_graph.power_law_graph(20000, 300000, 2.1, 1)
        else:
            matrix = export_graph.real_graph(name)
        export_graph.write_graph(path, matrix, what)
        print(f"      {export_graph.describe(name, matrix)}\n        {what}")
        graphs.append((name, path))
    return graphs


def main():
    parser = argparse.ArgumentParser(description="Runs every operation on graphs.")
    parser.add_argument("--tool", required=True, help="path of autosage-run")
    parser.add_argument("--work", required=True, help="folder for generated graphs")
    parser.add_argument("graph", nargs="?", help="run on this file instead")
    arguments = parser.parse_args()

    if arguments.graph:
        name = os.path.splitext(os.path.basename(arguments.graph))[0]
        graphs = [(name, arguments.graph)]
    else:
        graphs = make_graphs(arguments.work)

    interactive = sys.stderr.isatty()
    total = len(graphs) * len(OPERATIONS)
    rows, problems = [], []
    for name, path in graphs:
        if not interactive:
            print(f"      {name}: {len(OPERATIONS)} operations", flush=True)
        for operation, options in OPERATIONS:
            if interactive:
                progress = f"      {len(rows) + 1} of {total}: {name}, {operation}"
                print(f"\r\033[K{progress}", end="", file=sys.stderr, flush=True)
            try:
                result = run(arguments.tool, path, options)
                rows.append(row_of(name, operation, result))
                if not result["check"]["passed"]:
                    problems.append(f"{name}, {operation}: the check failed")
            except Failed as error:
                # A graph that the first operation cannot read, none can.
                if error.status == 2 and not rows:
                    print(("\n" if interactive else "") + f"demo: {error}", file=sys.stderr)
                    sys.exit(2)
                rows.append([name, operation, "", "", "", "", "", "", "ERROR"])
                problems.append(f"{name}, {operation}: {error}")
    if interactive:
        print("\r\033[K", end="", file=sys.stderr, flush=True)

    print()
    print_table(rows)
    print(f"\n{FEATURES} features. Times are medians over runs of the compiled kernel; each result was")
    print("compared with a reference evaluator in f64.")
    for problem in problems:
        print(f"demo: {problem}", file=sys.stderr)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
