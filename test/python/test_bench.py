# ===- test_bench.py - ./dev bench ------------------------------------------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# A quick run goes the whole way; how results are checked, timed and reported is
# tested on made-up contestants and numbers.
#
# ===----------------------------------------------------------------------===#
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import time

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

import contestants  # noqa: E402  (needs the path above)
import cpu  # noqa: E402
import inputs  # noqa: E402
import measure  # noqa: E402
import native  # noqa: E402
import report  # noqa: E402

# ===----------------------------------------------------------------------===#
# The whole way
# ===----------------------------------------------------------------------===#


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """The result file of one quick run."""
    if not (ROOT / "build" / "build.ninja").exists() or not (ROOT / ".venv" / ".stamp").exists():
        pytest.skip("./dev build has not run here")
    if shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    output = tmp_path_factory.mktemp("bench")
    done = subprocess.run(
        ["bash", ROOT / "dev", "bench", "cpu", "--quick", "--threads", "2", "--features", "32,19",
         "--output", output],
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert (output / "cpu.png").read_bytes().startswith(b"\x89PNG")
    return json.loads((output / "cpu.json").read_text())


def test_quick_run_measures_all_that_are_there(quick):
    assert {"device", "driver", "commit", "date", "method", "cells"} <= quick.keys()
    assert quick["threads"] == 2
    cells = {(cell["op"], cell["graph"], cell["features"]) for cell in quick["cells"]}
    assert cells == {
        (op, graph, features)
        for op in ("spmm", "sddmm")
        for graph in ("les_miserables", "powerlaw")
        for features in (32, 19)
    }
    expected = {kind.name for kind in contestants.ALL} - quick["skipped"].keys()
    assert {"ours", "twin", "loops", "scipy"} <= expected
    for cell in quick["cells"]:
        assert cell["times"].keys() == expected
        assert cell["schedule"] and cell["decided_by"] == "estimate"
        for name, entry in cell["times"].items():
            if "skipped" in entry:
                assert cell["op"] == "sddmm" and name in ("scipy", "mkl")
                continue
            assert entry["rel_err"] <= measure.TOLERANCE
            assert 0 < entry["min_ms"] <= entry["ms"]
            assert len(entry["round_ms"]) == 2 and entry["calls"] >= 2


def test_quick_run_reports_its_own_cells(quick):
    assert quick["geomeans"] == report.geomeans(quick["cells"])
    assert quick["aims"] == report.aims_of(quick["cells"])
    text = report.text_of(quick)
    assert text.count("| les_miserables |") == 4
    assert "| twin |" in text


def test_what_is_not_installed_is_skipped_with_the_reason(quick, monkeypatch, tmp_path):
    monkeypatch.setattr(native, "EIGEN_FOLDERS", [tmp_path])
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setitem(sys.modules, "torch", None)
    present, skipped = cpu.enter(contestants.Bench(ROOT / "build", 1))
    assert [contestant.name for contestant in present] == ["ours", "twin", "loops", "scipy"]
    assert skipped == {
        "eigen": "Eigen is not installed (Debian: libeigen3-dev)",
        "mkl": "the mkl wheel is not installed",
        "torch": "PyTorch is not installed",
    }


def test_unknown_graph_is_refused(root, tmp_path):
    if not (root / "build" / "lib" / "libAutosageCompiler.so").exists():
        pytest.skip("libAutosageCompiler.so is not built")
    done = subprocess.run(
        [sys.executable, root / "bench" / "cpu.py", "--build", root / "build", "--quick",
         "--graphs", "atlantis", "--output", tmp_path],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert "got atlantis" in done.stderr and "Traceback" not in done.stderr


# ===----------------------------------------------------------------------===#
# Compile times
# ===----------------------------------------------------------------------===#


def test_compile_times_of_a_quick_run(tmp_path):
    if not (ROOT / "build" / "build.ninja").exists() or not (ROOT / ".venv" / ".stamp").exists():
        pytest.skip("./dev build has not run here")
    done = subprocess.run(
        ["bash", ROOT / "dev", "bench", "compile", "--quick", "--output", tmp_path],
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads((tmp_path / "compile.json").read_text())
    assert {"device", "driver", "commit", "date", "method", "cells"} <= results.keys()
    cells = results["cells"]
    assert [cell["mode"] for cell in cells].count("first") == 1
    assert {cell["op"] for cell in cells} == {"spmm", "sddmm", "row_softmax", "attention"}
    assert {cell["dtype"] for cell in cells} == {"f32", "f16"}
    assert {cell["schedule"] for cell in cells} == {"row_group", "row_tasks"}
    for cell in cells:
        assert cell["candidates"] == (2 if cell["mode"] == "batch" else 1)
        assert cell["kernels"] >= cell["candidates"]
        assert 0 < cell["min_ms"] <= cell["ours_ms"]
        assert sum(cell["parts_ms"].values()) == pytest.approx(cell["min_ms"], rel=0.01)
        assert (cell["parts_ms"]["assemble"] > 0) == ("assemble" not in results["skipped"])
    # The promise of alignment saves kernels.
    numbers = {
        mode: sum(cell["kernels"] for cell in cells if cell["mode"] == mode)
        for mode in ("single", "aligned")
    }
    assert numbers["aligned"] < numbers["single"]


def compile_cell(mode, ms, candidates=1, kernels=1):
    return {
        "mode": mode, "op": "spmm", "dtype": "f32", "schedule": "row_group", "ours_ms": 2 * ms,
        "min_ms": ms, "candidates": candidates, "kernels": kernels,
        "parts_ms": {"passes": 0.5 * ms, "host": 0.5 * ms},
    }  # fmt: skip


def test_oracle_report_of_a_quick_run(tmp_path):
    if not (ROOT / "build" / "build.ninja").exists() or not (ROOT / ".venv" / ".stamp").exists():
        pytest.skip("./dev build has not run here")
    done = subprocess.run(
        ["bash", ROOT / "dev", "bench", "oracle", "--quick", "--output", tmp_path],
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    cells = json.loads((tmp_path / "oracle-cpu.json").read_text())["cells"]
    assert [cell["op"] for cell in cells] == ["spmm", "sddmm"]
    assert all(cell["decided_by"] == "probe" for cell in cells)
    assert "cells with a right result: 2 of 2" in done.stdout


def oracle_cell(**changes):
    oracle = {"ratio": 0.9, "probe_ms": 30, "probe_baseline_runs": 60, "replay_us": 20}
    cell = {
        "op": "spmm", "graph": "g", "features": 8, "schedule": "row_group", "ours_ms": 1,
        "decided_by": "probe", "oracle": {**oracle, **changes},
    }  # fmt: skip
    return cell


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, 0),
        ({"ratio": 1.03}, 1),
        ({"ratio": None}, 0),
        ({"probe_ms": 200, "probe_baseline_runs": 4}, 0),
        ({"probe_ms": 200}, 1),
        ({"replay_us": 51}, 1),
    ],
)
def test_oracle_aims(tmp_path, changes, status):
    path = tmp_path / "report.json"
    path.write_text(json.dumps({"cells": [oracle_cell(), oracle_cell(**changes)]}))
    command = [sys.executable, ROOT / "bench" / "oracle_quality.py", path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr


def test_compile_aims_are_of_gpu_kernels_and_of_candidates():
    cells = [
        compile_cell("first", 500),
        compile_cell("single", 100, kernels=2),
        compile_cell("aligned", 61),
        compile_cell("batch", 30, candidates=10, kernels=20),
    ]
    single, aligned, batch, whole = report.compile_aims_of(cells)
    assert single["met"] and single["reached"] == "1 of 1"
    assert aligned["met"] is False and aligned["missed"] == ["aligned spmm f32 row_group"]
    assert batch["met"]  # 15 ms each
    assert whole["reached"] == "1 of 2" and whole["missed"] == ["aligned spmm f32 row_group"]
    assert report.compile_aims_of([])[0]["met"] is None


def test_compile_table_is_renewed_without_a_plot(tmp_path):
    cells = [compile_cell("batch", 30, candidates=10, kernels=20)]
    results = {
        "suite": "compile", "device": "a CPU", "threads": 1, "date": "2026-01-02", "load": 0.1,
        "commit": "abc", "versions": {"chip": "sm_90"}, "skipped": {}, "cells": cells,
        "aims": report.compile_aims_of(cells),
    }  # fmt: skip
    (tmp_path / "compile.json").write_text(json.dumps(results))
    document = tmp_path / "page.md"
    document.write_text("a\n<!-- results: compile -->\nold\n<!-- end of results -->\nb\n")
    done = subprocess.run(
        [sys.executable, ROOT / "bench" / "report.py", tmp_path / "compile.json", "--plot",
         tmp_path / "compile.png", "--doc", document],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "compile.png").exists()
    text = document.read_text()
    row = "| batch | spmm | f32 | row_group | 10 | 20 | 15.0 | 15.0 | 30.0 | 60.0 | 15.0 |"
    assert row in text and "old" not in text


# ===----------------------------------------------------------------------===#
# Checking and timing
# ===----------------------------------------------------------------------===#

GRAPH = inputs.Graph("small", np.array([0, 2, 2, 3], np.int32), np.array([0, 3, 1], np.int32), 4)


class Fake:
    """A contestant whose result is the reference, changed."""

    def __init__(self, name, change=lambda result: result, seconds=0.0, log=None):
        self.name = name
        self.change = change
        self.seconds = seconds
        self.log = log

    def prepare(self, problem):
        def call():
            if self.log is not None:
                self.log.append(self.name)
            time.sleep(self.seconds)
            return self.change(problem.reference.copy())

        return contestants.PythonCall(call, lambda result: result)


def test_references():
    spmm = inputs.Problem("spmm", GRAPH, 5)
    expected = np.zeros((3, 5))
    expected[0] = np.float64(spmm.values[0]) * spmm.x[0] + np.float64(spmm.values[1]) * spmm.x[3]
    expected[2] = np.float64(spmm.values[2]) * spmm.x[1]
    np.testing.assert_allclose(spmm.reference, expected, rtol=1e-12)

    sddmm = inputs.Problem("sddmm", GRAPH, 5)
    pairs = [(0, 0), (0, 3), (2, 1)]
    dots = [float(np.float64(sddmm.x[i]) @ np.float64(sddmm.k[j])) for i, j in pairs]
    np.testing.assert_allclose(sddmm.reference, dots, rtol=1e-12)


def not_a_number(result):
    result[0] = math.nan
    return result


@pytest.mark.parametrize("change", [not_a_number, lambda r: r * 1.0001, lambda r: r + math.inf])
def test_wrong_results_have_no_time(change):
    problem = inputs.Problem("spmm", GRAPH, 5)
    fakes = [Fake("right"), Fake("wrong", change)]
    times = measure.measure(fakes, problem, measure.Effort(2, 0.001))
    assert times["wrong"]["failed"] and "ms" not in times["wrong"]
    assert times["right"]["ms"] > 0 and "failed" not in times["right"]


def test_turns_rotate_and_take_as_long_as_asked():
    log = []
    fakes = [Fake("a", log=log, seconds=0.002), Fake("b", log=log, seconds=0.004)]
    times = measure.measure(
        fakes, inputs.Problem("sddmm", GRAPH, 5), measure.Effort(2, 0.02)
    )
    turns = [name for i, name in enumerate(log) if i == 0 or log[i - 1] != name]
    # One call each for the check, then two rounds.
    assert turns == ["a", "b", "a", "b", "a"]
    assert times["a"]["min_ms"] >= 2 and times["b"]["min_ms"] >= 4
    assert times["a"]["calls"] >= 2


def test_native_call_poisons_its_output(quick):
    bench = contestants.Bench(ROOT / "build", 1)
    problem = inputs.Problem("spmm", GRAPH, 5)
    call = contestants.Twin(bench).prepare(problem)
    assert problem.error(call.result()) < measure.TOLERANCE
    # A function that writes nothing.
    call.function = contestants.ctypes.cast(bench.timer.omp_get_wtime, contestants.POINTER)
    assert np.isnan(call.result()).all()


# ===----------------------------------------------------------------------===#
# Report
# ===----------------------------------------------------------------------===#


def cell(op, graph, ours, **peers):
    times = {name: {"ms": ms} for name, ms in {"ours": ours, **peers}.items()}
    return {"op": op, "graph": graph, "features": 32, "ours_ms": ours, "times": times}


CELLS = [
    cell("spmm", "cora", 0.010, twin=0.020, eigen=0.040),
    cell("spmm", "big", 2.0, twin=1.0, eigen=4.0),
    cell("sddmm", "cora", 0.030, twin=0.0303, eigen=None),
]


def test_geomeans():
    means = report.geomeans(CELLS)
    assert means["twin"]["spmm"] == pytest.approx(1.0)
    assert means["twin"]["sddmm"] == pytest.approx(1.01)
    assert means["twin"]["all"] == pytest.approx(1.01 ** (1 / 3))
    assert means["eigen"]["sddmm"] is None
    assert means["eigen"]["spmm"] == means["eigen"]["all"] == pytest.approx(8**0.5)


def test_aims():
    aims = {aim["aim"].split(" over")[0]: aim for aim in report.aims_of(CELLS)}
    ahead = aims["at or ahead of the fastest in every cell"]
    assert (ahead["met"], ahead["reached"], ahead["missed"]) == (False, "2 of 3", ["spmm big 32"])
    assert aims["geometric mean of twin"]["met"] is False
    assert aims["geometric mean of eigen"]["met"] is True
    assert aims["geometric mean of torch"]["met"] is None
    small = aims["cora in at most 20 µs a call"]
    assert (small["met"], small["missed"]) == (False, ["sddmm cora 32"])


def test_a_failed_contestant_is_named():
    failed = cell("spmm", "cora", 0.01, twin=0.02)
    failed["times"]["mkl"] = {"failed": True}
    assert report.milliseconds(failed["times"]["mkl"]) == "failed"
    assert report.fastest_peer(failed) == "twin"
    assert "mkl" not in report.geomeans([failed])


def test_tables_replace_what_is_between_the_marks():
    begin = report.BEGIN.format(name="cpu")
    text = f"a\n{begin}\nold\n{report.END}\nb\n"
    renewed = report.renew(text, "cpu", "new")
    assert renewed == f"a\n{begin}\nnew\n{report.END}\nb\n"
    assert report.renew(renewed, "cpu", "new") == renewed
    with pytest.raises(ValueError):
        report.renew("no marks", "cpu", "new")


def test_document_shows_the_stored_results():
    document = (ROOT / "docs" / "benchmarks.md").read_text()
    stored = ROOT / "docs" / "results" / "cpu.json"
    if not stored.exists():
        pytest.skip("no results are stored; to make them, run ./dev bench cpu")
    results = json.loads(stored.read_text())
    # To repair: ./dev bench report
    assert report.renew(document, "cpu", report.text_of(results)) == document
    assert stored.with_suffix(".png").exists()
    assert results["aims"] == report.aims_of(results["cells"])
    for entry in results["cells"]:
        assert not any(time.get("failed") for time in entry["times"].values())


def test_bench_requirements_are_pinned():
    lines = (ROOT / "bench" / "requirements.txt").read_text().splitlines()
    packages = [line for line in lines if line and not line.startswith("#")]
    assert packages
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][0-9.]*", package) for package in packages)
