"""Checks a report of --suite=autosage --quick, and its Markdown.

    check_suite.py REPORT.json REPORT.md

Every experiment of the target has its cells, each with a right result, and a line
in the table of its name.
"""

import json
import sys

PRODUCTS = ("spmm", "sddmm")
TABLES = ("reddit", "products", "erdos_renyi", "hub_skew")
ONE_HUBS = ("one_hub_200", "one_hub_300")


def expected(target, widths):
    """{experiment: {(op, graph, features, settings in order)}}"""
    first = widths[:1]

    def cells(ops, graphs, widths, *settings):
        return {
            (op, graph, width, setting)
            for op in ops
            for graph in graphs
            for width in widths
            for setting in settings or ((),)
        }

    found = {
        "reddit": cells(PRODUCTS, ["reddit"], widths),
        "products": cells(PRODUCTS, ["products"], widths),
        "erdos-renyi": cells(PRODUCTS, ["erdos_renyi"], widths),
        "hub-skew": cells(PRODUCTS, ["hub_skew", "hub_rows"], widths),
        "hub-split": cells(PRODUCTS, ["reddit", "hub_skew", "hub_rows", *ONE_HUBS], widths),
        "attention": cells(["attention"], TABLES, widths),
    }
    if target != "simt":
        probes = [(fraction, k) for fraction in (0, 0.01, 0.03, 0.1, 1) for k in (1, 3, 6)]
        found["guardrail"] = cells(["spmm"], TABLES, widths, (0.95,), (0.98,))
        found["probe"] = cells(["spmm"], ["reddit", "erdos_renyi", "hub_skew"], first, *probes)
        found["overhead"] = cells(PRODUCTS, TABLES, first, (0,), (10,), (100,))
        found["replay"] = cells([*PRODUCTS, "attention"], TABLES, first)
    return found


def check_cell(cell, target):
    experiment, extra = cell["experiment"], cell["extra"]
    assert cell["ours_ms"] > 0 and cell["schedule"], cell
    assert cell["rel_err"] <= 1e-5, cell
    if experiment == "hub-split":
        assert extra["split_ms"] > 0 and extra["whole_ms"] > 0
        assert extra["split_schedule"] != extra["whole_schedule"]
        assert abs(extra["whole_over_split"] - extra["whole_ms"] / extra["split_ms"]) < 1e-6
        return
    oracle = cell["oracle"]
    probed = target == "cpu"
    # A small budget may end before anything was measured.
    if not cell["setting"].get("budget_ms"):
        assert cell["decided_by"] == ("probe" if probed else "estimate"), cell
        assert (oracle["probe_ms"] > 0) == probed
    if experiment == "attention":
        assert all(extra[name] > 0 for name in ("fused_ms", "composed_ms", "three_plans_ms"))
    if experiment == "replay":
        # The decision is found again, in a new context from the file.
        assert extra["first_plan_ms"] >= oracle["decide_ms"] > 0
        assert oracle["replay_us"] > 0 and extra["new_context_decide_us"] > 0
        assert 0 < extra["replay_plan_ms"] and 0 < extra["new_context_plan_ms"]
        # The kernels too.
        assert extra["new_context_compile_ms"] == 0
    else:
        assert oracle["baseline_ms"] > 0, cell
        assert abs(oracle["ratio"] - cell["ours_ms"] / oracle["baseline_ms"]) < 1e-6
    candidates = oracle["decision"]["candidates"]
    if experiment == "probe":
        assert 1 <= len(candidates) <= cell["setting"]["k"] + 1, candidates
    if experiment == "guardrail":
        verdict = oracle["decision"]["guardrail"]
        assert extra["kept_baseline"] == verdict["kept_baseline"]
        assert abs(1 - verdict["margin"] - cell["setting"]["alpha"]) < 1e-9, verdict


def main():
    report = json.load(open(sys.argv[1]))
    assert report["suite"] == "autosage" and report["quick"] and report["seed"] == 0
    for key in ("device", "driver", "commit", "date", "method", "experiments_method"):
        assert key in report
    graphs = {graph["name"]: graph for graph in report["graphs"]}
    assert set(graphs) == {*TABLES, "hub_rows", *ONE_HUBS}
    # Exactly what was asked for.
    sizes = {name: (g["rows"], g["nnz"], g["max"]) for name, g in graphs.items()}
    assert sizes["reddit"] == (600, 12000, 200)
    assert sizes["products"] == (1200, 12000, 100)
    assert sizes["hub_rows"] == (1000, 850 * 4 + 150 * 64, 64)
    assert sizes["one_hub_300"] == (400, 399 * 8 + 300, 300)
    # Four rows of 150, and 500 entries of which a few are repeats.
    rows, entries, longest = sizes["hub_skew"]
    assert rows == 1000 and 1080 <= entries <= 1100 and 150 <= longest <= 160
    rows, entries, longest = sizes["erdos_renyi"]
    assert rows == 1000 and abs(entries - 4000) < 5 * 4000**0.5 and longest < 20

    target = report["target"]
    widths = sorted({cell["features"] for cell in report["cells"]})
    found = {}
    for cell in report["cells"]:
        check_cell(cell, target)
        key = (cell["op"], cell["graph"], cell["features"], tuple(cell["setting"].values()))
        cells = found.setdefault(cell["experiment"], set())
        assert key not in cells, key
        cells.add(key)
    assert found == expected(target, widths)

    sections = open(sys.argv[2]).read().split("\n## ")[1:]
    lines = {s.split("\n")[0]: [l for l in s.split("\n") if l.startswith("|")] for s in sections}
    assert {name: len(rows) - 2 for name, rows in lines.items()} == {
        name: len(cells) for name, cells in found.items()
    }
    for rows in lines.values():
        assert len({row.count("|") for row in rows}) == 1, rows
    print(f"{target}: {len(report['cells'])} cells")


if __name__ == "__main__":
    main()
