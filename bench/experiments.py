# ===- experiments.py - the AutoSAGE paper's experiments, beside its numbers -===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# From a report of `autosage-bench --suite=autosage --json FILE` alone, and the
# numbers of autosage_paper.json:
#
#   experiments.py FILE                        prints the tables
#   experiments.py FILE --doc experiments.md   renews them between the marks
#   experiments.py FILE --plot FILE.png        draws the plots
#
# ===----------------------------------------------------------------------===#
import argparse
import json
import os
import pathlib
import sys

import report

PAPER = json.loads((pathlib.Path(__file__).resolve().parent / "autosage_paper.json").read_text())


def cells_of(results, experiment, **wanted):
    """Cells of an experiment that have a right result."""
    return [
        cell
        for cell in results["cells"]
        if cell["experiment"] == experiment
        and cell["ours_ms"]
        and all(cell[key] == value for key, value in wanted.items())
    ]


def paper_of(kind, cell, **setting):
    """The paper's entry for a cell, or nothing."""
    wanted = {"graph": cell["graph"], "features": cell["features"], **setting}
    for entry in PAPER[kind]:
        if all(entry[key] == value for key, value in wanted.items()):
            return entry
    return None


def number(value, digits=4):
    return "-" if value is None else f"{value:.{digits}g}"


def ratio(over, under):
    """-, where one of them is missing."""
    return "-" if not over or not under else f"{over / under:.2f}"


def default_ms(cell):
    """Of cuSPARSE's own choice of an algorithm."""
    for entry in cell["cusparse"]:
        if entry["algorithm"] == "default":
            return entry.get("ms")
    return None


def baseline_ms(cell):
    return cell["oracle"]["baseline_ms"] if "oracle" in cell else None


# ===----------------------------------------------------------------------===#
# Tables
# ===----------------------------------------------------------------------===#


def chosen_lines(results):
    """Chosen against cuSPARSE, on the paper's inputs."""
    names = ("reddit", "products", "erdos-renyi", "hub-skew")
    cells = [cell for name in names for cell in cells_of(results, name)]
    rows = []
    for cell in cells:
        paper = paper_of("spmm", cell) if cell["op"] == "spmm" else None
        rows.append(
            [
                cell["op"], cell["graph"], str(cell["features"]), number(cell["ours_ms"]),
                ratio(baseline_ms(cell), cell["ours_ms"]),
                ratio(default_ms(cell), cell["ours_ms"]),
                ratio(cell["cusparse_ms"], cell["ours_ms"]),
                ratio(paper["baseline_ms"], paper["chosen_ms"]) if paper else "-",
                paper["choice"] if paper else "-",
                cell["schedule"],
            ]
        )  # fmt: skip
    head = ["op", "graph", "F", "ours ms", "baseline / ours", "cuSPARSE default / ours"]
    head += ["cuSPARSE best / ours", "paper: baseline / chosen", "paper: choice", "schedule"]
    return report.table(head, rows) if rows else []


def split_lines(results):
    rows = []
    for cell in cells_of(results, "hub-split"):
        paper = paper_of("hub_split", cell) if cell["op"] == "spmm" else None
        extra = cell["extra"]
        rows.append(
            [
                cell["op"], cell["graph"], str(cell["features"]), number(extra["split_ms"]),
                number(extra["whole_ms"]), ratio(extra["whole_ms"], extra["split_ms"]),
                ratio(paper["whole_ms"], paper["split_ms"]) if paper else "-",
                ratio(cell["cusparse_ms"], extra["split_ms"]),
            ]
        )  # fmt: skip
    head = ["op", "graph", "F", "split ms", "whole rows ms", "whole / split"]
    head += ["paper: whole / split, its best", "cuSPARSE best / split"]
    return report.table(head, rows) if rows else []


def guardrail_lines(results):
    rows = []
    for cell in cells_of(results, "guardrail"):
        paper = paper_of("guardrail", cell, alpha=cell["setting"]["alpha"])
        kept = cell["extra"].get("kept_baseline")
        rows.append(
            [
                cell["graph"], str(cell["features"]), f"{cell['setting']['alpha']:g}",
                ratio(baseline_ms(cell), cell["ours_ms"]),
                {True: "baseline", False: "ours", None: "-"}[kept],
                ratio(paper["baseline_ms"], paper["chosen_ms"]) if paper else "-",
                {"autosage": "its own"}.get(paper["choice"], paper["choice"]) if paper else "-",
            ]
        )  # fmt: skip
    head = ["graph", "F", "alpha", "baseline / chosen", "took", "paper: baseline / chosen"]
    return report.table([*head, "paper: took"], rows) if rows else []


