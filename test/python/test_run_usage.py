# ===- test_run_usage.py - bad usage and bad input of autosage-run ---------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Every mistake ends in status 2 and one line on stderr that names the culprit.
#
# ===----------------------------------------------------------------------===#
import numpy as np
import pytest
import scipy.sparse


@pytest.fixture
def graph(tool):
    path = tool.folder / "graph.npz"
    matrix = scipy.sparse.random(12, 9, 0.3, "csr", np.float64, np.random.default_rng(1))
    scipy.sparse.save_npz(path, matrix)
    return path


@pytest.mark.parametrize(
    "options, named",
    [
        (["--op", "gemm", "--features", 8], "gemm"),
        (["--op", "spmm", "--features", -1], "features"),
        (["--op", "spmm", "--features", "many"], "features"),
        (["--op", "spmm", "--features", 8, "--reduce", "median"], "median"),
        (["--op", "spmm", "--features", 8, "--dtype", "f8"], "f8"),
        (["--op", "spmm", "--features", 8, "--out-dtype", "f16"], "--out-dtype"),
        (["--op", "spmm", "--features", 8, "--cpu", "z80"], "z80"),
        (["--op", "spmm", "--features", 8, "--cpu-features", "+sse9"], "+sse9"),
        (["--op", "spmm", "--features", 8, "--heads", 0], "heads"),
        (["--op", "spmm", "--features", 8, "--nonsense"], "nonsense"),
        (["--op", "spmm", "--features", 8, "--reduce", "max", "--accumulate"], "accumulate"),
        (["--op", "spmm", "--features", 8, "--schedule", "fastest"], "fastest"),
        (["--op", "spmm", "--features", 8, "--oracle", "guess"], "guess"),
        (["--op", "spmm", "--features", 8, "--probe-k", 4], "--oracle probe"),
        (["--op", "spmm", "--features", 8, "--oracle", "probe", "--schedule", "row_parallel"], "--schedule auto"),
        (["--op", "spmm", "--features", 8, "--x", "absent.npy"], "absent.npy"),
        (["--op", "attention", "--features", 8, "--score", "cosine"], "cosine"),
        (["--features", 8], "op"),
    ],
)
def test_bad_options(tool, graph, options, named):
    assert named in tool.refuses(graph, *options)


def test_no_arguments(tool):
    assert tool.run().returncode == 2


def test_help(tool):
    done = tool.run("--help")
    assert done.returncode == 0
    for option in ("--op", "--features", "--schedule", "--check", "--json"):
        assert option in done.stdout


@pytest.mark.parametrize("content", [b"", b"not a graph\n", b"PK\x03\x04 cut short", b"\0" * 64])
@pytest.mark.parametrize("name", ["graph.mtx", "graph.npz", "graph.bin"])
def test_unreadable_graph(tool, name, content):
    path = tool.folder / name
    path.write_bytes(content)
    assert name in tool.refuses(path, "--op", "spmm", "--features", 8)


def test_missing_graph(tool):
    assert "absent.mtx" in tool.refuses("absent.mtx", "--op", "spmm", "--features", 8)


def test_graph_is_a_folder(tool):
    assert tool.folder.name in tool.refuses(tool.folder, "--op", "spmm", "--features", 8)


@pytest.mark.parametrize(
    "shape, numbers", [((9, 7), ("8", "7")), ((12, 8), ("9", "12")), ((9, 1, 8), ())]
)
def test_operand_of_wrong_shape(tool, graph, shape, numbers):
    # Rank 3 is only right where heads were asked for.
    x = tool.save("x", np.zeros(shape, np.float32))
    heads = ["--heads", 2] if len(shape) == 3 else []
    line = tool.refuses(graph, "--op", "spmm", "--features", 8, *heads, "--x", x)
    assert "expects" in line
    for number in numbers:
        assert number in line


def test_operand_is_no_array(tool, graph):
    path = tool.folder / "x.npy"
    path.write_bytes(b"\x93NUMPY\x01\x00\xff\xff{")
    assert "x.npy" in tool.refuses(graph, "--op", "spmm", "--features", 8, "--x", path)


def test_operand_of_objects(tool, graph):
    path = tool.folder / "x.npy"
    np.save(path, np.array([[None] * 8] * 9, dtype=object), allow_pickle=True)
    assert "x.npy" in tool.refuses(graph, "--op", "spmm", "--features", 8, "--x", path)


def test_output_folder_is_missing(tool, graph):
    target = tool.folder / "absent" / "out.npy"
    tool.refuses(graph, "--op", "spmm", "--features", 8, "--output", target)


def test_edge_values_of_wrong_length(tool, graph):
    path = tool.save("w", np.zeros(3, np.float32))
    line = tool.refuses(graph, "--op", "spmm", "--features", 8, "--edge-values", path)
    assert "expects" in line and "3" in line


def test_failed_write_leaves_json_clean(tool, graph):
    done = tool.run(
        *[graph, "--op", "spmm", "--features", 8, "--x", "absent.npy", "--json", "-"]
    )
    assert done.returncode == 2
    assert done.stdout == ""
