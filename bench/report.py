# ===- report.py - ratios, aims, the table of the documents, the plot ---===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# All of it follows from a result file alone:
#
#   report.py docs/results/cpu.json                      prints the tables
#   report.py docs/results/cpu.json --doc benchmarks.md  renews them between the marks
#   report.py docs/results/cpu.json --plot cpu.png       draws the plot
#
# ===----------------------------------------------------------------------===#
import argparse
import json
import math
import pathlib
import sys

# "At the fastest" allows for what two runs of one kernel differ by.
AT = 1.02
SMALL_GRAPH, SMALL_MS = "cora", 0.020
AIMS = {"twin": 1.1, "eigen": 2.0, "scipy": 8.0, "torch": 8.0}
# Of compile times, in the mode that the result's cells name.
COMPILE_MS, BATCH_MS = 60, 25
BEGIN, END = "<!-- results: {name} -->", "<!-- end of results -->"


# ===----------------------------------------------------------------------===#
# Numbers
# ===----------------------------------------------------------------------===#


def peers_of(cell):
    """Times of the others that have one."""
    return {
        name: time["ms"]
        for name, time in cell["times"].items()
        if name != "ours" and time.get("ms") is not None
    }


def fastest_peer(cell):
    peers = peers_of(cell)
    return min(peers, key=peers.get) if peers else None


def geomean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def geomeans(cells):
    """{peer: {op or "all": peer's time over ours}}, over the cells that have both."""
    cells = [cell for cell in cells if cell["ours_ms"]]
    names = dict.fromkeys(name for cell in cells for name in peers_of(cell))
    ops = dict.fromkeys(cell["op"] for cell in cells)
    table = {}
    for name in names:
        ratios = [
            (cell["op"], peers_of(cell)[name] / cell["ours_ms"])
            for cell in cells
            if name in peers_of(cell)
        ]
        table[name] = {op: geomean(r for o, r in ratios if o == op) for op in ops}
        table[name]["all"] = geomean(r for _, r in ratios)
    return table


def label(cell):
    return f"{cell['op']} {cell['graph']} {cell['features']}"


def aims_of(cells):
    """Each aim with what was reached; `met` is null where nothing was measured."""
    means = geomeans(cells)
    aims = []
    judged = [cell for cell in cells if cell["ours_ms"] and fastest_peer(cell)]
    behind = [
        label(cell)
        for cell in judged
        if cell["ours_ms"] > AT * peers_of(cell)[fastest_peer(cell)]
    ]
    aims.append(
        {
            "aim": "at or ahead of the fastest in every cell",
            "reached": f"{len(judged) - len(behind)} of {len(judged)}",
            "met": not behind if judged else None,
            "missed": behind,
        }
    )
    for name, factor in AIMS.items():
        mean = means.get(name, {}).get("all")
        aims.append(
            {
                "aim": f"geometric mean of {name} over ours at least {factor:g}",
                "reached": None if mean is None else f"{mean:.2f}",
                "met": None if mean is None else mean >= factor,
                "missed": [],
            }
        )
    small = [cell for cell in cells if cell["graph"] == SMALL_GRAPH and cell["ours_ms"]]
    over = [label(cell) for cell in small if cell["ours_ms"] > SMALL_MS]
    aims.append(
        {
            "aim": f"{SMALL_GRAPH} in at most {1e3 * SMALL_MS:g} µs a call",
            "reached": f"{len(small) - len(over)} of {len(small)}" if small else None,
            "met": not over if small else None,
            "missed": over,
        }
    )
    return aims


def compile_aims_of(cells):
    """The same for compile times: of the least, as a busy machine only adds."""
    aims = []
    for mode, limit, text in (
        ("single", COMPILE_MS, "after the first"),
        ("aligned", COMPILE_MS, "of aligned operands"),
        ("batch", BATCH_MS, "in a batch"),
    ):
        judged = [cell for cell in cells if cell["mode"] == mode]
        over = [compile_label(cell) for cell in judged if per_kernel(cell) > limit]
        aims.append(
            {
                "aim": f"at most {limit:g} ms a GPU kernel {text}",
                "reached": f"{len(judged) - len(over)} of {len(judged)}" if judged else None,
                "met": not over if judged else None,
                "missed": over,
            }
        )
    whole = [cell for cell in cells if cell["mode"] in ("aligned", "batch")]
    over = [compile_label(cell) for cell in whole if cell["min_ms"] > COMPILE_MS]
    aims.append(
        {
            "aim": f"at most {COMPILE_MS:g} ms an aligned candidate, all its kernels together",
            "reached": f"{len(whole) - len(over)} of {len(whole)}" if whole else None,
            "met": not over if whole else None,
            "missed": over,
        }
    )
    return aims


def per_kernel(cell):
    """The least time over the GPU kernels that it made."""
    return cell["min_ms"] * cell["candidates"] / cell["kernels"]


def compile_label(cell):
    return f"{cell['mode']} {cell['op']} {cell['dtype']} {cell['schedule']}"


# ===----------------------------------------------------------------------===#
# Text
# ===----------------------------------------------------------------------===#


def row(cells):
    return "| " + " | ".join(cells) + " |"


def table(head, rows):
    return [row(head), "|" + "---|" * len(head), *map(row, rows)]


def milliseconds(time):
    if time.get("failed"):
        return "failed"
    return "-" if time.get("ms") is None else f"{time['ms']:.4g}"


def names_of(results):
    return list(dict.fromkeys(name for cell in results["cells"] for name in cell["times"]))


