#!/usr/bin/env python3
"""What plans decided, against what they had to beat.

Reads reports of `autosage-bench --oracle probe --json FILE` and prints a line a
cell, then the aims: the chosen schedule takes at most 1.02 times as long as the
baseline in every cell; probing, compilation apart, takes at most 5 runs of the
baseline or 50 ms, whichever is more; a replay takes at most 50 us.

    oracle_quality.py FILE... [--markdown]

The status is 1 where an aim is missed in some cell.
"""

import argparse
import json
import math
import sys

MOST_RATIO, MOST_RUNS, MOST_PROBE_MS, MOST_REPLAY_US = 1.02, 5, 50, 50
# The race exceeds its budget by one step at most (docs/oracle.md).
STEP = 1.1


def aims_of(cell):
    """For each aim whether the cell meets it; None where it says nothing of it."""
    oracle = cell.get("oracle")
    if not oracle:
        return {"ran": False}
    met = {"ran": True}
    ratio, runs, replay = oracle["ratio"], oracle["probe_baseline_runs"], oracle["replay_us"]
    met["ratio"] = None if ratio is None else ratio <= MOST_RATIO
    if cell["decided_by"] == "probe":
        within = oracle["probe_ms"] <= MOST_PROBE_MS * STEP
        met["probe"] = within or (runs is not None and runs <= MOST_RUNS * STEP)
    met["replay"] = None if replay is None else replay <= MOST_REPLAY_US
    return met


def line_of(cell, markdown):
    oracle = cell.get("oracle") or {}

    def number(value, form):
        return "-" if value is None else format(value, form)

    fields = [
        cell["op"],
        cell["graph"],
        str(cell["features"]),
        cell["schedule"] or cell.get("failure", "none ran"),
        cell["decided_by"],
        number(cell["ours_ms"], ".4f"),
        number(oracle.get("baseline_ms"), ".4f"),
        number(oracle.get("ratio"), ".3f"),
        number(oracle.get("probe_ms"), ".1f"),
        number(oracle.get("probe_baseline_runs"), ".1f"),
        number(oracle.get("replay_us"), ".1f"),
    ]
    return "| " + " | ".join(fields) + " |" if markdown else "  ".join(fields)


HEAD = [
    "op",
    "graph",
    "F",
    "chosen",
    "decided by",
    "ms",
    "baseline ms",
    "ratio",
    "probe ms",
    "in runs",
    "replay us",
]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("reports", nargs="+", metavar="FILE")
    parser.add_argument("--markdown", action="store_true")
    args = parser.parse_args()
    cells = []
    for path in args.reports:
        try:
            with open(path, encoding="utf-8") as file:
                cells += json.load(file)["cells"]
        except (OSError, ValueError, KeyError) as error:
            parser.error(f"{path}: {error}")
    if args.markdown:
        print("| " + " | ".join(HEAD) + " |\n|" + "---|" * len(HEAD))
    for cell in cells:
        print(line_of(cell, args.markdown))
    print()
    texts = {
        "ran": "cells with a right result",
        "ratio": f"chosen at most {MOST_RATIO} times the baseline",
        "probe": f"probing in {MOST_PROBE_MS} ms or {MOST_RUNS} runs of the baseline",
        "replay": f"replay in {MOST_REPLAY_US} us",
    }
    good = bool(cells)
    for aim, text in texts.items():
        met = [m for m in (aims_of(cell).get(aim) for cell in cells) if m is not None]
        good &= all(met)
        print(f"{text}: {sum(met)} of {len(met)}")
    ratios = [c["oracle"]["ratio"] for c in cells if c.get("oracle") and c["oracle"]["ratio"]]
    if ratios:
        mean = math.exp(sum(math.log(1 / r) for r in ratios) / len(ratios))
        print(f"baseline over chosen: geometric mean {mean:.3f}, least {1 / max(ratios):.3f}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
