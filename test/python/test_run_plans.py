# ===- test_run_plans.py - what autosage-run prepares, and keeps ----------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Times and memory of plans as the report has them, and kernels that a later
# process takes from the cache on disk.
#
# ===----------------------------------------------------------------------===#
import numpy as np
import pytest
import scipy.sparse

ROWS, COLS, HEADS = 120, 90, 3


@pytest.fixture
def matrix():
    return scipy.sparse.random(ROWS, COLS, 0.1, "csr", np.float64, np.random.default_rng(5))


@pytest.fixture
def graph(tool, matrix):
    path = tool.folder / "graph.npz"
    scipy.sparse.save_npz(path, matrix)
    return path


@pytest.fixture
def kept(tool):
    """The tool with a cache folder of its own."""
    tool.environment["AUTOSAGE_CACHE_DIR"] = str(tool.folder / "cache")
    return tool


SPMM = ["--op", "spmm", "--features", 24, "--check"]


def test_a_second_process_compiles_nothing(kept, graph):
    outputs = []
    for expected in (True, False):
        out = kept.folder / "out.npy"
        report = kept.json(graph, *SPMM, "--output", out)
        assert (report["compile_ms"] > 0) == expected
        assert report["prepare_ms"] > 0
        assert report["check"]["passed"]
        outputs.append(np.load(out))
    assert (outputs[0] == outputs[1]).all()
    # Another CPU's kernel is another one.
    assert kept.json(graph, *SPMM, "--cpu", "x86-64")["compile_ms"] > 0


def test_nothing_is_kept_without_a_folder(tool, graph):
    for _ in range(2):
        assert tool.json(graph, *SPMM)["compile_ms"] > 0


def test_a_damaged_kernel_is_compiled_again(kept, graph):
    kept.json(graph, *SPMM)
    kernels = [p for p in (kept.folder / "cache").rglob("*") if p.is_file() and p.stat().st_size > 1000]
    kernels = [p for p in kernels if not p.name.startswith("decisions")]
    assert len(kernels) == 1
    damaged = bytearray(kernels[0].read_bytes())
    damaged[len(damaged) // 2] ^= 0xFF
    kernels[0].write_bytes(damaged)
    done = kept.run(graph, *SPMM, "--repeat", 1)
    assert done.returncode == 0
    assert [line for line in done.stderr.splitlines() if line.startswith("warning: ")]
    assert "passed" in done.stdout


def test_no_compiler_at_hand(tool, graph):
    tool.environment["AUTOSAGE_COMPILER"] = "/nonexistent/libAutosageCompiler.so"
    assert "cannot load the compiler" in tool.refuses(graph, *SPMM)


def test_workspace_of_composed_attention(tool, graph, matrix):
    report = tool.json(
        *[graph, "--op", "attention", "--attention", "composed", "--features", 8],
        *["--heads", HEADS, "--check"],
    )
    assert report["workspace_bytes"] == 4 * HEADS * matrix.nnz
    assert report["check"]["passed"]


@pytest.mark.parametrize(
    "options", [["--schedule", "row_tasks, chunk = 32"], ["--transpose", "--schedule", "row_group"]]
)
def test_task_lists_and_transposes_belong_to_the_plan(tool, graph, options):
    simt = ["--target", "simt", "--features", 8, "--op", "spmm", "--check"]
    assert tool.json(graph, *simt, "--schedule", "row_group")["workspace_bytes"] == 0
    report = tool.json(graph, *simt, *options)
    assert report["workspace_bytes"] >= 4 * ROWS
    assert report["prepare_ms"] > 0
    assert report["check"]["passed"]


def test_vectors_of_the_named_cpu(tool, graph):
    report = tool.json(graph, *SPMM, "--cpu", "x86-64")
    assert "vec = 4" in report["schedule"]  # SSE2
    assert report["check"]["passed"]
