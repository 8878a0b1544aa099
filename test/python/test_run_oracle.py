# ===- test_run_oracle.py - who chooses the schedule of autosage-run ------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Decisions by measurement, kept in a file and taken from it, as the report and
# the messages have them. Which schedule wins is the machine's affair.
#
# ===----------------------------------------------------------------------===#
import os

import numpy as np
import pytest
import scipy.sparse

SPMM = ["--op", "spmm", "--features", 32, "--check"]
PROBE = ["--oracle", "probe"]


@pytest.fixture
def graph(tool):
    path = tool.folder / "graph.npz"
    matrix = scipy.sparse.random(600, 500, 0.02, "csr", np.float64, np.random.default_rng(7))
    scipy.sparse.save_npz(path, matrix)
    return path


@pytest.fixture
def cache(tool):
    return ["--cache", tool.folder / "decisions.sqlite"]


def warnings_of(done):
    return [line for line in done.stderr.splitlines() if line.startswith("warning: ")]


def test_a_probe_is_measured_once(tool, graph, cache):
    first = tool.json(graph, *SPMM, *PROBE, *cache, "--output", tool.folder / "a.npy")
    assert first["decided_by"] == "probe"
    assert first["probe_ms"] > 0 and first["compile_ms"] > 0
    measured = [c for c in first["candidates"] if c["probe_ms"] > 0]
    assert measured
    for candidate in first["candidates"]:
        assert {"schedule", "estimate_ms", "probe_ms", "rejected"} <= candidate.keys()
        assert candidate["rejected"] is None
    assert first["baseline"]["name"] == "row_parallel"
    assert first["baseline"]["ms"] > 0
    assert first["check"]["passed"]

    second = tool.json(graph, *SPMM, *PROBE, *cache, "--output", tool.folder / "b.npy")
    assert second["decided_by"] == "cache"
    assert second["probe_ms"] == 0
    for key in ("schedule", "candidates", "baseline", "guardrail"):
        assert second[key] == first[key]
    assert (np.load(tool.folder / "a.npy") == np.load(tool.folder / "b.npy")).all()


def test_replay_takes_what_was_decided(tool, graph, cache):
    probed = tool.json(graph, *SPMM, *PROBE, *cache)
    replayed = tool.json(graph, *SPMM, "--oracle", "replay", *cache)
    assert replayed["decided_by"] == "cache"
    assert replayed["probe_ms"] == 0
    assert replayed["schedule"] == probed["schedule"]
    # The estimate, too, gives way to what was measured.
    assert tool.json(graph, *SPMM, *cache)["schedule"] == probed["schedule"]
    # Another width is another question.
    wider = tool.json(graph, "--op", "spmm", "--features", 48, "--oracle", "replay", *cache)
    assert wider["decided_by"] == "fallback"


def test_replay_of_an_unknown_graph_says_so(tool, graph, cache):
    done = tool.run(graph, *SPMM, "--oracle", "replay", *cache, "--repeat", 1)
    assert done.returncode == 0
    assert "decided by fallback" in done.stdout
    assert len(warnings_of(done)) == 1
    again = tool.json(graph, *SPMM, "--oracle", "replay", *cache)
    assert again["decided_by"] == "fallback"
    assert again["candidates"] == [] and again["baseline"] is None
    assert again["check"]["passed"]


def test_a_schedule_of_the_report_can_be_given_back(tool, graph, cache):
    probed = tool.json(graph, *SPMM, *PROBE, *cache)
    given = tool.json(graph, *SPMM, *cache, "--schedule", probed["schedule"])
    assert given["schedule"] == probed["schedule"]
    assert given["decided_by"] == "user"


@pytest.mark.parametrize("place", ["graph.npz/decisions.sqlite", "."])
def test_an_unusable_cache_is_a_warning(tool, graph, place):
    done = tool.run(graph, *SPMM, *PROBE, "--cache", tool.folder / place, "--repeat", 1)
    assert done.returncode == 0, done.stderr
    assert warnings_of(done), done.stderr
    assert "decided by probe" in done.stdout and "passed" in done.stdout


def test_a_damaged_cache_is_replaced(tool, graph, cache):
    cache[1].write_bytes(os.urandom(256))
    done = tool.run(graph, *SPMM, *PROBE, *cache, "--repeat", 1)
    assert done.returncode == 0
    assert warnings_of(done)
    assert "decided by probe" in done.stdout
    assert tool.json(graph, *SPMM, *PROBE, *cache)["decided_by"] == "cache"