def cell_lines(results):
    names = names_of(results)
    rows = []
    for cell in results["cells"]:
        peer = fastest_peer(cell)
        ratio = "-"
        if peer and cell["ours_ms"]:
            ratio = f"{peers_of(cell)[peer] / cell['ours_ms']:.2f} ({peer})"
        times = [milliseconds(cell["times"][name]) for name in names]
        rows.append([cell["op"], cell["graph"], str(cell["features"]), *times, ratio])
    return table(["op", "graph", "features", *names, "fastest other / ours"], rows)


def mean_lines(results):
    means = geomeans(results["cells"])
    columns = list(dict.fromkeys(key for entry in means.values() for key in entry))
    rows = [
        [name, *("-" if entry[c] is None else f"{entry[c]:.2f}" for c in columns)]
        for name, entry in means.items()
    ]
    return table(["time over ours, geometric mean", *columns], rows)


def aim_lines(results):
    words = {True: "yes", False: "no", None: "not measured"}
    rows = [
        [aim["aim"], aim["reached"] or "-", words[aim["met"]], ", ".join(aim["missed"]) or "-"]
        for aim in results["aims"]
    ]
    return table(["aim", "reached", "met", "missed in"], rows)


def compile_lines(results):
    parts = list(results["cells"][0]["parts_ms"])
    rows = [
        [
            cell["mode"], cell["op"], cell["dtype"], cell["schedule"],
            str(cell["candidates"]), str(cell["kernels"]),
            *(f"{cell['parts_ms'][part]:.1f}" for part in parts),
            f"{cell['min_ms']:.1f}", f"{cell['ours_ms']:.1f}", f"{per_kernel(cell):.1f}",
        ]
        for cell in results["cells"]
    ]  # fmt: skip
    head = ["", "op", "dtype", "family", "candidates", "GPU kernels", *parts]
    return table([*head, "least", "median", "least a GPU kernel"], rows)


def text_of(results):
    where = f"{results['device']}, {results['threads']} threads, {results['date']}"
    versions = ", ".join(f"{name} {text}" for name, text in results["versions"].items())
    where += f", load before {results['load']:.1f}"
    lines = [f"{where}; commit {results['commit'] or 'unknown'}.", "", f"Versions: {versions}."]
    for name, reason in results["skipped"].items():
        lines.append(f"Skipped: {name} ({reason}).")
    if results.get("suite") == "compile":
        lines += ["", *aim_lines(results), "", "In ms a candidate:", ""]
        return "\n".join(lines + compile_lines(results))
    lines += ["", *aim_lines(results), "", *mean_lines(results)]
    lines += ["", "Medians in ms:", "", *cell_lines(results)]
    return "\n".join(lines)


def renew(document, name, text):
    """The document with `text` between the marks of `name`."""
    begin = BEGIN.format(name=name)
    if begin not in document or END not in document.split(begin, 1)[1]:
        raise ValueError(f"expects the marks {begin} and {END}")
    head, rest = document.split(begin, 1)
    return f"{head}{begin}\n{text}\n{END}{rest.split(END, 1)[1]}"


# ===----------------------------------------------------------------------===#
# Plot
# ===----------------------------------------------------------------------===#


def plot(results, path):
    """A panel an operation: times of the others over ours, cell by cell."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot, ticker

    ops = list(dict.fromkeys(cell["op"] for cell in results["cells"]))
    names = [name for name in names_of(results) if name != "ours"]
    figure, panels = pyplot.subplots(
        len(ops), 1, figsize=(11, 4.2 * len(ops)), squeeze=False, layout="constrained"
    )
    for panel, op in zip(panels[:, 0], ops):
        cells = [c for c in results["cells"] if c["op"] == op and c["ours_ms"]]
        for number, name in enumerate(names):
            points = [
                (x, peers_of(cell)[name] / cell["ours_ms"])
                for x, cell in enumerate(cells)
                if name in peers_of(cell)
            ]
            if points:
                marker = "osDv^P"[number % 6]
                panel.plot(*zip(*points), marker, color=f"C{number}", label=name)
        panel.axhline(1, color="black", linewidth=1)
        panel.set_yscale("log")
        panel.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
        panel.yaxis.set_major_formatter(ticker.FormatStrFormatter("%g"))
        panel.yaxis.set_minor_locator(ticker.NullLocator())
        panel.grid(axis="y", alpha=0.3)
        panel.set_xticks(
            range(len(cells)), [f"{c['graph']}\n{c['features']}" for c in cells], fontsize=7
        )
        panel.set_ylabel("time over ours (above 1: ours is faster)")
        panel.set_title(f"{op}, f32, {results['threads']} threads, {results['device']}")
        if panel.get_legend_handles_labels()[0]:
            panel.legend(ncols=len(names), fontsize=8)
    # Without its creation date the same results give the same file.
    figure.savefig(path, dpi=110, metadata={"Software": None})
    pyplot.close(figure)


def main():
    parser = argparse.ArgumentParser(description="Tables and plot of a result file.")
    parser.add_argument("results", type=pathlib.Path, help="JSON of ./dev bench")
    parser.add_argument("--doc", type=pathlib.Path, help="Markdown file to renew the tables of")
    parser.add_argument("--plot", type=pathlib.Path, help="PNG file to draw")
    arguments = parser.parse_args()
    try:
        results = json.loads(arguments.results.read_text())
        # Compile times have a table alone.
        if arguments.plot and results.get("suite") != "compile":
            plot(results, arguments.plot)
        if arguments.doc:
            text = renew(arguments.doc.read_text(), arguments.results.stem, text_of(results))
            arguments.doc.write_text(text)
    except (OSError, ValueError) as error:
        print(f"report: {error}", file=sys.stderr)
        sys.exit(2)
    if not arguments.plot and not arguments.doc:
        print(text_of(results))


if __name__ == "__main__":
    main()
