#!/usr/bin/env python3
"""How good the analytic estimate ranks what was measured.

Reads reports of `autosage-bench --all-candidates --json FILE`, or old reports
that `autosage-bench --estimate-of` went over, and prints a line a cell: the
best schedule measured, the model's first three of those measured, in the order
in which they would be probed, and how much slower the best of these is; at the
end the share of cells where that is at most 10 %. --markdown is a table for
docs/estimate.md, without the first three.

    estimate_quality.py FILE... [--top K] [--within SHARE] [--key ms|min_ms]
                        [--markdown] [--at-least SHARE]

The status is 1 where fewer cells than --at-least are good.
"""

import argparse
import json
import math
import sys


def measured(cell, key):
    """Schedules of a cell that ran right and have an estimate."""
    return [g for g in cell["grid"] if key in g and "estimate_ms" in g]


def judge(cell, args):
    """The cell's line as a dictionary, or None where too little is known."""
    grid = measured(cell, args.key)
    if len(grid) <= args.top:
        return None
    best = min(grid, key=lambda g: g[args.key])
    calls = args.expected_calls

    def cost(g):
        return g["estimate_ms"] + g.get("estimate_prepare_ms", 0) / calls

    # As orderForProbing has those that were measured; else by cost.
    ranked = sorted(
        grid, key=lambda g: (g.get("probe", len(grid)), cost(g), g.get("rank", -1))
    )
    top = ranked[: args.top]
    chosen = min(top, key=lambda g: g[args.key])
    logs = [math.log(g["estimate_ms"] / g[args.key]) for g in grid]
    return {
        "op": cell["op"],
        "graph": cell["graph"],
        "features": cell["features"],
        "count": len(grid),
        "best_ms": best[args.key],
        "best": best["schedule"],
        "first": [g["schedule"] for g in top],
        "first_ratio": ranked[0][args.key] / best[args.key],
        "ratio": chosen[args.key] / best[args.key],
        "bias": math.exp(sum(logs) / len(logs)),
    }


def line(row, markdown):
    ok = "" if row["good"] else " (!)"
    parts = [
        row["op"],
        row["graph"],
        str(row["features"]),
        str(row["count"]),
        f"{row['best_ms']:.4f}",
        row["best"],
        " / ".join(row["first"]),
        f"{row['first_ratio']:.2f}",
        f"{row['ratio']:.2f}{ok}",
        f"{row['bias']:.2f}",
    ]
    if markdown:
        parts[5] = f"`{parts[5]}`"
        del parts[6]
        return "| " + " | ".join(parts) + " |"
    return "  ".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--top", type=int, default=3)
    parser.add_argument("--within", type=float, default=0.10)
    parser.add_argument("--key", choices=["ms", "min_ms"], default="ms")
    parser.add_argument("--expected-calls", type=float, default=1000)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--at-least", type=float, default=0.0)
    args = parser.parse_args()
    head = [
        "op", "graph", "F", "schedules", "best ms", "best",
        f"first {args.top} of the model", "first / best",
        f"best of {args.top} / best", "estimate / time",
    ]
    if args.markdown:
        del head[6]
        print("| " + " | ".join(head) + " |")
        print("|" + "---|" * len(head))
    else:
        print("  ".join(head))
    rows = []
    for path in args.files:
        with open(path) as file:
            report = json.load(file)
        for cell in report["cells"]:
            row = judge(cell, args)
            if row is None:
                continue
            row["good"] = row["ratio"] <= 1 + args.within
            rows.append(row)
            print(line(row, args.markdown))
    if not rows:
        print("no cell has enough schedules with estimates", file=sys.stderr)
        return 2
    good = sum(row["good"] for row in rows)
    share = good / len(rows)
    mean = math.exp(sum(math.log(r["ratio"]) for r in rows) / len(rows))
    print(
        f"\nbest of the first {args.top} within {args.within:.0%} of the best: "
        f"{good} of {len(rows)} cells ({share:.0%}); ratio in the geometric mean "
        f"{mean:.3f}"
    )
    return 0 if share >= args.at_least else 1


if __name__ == "__main__":
    sys.exit(main())