def test_without_a_cache_every_run_decides(tool, graph):
    for _ in range(2):
        assert tool.json(graph, *SPMM, *PROBE, "--cache", "")["decided_by"] == "probe"


def test_the_environment_names_the_cache(tool, graph):
    tool.environment["AUTOSAGE_DECISION_CACHE"] = str(tool.folder / "named.sqlite")
    assert tool.json(graph, *SPMM, *PROBE)["decided_by"] == "probe"
    assert tool.json(graph, *SPMM, *PROBE)["decided_by"] == "cache"


@pytest.mark.parametrize(
    "op",
    [
        ["--op", "spmm", "--features", 16, "--transpose"],
        ["--op", "spmm", "--features", 16, "--accumulate"],
        ["--op", "spmm", "--features", 7, "--reduce", "max", "--dtype", "f16"],
        ["--op", "sddmm", "--features", 16, "--dtype", "f64", "--index", "i64"],
        ["--op", "row_softmax", "--heads", 2],
        ["--op", "attention", "--features", 16, "--heads", 2],
        ["--op", "attention", "--features", 16, "--attention", "composed"],
    ],
)
def test_every_operation_can_be_probed(tool, graph, cache, op):
    report = tool.json(graph, *op, "--check", *PROBE, *cache)
    assert report["decided_by"] == "probe"
    assert report["check"]["passed"]


def test_probing_leaves_the_output_alone(tool, graph, cache):
    """An accumulating operation has run once when its output is written."""
    op = [graph, "--op", "spmm", "--features", 8, "--accumulate", "--seed", 3]
    expected = tool.output(*op, "--schedule", "row_parallel")
    got = tool.output(*op, *PROBE, *cache)
    assert np.linalg.norm(got - expected) <= 1e-6 * np.linalg.norm(expected)


def test_options_of_a_probe(tool, graph, cache):
    one = tool.json(
        *[graph, *SPMM, *PROBE, *cache, "--probe-k", 1, "--guardrail", "off"],
        *["--probe-fraction", 0.3, "--probe-budget-ms", 60000, "--expected-calls", 100000],
    )
    assert one["decided_by"] == "probe"
    assert one["guardrail"] is None
    # As often as stated is part of the question.
    other = tool.json(graph, *SPMM, *PROBE, *cache, "--guardrail-margin", 0.9)
    assert other["decided_by"] == "probe"
    assert other["guardrail"]["margin"] == pytest.approx(0.9)
    assert other["guardrail"]["kept_baseline"]


def test_a_small_budget_ends_the_search(tool, graph, cache):
    report = tool.json(graph, *SPMM, *PROBE, *cache, "--probe-budget-ms", 0.001)
    assert report["decided_by"] in ("probe", "estimate", "fallback")
    assert report["check"]["passed"]


def test_online_guardrail(tool, graph, cache):
    options = [*PROBE, *cache, "--guardrail", "online", "--nondeterministic"]
    done = tool.run(graph, *SPMM, *options, "--repeat", 200)
    assert done.returncode == 0, done.stderr
    assert "passed" in done.stdout


def test_explain_names_the_candidates(tool, graph, cache):
    done = tool.run(graph, *SPMM, *PROBE, *cache, "--explain", "--repeat", 1)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert [line for line in lines if line.startswith("chosen    ")]
    candidates = [line for line in lines if line.startswith("candidate ")]
    assert candidates and any("probe " in line for line in candidates)
    assert [line for line in lines if line.startswith("baseline  row_parallel (")]


def test_the_emulator_is_not_timed(tool, graph, cache):
    report = tool.json(
        graph, "--target", "simt", "--op", "spmm", "--features", 4, *PROBE, *cache
    )
    assert report["decided_by"] in ("estimate", "fallback")
    assert report["probe_ms"] == 0
    assert all(c["probe_ms"] == 0 for c in report["candidates"])


def test_graphs_that_never_repeat(tool, cache):
    """Samples of one kind: after a few, decisions come from the class."""
    seen = []
    for seed in range(8):
        path = tool.folder / f"batch{seed}.npz"
        rng = np.random.default_rng(seed)
        matrix = scipy.sparse.random(400, 400, 0.02, "csr", np.float64, rng)
        scipy.sparse.save_npz(path, matrix)
        report = tool.json(path, *SPMM, *PROBE, *cache, "--never-repeats")
        assert report["check"]["passed"]
        seen.append(report["decided_by"])
    assert "class" in seen, seen
