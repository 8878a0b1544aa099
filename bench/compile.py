# ===- compile.py - ./dev bench compile ---------------------------------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# What compiling for a GPU takes, in one process (bench/native/compile.cpp). No GPU
# is needed. docs/benchmarks.md says what is measured and how. Exit status: 0, also
# where an aim is missed; 1 when something broke; 2 for bad usage.
#
# ===----------------------------------------------------------------------===#
import argparse
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys

import cpu
import native
import report

PARTS = ["passes", "ptx", "assemble", "host"]
METHOD = (
    "One process, one thread, 64 features. `first` is the process's first compilation; then in each"
    " round every case once, so that what the machine does meanwhile hits all of them. Times are a"
    " candidate (one operation under one schedule, with all its GPU kernels and launch code), of a"
    " batch its equal share: ours_ms is the median over rounds, min_ms the least, parts_ms the parts"
    " of that round. Modes: single, of operands at any address; aligned, the promise that they begin at"
    " multiples of 16 bytes; batch, aligned, of different kernels all. kernels is the number of GPU kernels of all candidates together."
)


class Broken(Exception):
    """What went wrong with the measuring program."""


def read(lines):
    """(assembler, {(mode, op, dtype, schedule, candidates, kernels): [rounds of parts]})."""
    assembler, rounds = "", {}
    for line in lines:
        name, *fields = line.rstrip("\n").split("\t")
        if name == "assembler":
            assembler = fields[0]
            continue
        op, dtype, schedule, candidates, kernels, *times = fields
        key = (name, op, dtype, schedule, int(candidates), int(kernels))
        parts = dict(zip([*PARTS, "total"], map(float, times), strict=True))
        rounds.setdefault(key, []).append(parts)
    return assembler, rounds


def cell_of(key, rounds):
    mode, op, dtype, schedule, candidates, kernels = key
    least = min(rounds, key=lambda parts: parts["total"])
    return {
        "op": op,
        "graph": None,
        "features": 64,
        "heads": 1,
        "dtype": dtype,
        "ours_ms": statistics.median(parts["total"] for parts in rounds),
        "schedule": schedule,
        "decided_by": "user",
        "rel_err": None,
        "cusparse_ms": None,
        "cusparse_det_ms": None,
        "peer_ms": None,
        "floor_ms": None,
        "mode": mode,
        "candidates": candidates,
        "kernels": kernels,
        "min_ms": least["total"],
        "parts_ms": {name: least[name] for name in PARTS},
        "round_ms": [parts["total"] for parts in rounds],
    }


def measure(program, rounds, chip, candidates):
    done = subprocess.run(
        [program, str(rounds), chip, str(candidates)], capture_output=True, text=True
    )
    if done.returncode != 0:
        raise Broken(done.stderr.strip() or f"{program} ended with status {done.returncode}")
    return read(done.stdout.splitlines())


def candidates_of(text):
    value = int(text)
    if not 2 <= value <= 18:
        raise ValueError
    return value


def parse():
    parser = argparse.ArgumentParser(
        prog="./dev bench compile", description="Times compilation for a GPU; needs no GPU."
    )
    parser.add_argument("--build", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="one round, batches of two")
    parser.add_argument("--rounds", type=cpu.positive, help="9 by default")
    parser.add_argument("--chip", default="sm_90", help="sm_90 by default")
    parser.add_argument(
        "--candidates", type=candidates_of, help="of a batch, 2 to 18; 18 by default"
    )
    parser.add_argument("--output", type=pathlib.Path, help="folder, by default docs/results")
    arguments = parser.parse_args()
    arguments.rounds = arguments.rounds or (1 if arguments.quick else 9)
    arguments.candidates = arguments.candidates or (2 if arguments.quick else 18)
    folder = arguments.build / "bench" if arguments.quick else cpu.ROOT / "docs" / "results"
    arguments.output = arguments.output or folder
    return arguments


def main():
    arguments = parse()
    load = os.getloadavg()[0]
    if load > 0.5:
        print(f"warning: the machine is busy (load {load:.1f}); times may say little")
    try:
        assembler, rounds = measure(
            arguments.build.resolve() / "bin" / "autosage-bench-compile",
            arguments.rounds, arguments.chip, arguments.candidates,
        )  # fmt: skip
    except (Broken, OSError) as error:
        print(f"bench: {error}", file=sys.stderr)
        sys.exit(1)
    cells = [cell_of(key, parts) for key, parts in rounds.items()]
    results = {
        "suite": "compile",
        "device": native.cpu_model(),
        "driver": f"{platform.system()} {platform.release()}",
        "threads": 1,
        "load": load,
        "commit": cpu.commit(),
        "date": datetime.date.today().isoformat(),
        "method": f"{METHOD} {arguments.rounds} rounds.",
        "versions": {"chip": arguments.chip, "assembler": assembler or "none: PTX"},
        "skipped": {} if assembler else {"assemble": "neither nvJitLink nor ptxas is found"},
        "cells": cells,
        "aims": report.compile_aims_of(cells),
    }
    arguments.output.mkdir(parents=True, exist_ok=True)
    path = arguments.output / "compile.json"
    path.write_text(json.dumps(results, indent=1, allow_nan=False, ensure_ascii=False) + "\n")
    print("\n".join(["", *report.compile_lines(results), "", *report.aim_lines(results), ""]))
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
