# ===- test_run_files.py - files that autosage-run reads and writes --------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
import io
import json
import subprocess

import numpy as np
import pytest
import scipy.io
import scipy.sparse

import graph_reference as reference

SPMM = ["--op", "spmm", "--features", 6]


def random_matrix(rows=40, cols=30, density=0.1, seed=5):
    rng = np.random.default_rng(seed)
    matrix = scipy.sparse.random(rows, cols, density, "csr", np.float64, rng)
    matrix.data = np.round(64 * matrix.data) / 64
    return matrix


def expect_spmm(out, matrix, x):
    np.testing.assert_allclose(out, matrix @ x.astype(np.float64), rtol=1e-5, atol=1e-5)


# ===----------------------------------------------------------------------===#
# Graphs
# ===----------------------------------------------------------------------===#


@pytest.mark.parametrize("layout", ["mtx", "npz", "npz_deflated", "npz_csc", "npz_i64"])
def test_graph_layouts(tool, layout):
    matrix = random_matrix()
    path = tool.folder / ("graph.mtx" if layout == "mtx" else "graph.npz")
    if layout == "mtx":
        scipy.io.mmwrite(path, matrix)
    elif layout == "npz_csc":
        scipy.sparse.save_npz(path, matrix.tocsc())
    elif layout == "npz_i64":
        wide = matrix.copy()
        wide.indptr, wide.indices = wide.indptr.astype("i8"), wide.indices.astype("i8")
        scipy.sparse.save_npz(path, wide)
    else:
        scipy.sparse.save_npz(path, matrix, compressed=layout == "npz_deflated")
    x = np.random.default_rng(1).standard_normal((30, 6)).astype(np.float32)
    expect_spmm(tool.output(path, *SPMM, "--x", tool.save("x", x)), matrix, x)


def test_graph_adj_layout(tool):
    matrix = random_matrix()
    path = tool.folder / "graph.npz"
    np.savez(
        path,
        adj_data=matrix.data.astype(np.float32),
        adj_indices=matrix.indices,
        adj_indptr=matrix.indptr,
        adj_shape=matrix.shape,
    )
    x = np.random.default_rng(1).standard_normal((30, 6)).astype(np.float32)
    expect_spmm(tool.output(path, *SPMM, "--x", tool.save("x", x)), matrix, x)


@pytest.mark.parametrize("symmetry", ["symmetric", "skew-symmetric"])
def test_matrix_market_mirrors(tool, symmetry):
    lower = scipy.sparse.tril(random_matrix(30, 30), k=-1).tocsr()
    whole = lower + (lower.T if symmetry == "symmetric" else -lower.T)
    path = tool.folder / "graph.mtx"
    scipy.io.mmwrite(path, whole, symmetry=symmetry)
    x = np.random.default_rng(1).standard_normal((30, 6)).astype(np.float32)
    expect_spmm(tool.output(path, *SPMM, "--x", tool.save("x", x)), whole, x)


def test_exported_graph(tool):
    import export_graph

    matrix = export_graph.real_graph("les_miserables")
    path = tool.folder / "les_miserables.mtx"
    export_graph.write_graph(str(path), matrix, "test")
    result = tool.json(path, *SPMM, "--check")
    assert result["graph"]["rows"] == result["graph"]["cols"] == 77
    assert result["graph"]["nnz"] == matrix.nnz == 508
    assert result["check"]["passed"] is True


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (4, 0), (4, 5)])
def test_graph_without_edges(tool, shape):
    path = tool.folder / "empty.npz"
    scipy.sparse.save_npz(path, scipy.sparse.csr_matrix(shape, dtype=np.float64))
    out = tool.output(path, *SPMM)
    assert out.shape == (shape[0], 6)
    assert not out.any()


def test_zero_features(tool):
    path = tool.folder / "graph.npz"
    scipy.sparse.save_npz(path, random_matrix())
    assert tool.output(path, "--op", "spmm", "--features", 0).shape == (40, 0)


# ===----------------------------------------------------------------------===#
# Dense operands
# ===----------------------------------------------------------------------===#