def probe_lines(results):
    """A row a fraction, a column a number of candidates."""
    cells = cells_of(results, "probe")
    counts = sorted({cell["setting"]["k"] for cell in cells})
    fractions = sorted({cell["setting"]["fraction"] for cell in cells})
    rows = []
    for graph in dict.fromkeys(cell["graph"] for cell in cells):
        for fraction in fractions:
            found = {
                cell["setting"]["k"]: cell
                for cell in cells
                if cell["graph"] == graph and cell["setting"]["fraction"] == fraction
            }
            rows.append(
                [
                    graph, f"{fraction:g}" if fraction else "by the budget",
                    *(
                        f"{number(found[k]['ours_ms'])} ({probe_runs(found[k])})"
                        if k in found else "-"
                        for k in counts
                    ),
                ]
            )  # fmt: skip
    head = ["graph", "fraction", *(f"k = {k}: ms (probe, runs)" for k in counts)]
    return report.table(head, rows) if rows else []


def probe_runs(cell):
    return number(cell["oracle"]["probe_baseline_runs"], 3)


def overhead_lines(results):
    rows = [
        [
            cell["op"], cell["graph"], str(cell["features"]),
            number(cell["setting"]["budget_ms"]) if cell["setting"]["budget_ms"] else "default",
            number(cell["oracle"]["probe_ms"]), probe_runs(cell),
            number(cell["oracle"]["compile_ms"]), ratio(baseline_ms(cell), cell["ours_ms"]),
        ]
        for cell in cells_of(results, "overhead")
    ]  # fmt: skip
    head = ["op", "graph", "F", "budget ms", "probe ms", "in runs of the baseline"]
    return report.table([*head, "compile ms", "baseline / chosen"], rows) if rows else []


def attention_lines(results):
    rows = []
    for cell in cells_of(results, "attention"):
        extra = cell["extra"]
        rows.append(
            [
                cell["graph"], str(cell["features"]), number(cell["ours_ms"]),
                number(extra.get("fused_ms")), number(extra.get("composed_ms")),
                number(extra.get("three_plans_ms")),
                ratio(extra.get("composed_ms"), cell["ours_ms"]),
                ratio(extra.get("three_plans_ms"), cell["ours_ms"]), cell["schedule"],
            ]
        )  # fmt: skip
    head = ["graph", "F", "chosen ms", "rule, fused", "rule, composed", "three plans"]
    head += ["composed / chosen", "three plans / chosen", "schedule"]
    return report.table(head, rows) if rows else []


def replay_lines(results):
    rows = []
    for cell in cells_of(results, "replay"):
        extra, oracle = cell["extra"], cell["oracle"]
        paper = paper_of("attention", cell) if cell["op"] == "attention" else None
        rows.append(
            [
                cell["op"], cell["graph"], str(cell["features"]), number(extra["first_plan_ms"]),
                number(oracle["compile_ms"]), number(oracle["probe_ms"]),
                number(extra["replay_plan_ms"]), number(oracle["replay_us"]),
                number(extra["new_context_plan_ms"]), number(extra["new_context_decide_us"]),
                number(cell["ours_ms"]),
                f"{paper['first_ms']:.0f} / {paper['cached_ms']:.0f} / {paper['replay_ms']:.0f}"
                if paper else "-",
            ]
        )  # fmt: skip
    head = ["op", "graph", "F", "first plan ms", "of it compiling", "of it probing"]
    head += ["again ms", "deciding us", "new context ms", "deciding us", "run ms"]
    head += ["paper: first / cached / replayed run ms"]
    return report.table(head, rows) if rows else []


SECTIONS = {
    "Chosen against cuSPARSE": chosen_lines,
    "Hub split": split_lines,
    "Guardrail": guardrail_lines,
    "Fraction and candidates of a probe": probe_lines,
    "What a probe takes": overhead_lines,
    "CSR attention": attention_lines,
    "First run and replay": replay_lines,
}


def mean_lines(results):
    """Geometric means of cuSPARSE over ours, and of the paper's ratios."""
    lines = []
    for op in ("spmm", "sddmm"):
        cells = [
            cell
            for name in ("reddit", "products", "erdos-renyi", "hub-skew")
            for cell in cells_of(results, name, op=op)
        ]
        for what, ms in (("default", default_ms), ("best", lambda cell: cell["cusparse_ms"])):
            mean = report.geomean(ms(cell) / cell["ours_ms"] for cell in cells if ms(cell))
            if mean:
                lines.append(f"- {op}, cuSPARSE's {what} over ours: {mean:.2f}")
        papers = [paper_of("spmm", cell) for cell in cells if op == "spmm"]
        mean = report.geomean(p["baseline_ms"] / p["chosen_ms"] for p in papers if p)
        if mean:
            lines.append(f"- {op}, the paper's baseline over what it chose, same cells: {mean:.2f}")
    return ["", "Geometric means:", "", *lines] if lines else []


def text_of(results):
    where = [results["device"], results["driver"], results["date"]]
    where += [f"seed {results['seed']}", f"{results['seconds']:.0f} s in all"]
    if results["quick"]:
        where.append("small graphs")
    lines = [", ".join(filter(None, where)) + f"; commit {results['commit'] or 'unknown'}.", ""]
    rows = [
        [graph["name"], str(graph["rows"]), str(graph["nnz"]), str(graph["max"]), graph["origin"]]
        for graph in results["graphs"]
    ]
    lines += report.table(["graph", "rows", "entries", "longest row", "from"], rows)
    lines += mean_lines(results)
    for title, lines_of in SECTIONS.items():
        section = lines_of(results)
        if section:
            lines += ["", f"### {title}", "", *section]
    return "\n".join(lines)


