# ===- inputs.py - graphs, operands and references ----------------------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Operands are drawn from a seed. The reference of a problem is computed in f64 by
# SciPy (SpMM) and NumPy (SDDMM), apart from everything that is measured.
#
# ===----------------------------------------------------------------------===#
import importlib.util
import os
import pathlib
import sys
from dataclasses import dataclass

import numpy as np
import scipy.io
import scipy.sparse

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

import export_graph  # noqa: E402  (needs the path above)

SEED = 20
# Entries of a graph whose dot products the reference computes at a time.
CHUNK = 1 << 16


class Missing(Exception):
    """A graph that is not there; the text says why."""


@dataclass
class Graph:
    name: str
    rowptr: np.ndarray
    colind: np.ndarray
    cols: int

    @property
    def rows(self):
        return len(self.rowptr) - 1

    @property
    def nnz(self):
        return len(self.colind)

    def matrix(self, values):
        return scipy.sparse.csr_array((values, self.colind, self.rowptr), (self.rows, self.cols))


def shared_folder():
    return pathlib.Path(os.environ.get("AUTOSAGE_SHARED_DIR") or ROOT.parent / "shared")


def generate(name):
    """A graph of the shared generators, or None where they have no such name."""
    path = shared_folder() / "bench" / "graphs.py"
    if not path.exists():
        return None
    spec = importlib.util.spec_from_file_location("shared_graphs", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclass looks itself up
    spec.loader.exec_module(module)
    if name not in module.GRAPHS:
        return None
    made = module.build(name)
    return scipy.sparse.csr_array(
        (np.ones(made.nnz, np.float32), made.colind, made.rowptr), (made.n_rows, made.n_cols)
    )


def find_matrix(name):
    if pathlib.Path(name).suffix in (".mtx", ".npz"):
        if not pathlib.Path(name).exists():
            raise Missing(f"no file {name}")
        return scipy.io.mmread(name) if name.endswith(".mtx") else scipy.sparse.load_npz(name)
    if name in export_graph.REAL_GRAPHS:
        return export_graph.real_graph(name)
    if name == "powerlaw":
        return export_graph.power_law_graph(20000, 300000, 2.1, 1)
    path = shared_folder() / "data" / f"{name}.mtx"
    if path.exists():
        return scipy.io.mmread(path)
    matrix = generate(name)
    if matrix is None:
        raise Missing(
            f"expects a file, a graph of networkx or powerlaw, or one of the folder that "
            f"AUTOSAGE_SHARED_DIR names, got {name}"
        )
    return matrix


def load_graph(name):
    """A graph file, one of export_graph.py, or one of the shared folder."""
    matrix = scipy.sparse.csr_array(find_matrix(name))
    matrix.sort_indices()
    if matrix.nnz >= 2**31:
        raise Missing(f"expects fewer than 2^31 entries, got {matrix.nnz} in {name}")
    return Graph(
        pathlib.Path(name).stem if "." in name else name,
        np.ascontiguousarray(matrix.indptr, np.int32),
        np.ascontiguousarray(matrix.indices, np.int32),
        matrix.shape[1],
    )


class Problem:
    """One operation on one graph at one width: operands, output and reference."""

    def __init__(self, op, graph, features):
        self.op, self.graph, self.features = op, graph, features
        rng = np.random.default_rng([SEED, features])

        def draw(*shape):
            return rng.standard_normal(shape, np.float32)

        self.values = draw(graph.nnz) if op == "spmm" else None
        self.k = draw(graph.cols, features) if op == "sddmm" else None
        self.x = draw(graph.cols if op == "spmm" else graph.rows, features)
        # One for all contestants that write to an output of the caller.
        self.out = np.empty((graph.rows, features) if op == "spmm" else graph.nnz, np.float32)
        self.reference = self._spmm() if op == "spmm" else self._sddmm()

    def _spmm(self):
        return self.graph.matrix(self.values.astype(np.float64)) @ self.x.astype(np.float64)

    def _sddmm(self):
        rows = np.repeat(np.arange(self.graph.rows), np.diff(self.graph.rowptr))
        out = np.empty(self.graph.nnz)
        for begin in range(0, self.graph.nnz, CHUNK):
            part = slice(begin, begin + CHUNK)
            q = self.x[rows[part]].astype(np.float64)
            k = self.k[self.graph.colind[part]].astype(np.float64)
            out[part] = np.einsum("ef,ef->e", q, k)
        return out

    def error(self, result):
        """Norm of the difference over the norm of the reference; NaN stays NaN."""
        result = np.asarray(result, np.float64).reshape(self.out.shape)
        norm = np.linalg.norm(self.reference)
        difference = np.linalg.norm(result - self.reference)
        return float(difference / norm if norm else difference)
