#!/usr/bin/env python3
"""Attention beside what there is without it.

Reads reports of `autosage-bench --op attention --json FILE` (after
attention_peers.py or not), puts them together, a later cell in place of an earlier
one, and prints a line a cell: the chosen time, the fastest fused and composed
schedule, the composite with cuSPARSE of the same run, and PyTorch's ways.

    attention_quality.py FILE... [--baseline FILE] [--json FILE] [--markdown]

--baseline has figures of other libraries, measured elsewhere: cells of one head
get `peer_ms`, the fastest unfused composite, and `floor_ms`, the time of gathering
each row of k and v once an edge. Then the aim is judged: fused is 2.5 times as
fast as the fastest composite, or takes at most 1.25 of the floor. The status is 1
where a cell misses it.
"""

import argparse
import json
import sys

from attention_peers import key_of

LEAST_RATIO, MOST_OF_FLOOR = 2.5, 1.25


def merged(reports):
    """The first report's head with the cells of all, each with its commit."""
    cells = {}
    for report in reports:
        for cell in report["cells"]:
            cell.setdefault("commit", report.get("commit"))
            cells[key_of(cell)] = cell
    return {**reports[0], "cells": list(cells.values())}


def fill(cell, baseline):
    if cell["heads"] != 1 or cell.get("score", "dot") != "dot":
        return
    at = cell["graph"], cell["features"]

    def of_cell(entry):
        return (entry["graph"], entry["F"]) == at and (entry["op"], entry["dtype"]) == (
            "attn", "fp32",
        )  # fmt: skip

    composites = [
        c["ms"]
        for c in baseline["cells"]
        if of_cell(c) and c["valid"] and c["ms"] and "composite" in c["peer"]
    ]
    floors = [f["noreuse_over_gather_at_table_size_ms"] for f in baseline["floors"] if of_cell(f)]
    cell["peer_ms"] = min(composites, default=None)
    cell["floor_ms"] = floors[0] if floors else None


def aim(cell):
    """Whether it is met; None where nothing is known of it."""
    ours, peer, floor = cell["ours_ms"], cell.get("peer_ms"), cell.get("floor_ms")
    if peer is None and floor is None:
        return None
    return ours is not None and bool(
        (peer is not None and peer >= LEAST_RATIO * ours)
        or (floor is not None and ours <= MOST_OF_FLOOR * floor)
    )


def columns_of(cell):
    def ms(value):
        return "" if value is None else f"{value:.3f}"

    def ratio(value):
        known = value is not None and cell["ours_ms"] is not None
        return f"{value / cell['ours_ms']:.2f}" if known else ""

    score = "" if cell.get("score", "dot") == "dot" else " " + cell["score"]
    width = cell["features"] if cell["heads"] == 1 else f"{cell['heads']} × {cell['features']}"
    form = "composed" if "composed" in cell["schedule"] else "fused"
    peers = [
        f"{peer['name']} {ms(peer['ms'])}" for peer in cell.get("peers", []) if "ms" in peer
    ]
    return [
        cell["graph"] + score, str(width), ms(cell["ours_ms"]), form, ms(cell.get("fused_ms")),
        ms(cell.get("composed_ms")), ms(cell.get("composite_ms")),
        ratio(cell.get("composite_ms")), ms(cell.get("peer_ms")), ratio(cell.get("peer_ms")),
        ms(cell.get("floor_ms")), {True: "yes", False: "no", None: ""}[aim(cell)],
        ", ".join(peers),
    ]  # fmt: skip


HEAD = [
    "graph", "F", "chosen ms", "form", "fused", "composed", "cuSPARSE composite", "/ chosen",
    "best composite known", "/ chosen", "gather", "aim", "PyTorch",
]  # fmt: skip


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--baseline")
    parser.add_argument("--json", help="where the cells of all go")
    parser.add_argument("--markdown", action="store_true")
    args = parser.parse_args(argv)
    reports = []
    for path in args.files:
        with open(path) as file:
            reports.append(json.load(file))
    report = merged(reports)
    if args.baseline:
        with open(args.baseline) as file:
            baseline = json.load(file)
        for cell in report["cells"]:
            if cell["op"] == "attention":
                fill(cell, baseline)
    rows = [columns_of(cell) for cell in report["cells"] if cell["op"] == "attention"]
    if args.markdown:
        print("| " + " | ".join(HEAD) + " |\n" + "|---" * len(HEAD) + "|")
        print("\n".join("| " + " | ".join(row) + " |" for row in rows))
    else:
        print("\n".join("  ".join(row) for row in [HEAD, *rows]))
    if args.json:
        with open(args.json, "w") as file:
            json.dump(report, file, indent=1)
            file.write("\n")
    judged = [a for a in (aim(c) for c in report["cells"] if c["op"] == "attention") if a is not None]
    if judged:
        print(f"\naim: {sum(judged)} of {len(judged)} cells")
    return 0 if all(judged) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