@pytest.mark.parametrize("storage", ["fortran", "big_endian", "f16", "f64", "i32"])
def test_operand_storage(tool, storage):
    matrix = random_matrix()
    path = tool.folder / "graph.npz"
    scipy.sparse.save_npz(path, matrix)
    # Small whole numbers are exact in every type.
    x = np.random.default_rng(1).integers(-8, 9, (30, 6)).astype(np.float32)
    stored = {
        "fortran": lambda: np.asfortranarray(x),
        "big_endian": lambda: x.astype(">f4"),
        "f16": lambda: x.astype(np.float16),
        "f64": lambda: x.astype(np.float64),
        "i32": lambda: x.astype(np.int32),
    }[storage]()
    plain = tool.output(path, *SPMM, "--x", tool.save("plain", x))
    other = tool.output(path, *SPMM, "--x", tool.save("stored", stored))
    np.testing.assert_array_equal(plain, other)
    expect_spmm(other, matrix, x)


def bf16_file(tool, name, values):
    """As ml_dtypes saves bf16: `V2`, which NumPy alone does not write by itself."""
    raw = (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return tool.save(name, raw.view("V2"))


def test_bf16_file(tool):
    matrix = random_matrix()
    path = tool.folder / "graph.npz"
    scipy.sparse.save_npz(path, matrix)
    x = np.random.default_rng(1).integers(-8, 9, (30, 6)).astype(np.float32)
    half = [*SPMM, "--dtype", "bf16"]
    plain = tool.output(path, *half, "--x", tool.save("plain", x))
    stored = tool.output(path, *half, "--x", bf16_file(tool, "stored", x))
    np.testing.assert_array_equal(plain, stored)
    wide = tool.output(path, *SPMM, "--x", bf16_file(tool, "stored", x))
    expect_spmm(wide, matrix, x)


# f16 comes out as f16, bf16 widened, and f32 where asked.
@pytest.mark.parametrize("dtype, stored", [("f16", np.float16), ("bf16", np.float32)])
def test_half_outputs(tool, dtype, stored):
    path = tool.folder / "graph.npz"
    scipy.sparse.save_npz(path, random_matrix())
    half = [*SPMM, "--dtype", dtype]
    narrow = tool.output(path, *half)
    wide = tool.output(path, *half, "--out-dtype", "f32")
    assert narrow.dtype == stored and wide.dtype == np.float32
    # One rounding apart: at most half of a unit in the last place.
    error = np.abs(narrow.astype(np.float64) - wide)
    unit = 2.0 ** (-11 if dtype == "f16" else -8)
    assert (error <= unit * np.abs(wide)).all() and error.any()


def test_half_operands_out_of_range(tool):
    path = tool.folder / "graph.npz"
    scipy.sparse.save_npz(path, random_matrix())
    x = np.full((30, 6), 70000.0, np.float32)
    run = tool.run(path, *SPMM, "--dtype", "f16", "--x", tool.save("x", x), "--check")
    assert "180 values exceed the range of f16 and became infinite" in run.stderr


def test_nan_stays_in_its_rows(tool):
    matrix = random_matrix()
    path = tool.folder / "graph.npz"
    scipy.sparse.save_npz(path, matrix)
    x = np.ones((30, 6), np.float32)
    x[3] = np.nan
    out = tool.output(path, *SPMM, "--x", tool.save("x", x))
    touched = np.diff(matrix[:, [3]].tocsr().indptr) > 0
    assert touched.any() and not touched.all()
    np.testing.assert_array_equal(np.isnan(out).all(axis=1), touched)
    np.testing.assert_array_equal(np.isnan(out).any(axis=1), touched)


def test_seed_fixes_operands(tool):
    path = tool.folder / "graph.npz"
    scipy.sparse.save_npz(path, random_matrix())
    first = tool.output(path, *SPMM, "--seed", 5)
    again = tool.output(path, *SPMM, "--seed", 5)
    other = tool.output(path, *SPMM, "--seed", 6)
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


# ===----------------------------------------------------------------------===#
# JSON and IR
# ===----------------------------------------------------------------------===#

KEYS = {
    "graph": {"path", "rows", "cols", "nnz", "fingerprint"},
    "run": {"median_ms", "min_ms", "gflops", "gbytes_per_s"},
    "check": {"reference", "rel_err", "tolerance", "passed"},
}
TOP_KEYS = {
    *("op", "features", "heads", "dtype", "out_dtype", "target", "schedule", "decided_by", "candidates"),
    *("baseline", "compile_ms", "probe_ms", "workspace_bytes", *KEYS),
}


@pytest.mark.parametrize("to", ["stdout", "file"])
def test_json_keys(tool, to):
    path = tool.folder / "graph.npz"
    scipy.sparse.save_npz(path, random_matrix())
    target = "-" if to == "stdout" else tool.folder / "out.json"
    done = tool.run(path, *SPMM, "--repeat", 2, "--check", "--json", target)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout if to == "stdout" else target.read_text())
    assert TOP_KEYS <= set(result)
    for section, keys in KEYS.items():
        assert keys <= set(result[section])
    assert result["graph"]["rows"] == 40 and result["graph"]["cols"] == 30
    assert (result["op"], result["features"], result["dtype"]) == ("spmm", 6, "f32")
    assert result["target"] == "cpu"
    assert result["decided_by"] == "estimate"
    assert result["schedule"].startswith("row_parallel")
    assert result["run"]["median_ms"] >= result["run"]["min_ms"] > 0
    assert 0 <= result["check"]["rel_err"] <= result["check"]["tolerance"]


