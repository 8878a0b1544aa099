# ===- cpu.py - ./dev bench cpu -----------------------------------------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Our kernels and other people's, on the same graphs, in one process with one
# number of threads. docs/benchmarks.md says what is measured and how. Exit status:
# 0, also where an aim is missed; 1 when a result was wrong or something broke; 2
# for bad usage.
#
# ===----------------------------------------------------------------------===#
import argparse
import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys

import contestants
import inputs
import measure
import native
import report

ROOT = pathlib.Path(__file__).resolve().parents[1]
OPS = ["spmm", "sddmm"]
FULL = {"graphs": ["cora", "pubmed", "arxiv_like", "hub_skew"], "features": [32, 64, 128, 256]}
QUICK = {"graphs": ["les_miserables", "powerlaw"], "features": [32]}
METHOD = (
    "All contestants in one process, with the same number of threads (SciPy has one). Each is"
    " prepared once (compiled, inspected, converted; not timed), checked against an f64 reference"
    " on a poisoned output, then timed warm in interleaved rounds whose order rotates:"
    " ms is the median over rounds of the median of a round's calls, min_ms the least of all."
    " Contestants with a C interface are called from C, SciPy and PyTorch from Python."
)


def most_threads():
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def commit():
    """The short hash, with `-dirty` where tracked files differ; null without git."""
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--exclude=*"],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    return done.stdout.strip() or None


def enter(bench):
    """Those that are there, and why the others are not."""
    present, skipped = [], {}
    for kind in contestants.ALL:
        try:
            present.append(kind(bench))
        except native.Unavailable as reason:
            skipped[kind.name] = str(reason)
    return present, skipped


def cell_of(problem, times):
    graph, ours = problem.graph, times["ours"]
    return {
        "op": problem.op,
        "graph": graph.name,
        "rows": graph.rows,
        "cols": graph.cols,
        "nnz": graph.nnz,
        "features": problem.features,
        "heads": 1,
        "dtype": "f32",
        "ours_ms": ours.get("ms"),
        "schedule": ours.get("schedule"),
        "decided_by": ours.get("decided_by"),
        "rel_err": ours.get("rel_err"),
        # Of the form that all result files share; of the GPU.
        "cusparse_ms": None,
        "cusparse_det_ms": None,
        "peer_ms": None,
        "floor_ms": None,
        "times": times,
    }


def measure_graph(name, features, present, effort, cells):
    graph = inputs.load_graph(name)
    print(f"{graph.name}: {graph.rows} x {graph.cols}, {graph.nnz} entries", flush=True)
    for width in features:
        for op in OPS:
            problem = inputs.Problem(op, graph, width)
            times = measure.measure(present, problem, effort)
            cells.append(cell_of(problem, times))
            shown = [
                f"{name} {report.milliseconds(time)}"
                for name, time in times.items()
                if "skipped" not in time
            ]
            print(f"  {op:6}{width:4}  ms: {', '.join(shown)}", flush=True)


def positive(text):
    value = int(text)
    if value < 1:
        raise ValueError
    return value


def widths(text):
    return [positive(part) for part in text.split(",")]


def parse():
    parser = argparse.ArgumentParser(
        prog="./dev bench cpu", description="Times SpMM and SDDMM against other libraries."
    )
    parser.add_argument("--build", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="small graphs, few rounds")
    parser.add_argument(
        "--threads", type=positive, default=most_threads(), help="all cores by default"
    )
    parser.add_argument(
        "--graphs",
        type=lambda text: text.split(","),
        help="names or files (.mtx, .npz), by default " + ",".join(FULL["graphs"]),
    )
    parser.add_argument("--features", type=widths, help="by default 32,64,128,256")
    parser.add_argument("--rounds", type=positive, help="9 by default")
    parser.add_argument("--output", type=pathlib.Path, help="folder, by default docs/results")
    arguments = parser.parse_args()
    chosen = QUICK if arguments.quick else FULL
    arguments.graphs = arguments.graphs or chosen["graphs"]
    arguments.features = arguments.features or chosen["features"]
    arguments.rounds = arguments.rounds or (2 if arguments.quick else 9)
    folder = arguments.build / "bench" if arguments.quick else ROOT / "docs" / "results"
    arguments.output = arguments.output or folder
    return arguments


def main():
    arguments = parse()
    try:
        bench = contestants.Bench(arguments.build.resolve(), arguments.threads)
        present, skipped = enter(bench)
    except (native.Unavailable, OSError) as error:
        print(f"bench: {error}", file=sys.stderr)
        sys.exit(1)
    for name, reason in skipped.items():
        print(f"skipped {name}: {reason}")
    load = os.getloadavg()[0]
    if load > 0.5:
        print(f"warning: the machine is busy (load {load:.1f}); times may say little")
    effort = measure.Effort(arguments.rounds, 0.002 if arguments.quick else 0.02)
    cells = []
    for name in arguments.graphs:
        try:
            measure_graph(name, arguments.features, present, effort, cells)
        except (inputs.Missing, OSError, ValueError) as error:
            print(f"bench: graph {name}: {error}", file=sys.stderr)
            sys.exit(2)
        except RuntimeError as error:
            print(f"bench: graph {name}: {error}", file=sys.stderr)
            sys.exit(1)
    results = {
        "device": native.cpu_model(),
        "driver": f"{platform.system()} {platform.release()}",
        "threads": arguments.threads,
        "load": load,
        "commit": commit(),
        "date": datetime.date.today().isoformat(),
        "method": f"{METHOD} {effort.rounds} rounds, a turn of {effort.seconds:g} s at least.",
        "versions": {contestant.name: contestant.version for contestant in present},
        "skipped": skipped,
        "cells": cells,
        "geomeans": report.geomeans(cells),
        "aims": report.aims_of(cells),
    }
    arguments.output.mkdir(parents=True, exist_ok=True)
    path = arguments.output / "cpu.json"
    path.write_text(json.dumps(results, indent=1, allow_nan=False, ensure_ascii=False) + "\n")
    report.plot(results, path.with_suffix(".png"))
    print("\n".join(["", *report.mean_lines(results), "", *report.aim_lines(results), ""]))
    print(f"wrote {path} and {path.with_suffix('.png')}")
    wrong = [
        f"{report.label(cell)}: {name}"
        for cell in cells
        for name, time in cell["times"].items()
        if time.get("failed")
    ]
    for text in wrong:
        print(f"bench: wrong result: {text}", file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