# ===----------------------------------------------------------------------===#
# Plots
# ===----------------------------------------------------------------------===#


def plot(results, path):
    """Ratios over widths, whole over split rows, and what probes take and give."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, ((spmm, sddmm), (split, probe)) = pyplot.subplots(
        2, 2, figsize=(13, 9), layout="constrained"
    )
    names = ("reddit", "products", "erdos-renyi", "hub-skew")
    for panel, op in ((spmm, "spmm"), (sddmm, "sddmm")):
        cells = [cell for name in names for cell in cells_of(results, name, op=op)]
        for place, graph in enumerate(dict.fromkeys(cell["graph"] for cell in cells)):
            own = [cell for cell in cells if cell["graph"] == graph]
            points = [
                (cell["features"], (default_ms(cell) or baseline_ms(cell)) / cell["ours_ms"])
                for cell in own
                if default_ms(cell) or baseline_ms(cell)
            ]
            if points:
                panel.plot(*zip(*points), "o-", color=f"C{place}", label=graph)
            papers = [paper_of("spmm", cell) for cell in own if op == "spmm"]
            points = [(p["features"], p["baseline_ms"] / p["chosen_ms"]) for p in papers if p]
            if points:
                panel.plot(*zip(*points), "x:", color=f"C{place}", label=f"{graph}, paper")
        panel.set_title(f"{op}: default algorithm of cuSPARSE (else the baseline) over ours")
        panel.set_xlabel("features")
    cells = cells_of(results, "hub-split", op="spmm")
    for place, graph in enumerate(dict.fromkeys(cell["graph"] for cell in cells)):
        points = [
            (cell["features"], cell["extra"]["whole_over_split"])
            for cell in cells
            if cell["graph"] == graph and cell["extra"]["whole_over_split"]
        ]
        if points:
            split.plot(*zip(*points), "o-", color=f"C{place}", label=graph)
        papers = [entry for entry in PAPER["hub_split"] if entry["graph"] == graph]
        points = [(p["features"], p["whole_ms"] / p["split_ms"]) for p in papers]
        if points:
            split.plot(*zip(*points), "x", color=f"C{place}", label=f"{graph}, paper's best")
    split.set_title("spmm: whole rows over rows that are cut")
    split.set_xlabel("features")
    cells = cells_of(results, "probe")
    for place, graph in enumerate(dict.fromkeys(cell["graph"] for cell in cells)):
        own = [cell for cell in cells if cell["graph"] == graph]
        least = min(cell["ours_ms"] for cell in own)
        for k, marker in zip(sorted({cell["setting"]["k"] for cell in own}), "osD^"):
            points = [
                (cell["oracle"]["probe_baseline_runs"], cell["ours_ms"] / least)
                for cell in own
                if cell["setting"]["k"] == k and cell["oracle"]["probe_baseline_runs"]
            ]
            if points:
                label = f"{graph}, k = {k}"
                probe.plot(*zip(*points), marker, color=f"C{place}", label=label)
    probe.set_xscale("log")
    probe.set_title("probe: chosen time over the least, by what probing took")
    probe.set_xlabel("runs of the baseline")
    for panel in (spmm, sddmm, split, probe):
        panel.axhline(1, color="black", linewidth=1)
        panel.grid(alpha=0.3)
        if panel is not probe:
            panel.set_xscale("log", base=2)
        if panel.get_legend_handles_labels()[0]:
            panel.legend(fontsize=7)
    figure.suptitle(f"{results['device']}, f32; the paper's: {PAPER['device']}")
    # Without its creation date the same results give the same file.
    figure.savefig(path, dpi=100, metadata={"Software": None})
    pyplot.close(figure)


def main():
    parser = argparse.ArgumentParser(description="Tables and plots of the suite's report.")
    parser.add_argument("results", type=pathlib.Path, help="JSON of autosage-bench --suite")
    parser.add_argument("--doc", type=pathlib.Path, help="Markdown file to renew the tables of")
    parser.add_argument("--plot", type=pathlib.Path, help="PNG file to draw")
    arguments = parser.parse_args()
    try:
        results = json.loads(arguments.results.read_text())
        if results.get("suite") != "autosage":
            raise ValueError(f"{arguments.results}: expects a report of --suite=autosage")
        if arguments.plot:
            plot(results, arguments.plot)
        if arguments.doc:
            text = text_of(results)
            if arguments.plot:
                image = os.path.relpath(arguments.plot, arguments.doc.parent)
                text += f"\n\n![ratios, and what probing takes]({image})"
            document = arguments.doc.read_text()
            arguments.doc.write_text(report.renew(document, arguments.results.stem, text))
    except (OSError, ValueError) as error:
        print(f"experiments: {error}", file=sys.stderr)
        sys.exit(2)
    if not arguments.plot and not arguments.doc:
        print(text_of(results))


if __name__ == "__main__":
    main()
