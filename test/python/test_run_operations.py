# ===- test_run_operations.py - autosage-run against SciPy -----------------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Every operation of autosage-run on operands from files, its output compared
# with SciPy and NumPy in f64. The graph has a hub row, empty rows, duplicate
# and unsorted columns, and is not square.
#
# ===----------------------------------------------------------------------===#
import numpy as np
import pytest
import scipy.sparse

import graph_reference as reference

ROWS, COLS = 97, 61
# Half precision: the rounding of the result alone, 2^-11 and 2^-8 at most.
TOLERANCE = {"f32": 2e-6, "f64": 1e-13, "f16": 2.0**-11, "bf16": 2.0**-8}
NUMPY = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": np.float32}

dtypes = pytest.mark.parametrize("dtype", ["f32", "f64", "f16", "bf16"])


def make_matrix(rows=ROWS, cols=COLS, seed=3):
    rng = np.random.default_rng(seed)
    degrees = rng.integers(0, 7, rows)
    degrees[[0, rows // 3, rows - 1]] = 0
    degrees[rows // 2] = 3 * cols  # a hub, with duplicates of necessity
    indptr = np.concatenate([[0], np.cumsum(degrees)])
    nnz = int(indptr[-1])
    # A multiple of 1/64 is exact in bf16, so that all types see one graph.
    data = rng.integers(-64, 65, nnz) / 64.0
    indices = rng.integers(0, cols, nnz)
    return scipy.sparse.csr_matrix((data, indices, indptr), shape=(rows, cols))


def round_to_bf16(values):
    """To nearest even in the upper half of an f32, whose lower half becomes 0."""
    bits = values.astype(np.float32).view(np.uint32).astype(np.uint64)
    bits = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16
    return bits.astype(np.uint32).view(np.float32)


class Case:
    """A graph in a file, and operands drawn for it."""

    def __init__(self, tool, dtype):
        self.tool, self.dtype = tool, dtype
        matrix = make_matrix()
        self.edges = reference.Edges(matrix)
        self.path = tool.folder / "graph.npz"
        scipy.sparse.save_npz(self.path, matrix)
        self.rng = np.random.default_rng(11)

    def draw(self, *shape):
        return self.rounded(self.rng.standard_normal(shape))

    def rounded(self, values):
        if self.dtype == "bf16":
            return round_to_bf16(values)
        return values.astype(NUMPY[self.dtype])

    def run(self, *arguments, **operands):
        files = []
        for name, array in operands.items():
            files += ["--" + name.replace("_", "-"), self.tool.save(name, array)]
        return self.tool.output(self.path, "--dtype", self.dtype, *arguments, *files)

    def expect(self, out, expected, roundings=1):
        assert out.dtype == NUMPY[self.dtype]
        assert out.shape == expected.shape
        error = np.linalg.norm(out - expected) / np.linalg.norm(expected)
        assert error <= roundings * TOLERANCE[self.dtype]


@pytest.fixture
def case(tool, dtype):
    return Case(tool, dtype)


# ===----------------------------------------------------------------------===#
# spmm
# ===----------------------------------------------------------------------===#


@dtypes
@pytest.mark.parametrize("reduce", ["sum", "mean", "max", "min"])
@pytest.mark.parametrize("features", [1, 7, 64])
def test_spmm(case, reduce, features):
    x = case.draw(COLS, features)
    out = case.run("--op", "spmm", "--reduce", reduce, "--features", features, x=x)
    expected = reference.spmm(case.edges, case.edges.values, x[:, None], reduce)
    case.expect(out, expected[:, 0])


@dtypes
@pytest.mark.parametrize("reduce", ["sum", "mean", "max"])
def test_spmm_transposed(case, reduce):
    x = case.draw(ROWS, 5)
    out = case.run("--op", "spmm", "--reduce", reduce, "--transpose", "--features", 5, x=x)
    edges = case.edges.transposed()
    case.expect(out, reference.spmm(edges, edges.values, x[:, None], reduce)[:, 0])


@dtypes
@pytest.mark.parametrize("weights", ["stored", "pattern", "file", "file_per_head"])
def test_spmm_edge_values_and_heads(case, weights):
    heads, nnz = 3, case.edges.nnz
    x = case.draw(COLS, heads, 8)
    common = ["--op", "spmm", "--heads", heads, "--features", 8]
    if weights == "stored":
        values, out = case.edges.values, case.run(*common, x=x)
    elif weights == "pattern":
        values = np.ones(nnz)
        out = case.run(*common, "--edge-values", "pattern", x=x)
    else:
        values = case.draw(nnz, heads) if weights == "file_per_head" else case.draw(nnz)
        out = case.run(*common, x=x, edge_values=values)
    case.expect(out, reference.spmm(case.edges, values, x))


@dtypes
def test_spmm_index_i64_same_bits(case):
    x = case.draw(COLS, 16)
    common = ["--op", "spmm", "--features", 16]
    narrow = case.run(*common, "--index", "i32", x=x)
    wide = case.run(*common, "--index", "i64", x=x)
    np.testing.assert_array_equal(narrow, wide)


# ===----------------------------------------------------------------------===#
# sddmm and row_softmax
# ===----------------------------------------------------------------------===#


@dtypes
@pytest.mark.parametrize("features", [1, 31, 64])
def test_sddmm_dot(case, features):
    q, k = case.draw(ROWS, features), case.draw(COLS, features)
    out = case.run("--op", "sddmm", "--features", features, "--scale", 0.5, q=q, k=k)
    expected = reference.sddmm(
        case.edges, case.edges.values, q[:, None], k[:, None], scale=0.5
    )
    case.expect(out, expected[:, 0])


@dtypes
def test_sddmm_dot_heads(case):
    q, k = case.draw(ROWS, 2, 12), case.draw(COLS, 2, 12)
    out = case.run(
        "--op", "sddmm", "--heads", 2, "--features", 12, "--edge-values", "pattern", q=q, k=k
    )
    case.expect(out, reference.sddmm(case.edges, np.ones(case.edges.nnz), q, k))


@dtypes
def test_sddmm_add(case):
    q, k = case.draw(ROWS, 4), case.draw(COLS, 4)
    out = case.run(
        *["--op", "sddmm", "--combine", "add", "--heads", 4, "--features", 1],
        *["--edge-values", "pattern"],
        q=q,
        k=k,
    )
    ones = np.ones(case.edges.nnz)
    case.expect(out, reference.sddmm(case.edges, ones, q, k, combine="add"))


@dtypes
def test_row_softmax_stored(case):
    out = case.run("--op", "row_softmax", "--features", 1)
    expected = reference.row_softmax(case.edges, case.edges.values[:, None])
    case.expect(out.reshape(expected.shape), expected)


@dtypes
def test_row_softmax_heads(case):
    scores = case.rounded(20 * case.draw(case.edges.nnz, 3))
    out = case.run(
        "--op", "row_softmax", "--features", 1, "--heads", 3, edge_values=scores
    )
    case.expect(out, reference.row_softmax(case.edges, scores))


# ===----------------------------------------------------------------------===#
# attention
# ===----------------------------------------------------------------------===#


@dtypes
@pytest.mark.parametrize("form", ["fused", "composed"])
def test_attention_dot(case, form):
    q, k, v = case.draw(ROWS, 24), case.draw(COLS, 24), case.draw(COLS, 24)
    out = case.run(
        "--op", "attention", "--features", 24, "--attention", form, q=q, k=k, v=v
    )
    expected = reference.attention(
        case.edges, q[:, None], k[:, None], v[:, None], scale=24**-0.5
    )
    # The composed form stores scores, of up to 4, and weights on the way.
    stored = form == "composed" and case.dtype in ("f16", "bf16")
    case.expect(out, expected[:, 0], roundings=8 if stored else 1)


@dtypes
def test_attention_dot_heads_bias(case):
    q, k, v = case.draw(ROWS, 2, 9), case.draw(COLS, 2, 9), case.draw(COLS, 2, 9)
    bias = case.draw(case.edges.nnz)
    out = case.run(
        *["--op", "attention", "--heads", 2, "--features", 9, "--scale", 0.25],
        q=q,
        k=k,
        v=v,
        edge_values=bias,
    )
    case.expect(out, reference.attention(case.edges, q, k, v, scale=0.25, bias=bias))


@dtypes
def test_attention_gat(case):
    q, k, v = case.draw(ROWS, 4), case.draw(COLS, 4), case.draw(COLS, 4, 8)
    out = case.run(
        *["--op", "attention", "--score", "gat", "--heads", 4, "--features", 8],
        *["--scale", 1],
        q=q,
        k=k,
        v=v,
    )
    case.expect(out, reference.attention(case.edges, q, k, v, score="gat"))


@dtypes
@pytest.mark.parametrize("form", ["fused", "composed"])
def test_attention_gat_bias(case, form):
    q, k, v = case.draw(ROWS, 4), case.draw(COLS, 4), case.draw(COLS, 4, 8)
    bias = case.draw(case.edges.nnz, 4)
    out = case.run(
        *["--op", "attention", "--score", "gat", "--heads", 4, "--features", 8],
        *["--scale", 0.5, "--attention", form],
        q=q,
        k=k,
        v=v,
        edge_values=bias,
    )
    expected = reference.attention(
        case.edges, q, k, v, score="gat", scale=0.5, bias=bias
    )
    # The composed form stores scores, logits and weights on the way.
    stored = form == "composed" and case.dtype in ("f16", "bf16")
    case.expect(out, expected, roundings=8 if stored else 1)


@dtypes
def test_attention_gatv2(case):
    q, k, v = case.draw(ROWS, 2, 8), case.draw(COLS, 2, 8), case.draw(COLS, 2, 8)
    a = case.draw(2, 8)
    out = case.run(
        *["--op", "attention", "--score", "gatv2", "--heads", 2, "--features", 8],
        *["--scale", 1],
        q=q,
        k=k,
        v=v,
        a=a,
    )
    case.expect(out, reference.attention(case.edges, q, k, v, score="gatv2", vec=a))
