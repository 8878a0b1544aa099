# ===- test_run_gradients.py - gradients against differences ---------------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Gradients of attention of autosage-run in f64, from files, against central
# differences of attention in NumPy along drawn directions.
#
# ===----------------------------------------------------------------------===#
import numpy as np
import pytest
import scipy.sparse

import graph_reference as reference
from test_run_operations import COLS, ROWS, make_matrix

HEADS, WIDTH, SCALE, STEP = 2, 5, 0.5, 1e-5
# Of the differences: the square of the step, and roundings over it.
TOLERANCE = 1e-6


def operands(score, rng, nnz):
    inner = () if score == "gat" else (WIDTH,)
    named = {
        "q": rng.standard_normal((ROWS, HEADS, *inner)),
        "k": rng.standard_normal((COLS, HEADS, *inner)),
        "v": rng.standard_normal((COLS, HEADS, WIDTH)),
        "edge-values": rng.standard_normal((nnz, HEADS)),
    }
    if score == "gatv2":
        named["a"] = rng.standard_normal((HEADS, WIDTH))
    return named


@pytest.mark.parametrize("score", ["dot", "gat", "gatv2"])
@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_gradients_are_derivatives(tool, score, target):
    matrix = make_matrix()
    edges = reference.Edges(matrix)
    graph = tool.folder / "graph.npz"
    scipy.sparse.save_npz(graph, matrix)
    rng = np.random.default_rng(5)
    named = operands(score, rng, edges.nnz)
    d_o = rng.standard_normal((ROWS, HEADS, WIDTH))
    files = ["--do", tool.save("do", d_o)]
    for name, array in named.items():
        files += ["--" + name, tool.save(name, array)]
    report = tool.json(
        *[graph, "--op", "attention_backward", "--score", score, "--dtype", "f64"],
        *["--scale", SCALE, "--target", target, "--check", *files],
        *["--output", tool.folder / "g.npy"],
    )
    assert report["check"]["passed"] and report["op"] == "attention_backward"
    assert report["workspace_bytes"] > 0

    def loss(changed):
        return np.sum(
            d_o
            * reference.attention(
                *[edges, changed["q"], changed["k"], changed["v"], score, SCALE],
                bias=changed["edge-values"],
                vec=changed.get("a"),
            )
        )

    for name, array in named.items():
        gradient = np.load(tool.folder / f"g.d{'w' if name == 'edge-values' else name}.npy")
        assert gradient.dtype == np.float64 and gradient.shape == array.shape
        direction = rng.standard_normal(array.shape)
        both = [
            loss({**named, name: array + sign * STEP * direction}) for sign in (1, -1)
        ]
        expected = (both[0] - both[1]) / (2 * STEP)
        size = np.linalg.norm(gradient) * np.linalg.norm(direction)
        assert abs(np.sum(gradient * direction) - expected) <= TOLERANCE * size, name