def test_json_without_check_is_null(tool):
    path = tool.folder / "graph.npz"
    scipy.sparse.save_npz(path, random_matrix())
    assert tool.json(path, *SPMM)["check"] is None


def test_emitted_ir_parses(tool, bin_dir):
    path, ir = tool.folder / "graph.npz", tool.folder / "kernel.mlir"
    scipy.sparse.save_npz(path, random_matrix())
    tool.json(path, *SPMM, "--emit-mlir", ir)
    text = ir.read_text()
    assert "autosage.spmm" in text and "schedule<" not in text and "stats<" not in text
    done = subprocess.run(
        [bin_dir / "autosage-opt", ir], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr


# ===----------------------------------------------------------------------===#
# The shared graphs
# ===----------------------------------------------------------------------===#


@pytest.mark.parametrize(
    "name, op",
    [
        ("cora.mtx", "spmm"),
        ("cora.npz", "sddmm"),
        ("pubmed.mtx", "attention"),
        ("p2p-Gnutella31.mtx", "row_softmax"),
        ("bcsstk13.mtx", "spmm"),
        ("lp_afiro.mtx", "sddmm"),
        ("empty.mtx", "spmm"),
    ],
)
def test_shared_graph_passes_check(tool, shared_data, name, op):
    options = ["--op", op, "--features", 16, "--dtype", "f64", "--check"]
    assert tool.json(shared_data / name, *options)["check"]["passed"] is True


def read_with_scipy(path):
    """SciPy refuses comments among the entries, which the format allows."""
    header, *rest = path.read_text().splitlines(keepends=True)
    rest = [line for line in rest if line.strip() and not line.startswith("%")]
    return scipy.io.mmread(io.BytesIO("".join([header, *rest]).encode())).tocsr()


@pytest.mark.parametrize("name", ["cora.mtx", "west0067_jumbled.mtx", "lp_afiro.mtx"])
def test_shared_graph_equals_scipy(tool, shared_data, name):
    matrix = read_with_scipy(shared_data / name)
    x = np.random.default_rng(2).standard_normal((matrix.shape[1], 6))
    out = tool.output(
        shared_data / name, *SPMM, "--dtype", "f64", "--x", tool.save("x", x)
    )
    np.testing.assert_allclose(out, matrix @ x, rtol=1e-12, atol=1e-12)


MALFORMED = [*(f"mangled{i}.mtx" for i in range(1, 17) if i != 14), "mangled_format.mtx"]


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_graph_is_refused(tool, shared_data, name):
    line = tool.refuses(shared_data / name, *SPMM)
    assert name in line
