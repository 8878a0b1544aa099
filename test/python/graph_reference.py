# ===- graph_reference.py - the operations in SciPy and NumPy --------------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# A second reference, which shares no line with the C++ one: f64 throughout, one
# edge list, dense operands of shape [n, heads, width]. It follows
# docs/semantics.md.
#
# ===----------------------------------------------------------------------===#
import numpy as np
import scipy.sparse


class Edges:
    """A pattern as an edge list in storage order; duplicates are edges."""

    def __init__(self, matrix):
        self.shape = matrix.shape
        self.rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
        self.columns = np.asarray(matrix.indices, dtype=np.int64)
        self.values = np.asarray(matrix.data, dtype=np.float64)

    @property
    def nnz(self):
        return len(self.columns)

    def transposed(self):
        other = object.__new__(Edges)
        other.shape = self.shape[::-1]
        other.rows, other.columns, other.values = self.columns, self.rows, self.values
        return other


def per_head(values, heads):
    """Edge values of shape [nnz] or [nnz, heads] as [nnz, heads]."""
    values = np.asarray(values, dtype=np.float64)
    return np.broadcast_to(values.reshape(len(values), -1), (len(values), heads))


def spmm(edges, weights, x, reduce="sum"):
    """x: [cols, heads, width]; returns [rows, heads, width]."""
    x = np.asarray(x, dtype=np.float64)
    heads = x.shape[1]
    weights = per_head(weights, heads)
    rows = edges.shape[0]
    out = np.zeros((rows, *x.shape[1:]))
    if reduce in ("sum", "mean"):
        for h in range(heads):
            matrix = scipy.sparse.coo_array(
                (weights[:, h], (edges.rows, edges.columns)), shape=edges.shape
            )
            out[:, h] = matrix.tocsr() @ x[:, h]
        if reduce == "mean":
            degrees = np.bincount(edges.rows, minlength=rows)
            out /= np.maximum(degrees, 1)[:, None, None]
        return out
    pick = {"max": np.maximum, "min": np.minimum}[reduce]
    terms = weights[:, :, None] * x[edges.columns]
    out[:] = -np.inf if reduce == "max" else np.inf
    pick.at(out, edges.rows, terms)
    out[np.bincount(edges.rows, minlength=rows) == 0] = 0.0
    return out


def sddmm(edges, weights, q, k, combine="dot", scale=1.0):
    """dot: q, k [n, heads, width]; add: q, k [n, heads]. Returns [nnz, heads]."""
    q, k = np.asarray(q, dtype=np.float64), np.asarray(k, dtype=np.float64)
    if combine == "dot":
        scores = np.einsum("ehf,ehf->eh", q[edges.rows], k[edges.columns])
    else:
        scores = q[edges.rows] + k[edges.columns]
    return scale * per_head(weights, scores.shape[1]) * scores


def row_softmax(edges, scores):
    """scores: [nnz, heads], finite."""
    scores = np.asarray(scores, dtype=np.float64)
    rows, heads = edges.shape[0], scores.shape[1]
    largest = np.full((rows, heads), -np.inf)
    np.maximum.at(largest, edges.rows, scores)
    powers = np.exp(scores - largest[edges.rows])
    sums = np.zeros((rows, heads))
    np.add.at(sums, edges.rows, powers)
    return powers / sums[edges.rows]


def leaky_relu(x, slope=0.2):
    return np.where(x >= 0, x, slope * x)


def attention(edges, q, k, v, score="dot", scale=1.0, bias=None, vec=None):
    """v: [cols, heads, width]; gat: q, k [n, heads]; gatv2: vec [heads, width]."""
    q, k = np.asarray(q, dtype=np.float64), np.asarray(k, dtype=np.float64)
    if score == "dot":
        scores = np.einsum("ehf,ehf->eh", q[edges.rows], k[edges.columns])
    elif score == "gat":
        scores = leaky_relu(q[edges.rows] + k[edges.columns])
    else:
        hidden = leaky_relu(q[edges.rows] + k[edges.columns])
        scores = np.einsum("ehf,hf->eh", hidden, np.asarray(vec, dtype=np.float64))
    logits = scale * scores
    if bias is not None:
        logits = logits + per_head(bias, logits.shape[1])
    return spmm(edges, row_softmax(edges, logits), v)
