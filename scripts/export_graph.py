#!/usr/bin/env python3
# ===- export_graph.py - writes real and generated graphs to files ---------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# The real graphs are those that networkx carries in its own package, so no
# network is needed. The generated one has a power law in its degrees: a vertex
# takes edges in proportion to a weight rank^(-1 / (exponent - 1)), on both
# sides (Chung and Lu, "Connected components in random graphs with given
# expected degree sequences", 2002), which gives the hub rows and popular
# columns that load balance is about. A seed fixes it.
#
# ===----------------------------------------------------------------------===#
import argparse
import sys

import numpy as np
import scipy.io
import scipy.sparse

REAL_GRAPHS = {
    "les_miserables": "characters of the novel that appear together, weighted (Knuth 1993)",
    "karate": "members of a karate club, weighted (Zachary 1977)",
    "davis": "women by social events attended, rectangular (Davis et al. 1941)",
    "florentine": "marriages between Florentine families (Padgett)",
}


def real_graph(name):
    """The named graph of networkx as a SciPy CSR array."""
    import networkx as nx
    from networkx.algorithms import bipartite

    if name == "davis":
        graph = nx.davis_southern_women_graph()
        return bipartite.biadjacency_matrix(
            graph, graph.graph["top"], graph.graph["bottom"], dtype=np.float64
        ).tocsr()
    make = {
        "les_miserables": nx.les_miserables_graph,
        "karate": nx.karate_club_graph,
        "florentine": nx.florentine_families_graph,
    }[name]
    return nx.to_scipy_sparse_array(make(), dtype=np.float64, format="csr")


def power_law_graph(nodes, edges, exponent, seed):
    """A directed graph with exactly `edges` different edges, values in [-1, 1)."""
    if nodes < 1 or not 0 <= edges <= nodes * nodes // 2:
        raise ValueError(
            f"expects edges between 0 and half of nodes squared, got {edges} for {nodes} nodes"
        )
    if exponent <= 1:
        raise ValueError(f"expects exponent above 1, got {exponent}")
    rng = np.random.default_rng(seed)
    weights = np.arange(1, nodes + 1, dtype=np.float64) ** (-1.0 / (exponent - 1.0))
    # No vertex may want more edges than there are vertices, or the draws below
    # would only repeat the hubs' edges.
    weights = np.minimum(weights / weights.sum(), 0.02)
    weights /= weights.sum()
    # Hub rows and hub columns are different vertices, spread over the numbers.
    rows_of, columns_of = rng.permutation(nodes), rng.permutation(nodes)
    keys = np.empty(0, dtype=np.int64)
    while len(keys) < edges:
        missing = edges - len(keys)
        draws = missing + missing // 4 + 16
        rows = rows_of[rng.choice(nodes, draws, p=weights)].astype(np.int64)
        columns = columns_of[rng.choice(nodes, draws, p=weights)]
        keys = np.union1d(keys, rows * nodes + columns)
    keys = np.sort(rng.choice(keys, edges, replace=False))
    # Multiples of 1/1024 print short and are exact in every type.
    values = rng.integers(-1024, 1024, edges) / 1024.0
    return scipy.sparse.csr_array(
        (values, (keys // nodes, keys % nodes)), shape=(nodes, nodes)
    )


def is_symmetric(matrix):
    return matrix.shape[0] == matrix.shape[1] and (matrix != matrix.T).nnz == 0


def write_graph(path, matrix, comment):
    """Writes `.npz` (SciPy's layout) or `.mtx`, symmetric where the graph is."""
    if path.endswith(".npz"):
        with open(path, "wb") as file:
            scipy.sparse.save_npz(file, scipy.sparse.csr_matrix(matrix))
    elif path.endswith(".mtx"):
        symmetry = "symmetric" if is_symmetric(matrix) else "general"
        # Opened here: given a path that it cannot write, SciPy says nothing.
        with open(path, "wb") as file:
            scipy.io.mmwrite(file, matrix, comment=comment, symmetry=symmetry)
    else:
        raise ValueError(f"expects a file name ending in .mtx or .npz, got {path}")


def describe(name, matrix):
    degrees = np.diff(matrix.indptr)
    longest = int(degrees.max()) if len(degrees) else 0
    return (
        f"{name}: {matrix.shape[0]} x {matrix.shape[1]}, {matrix.nnz} nonzeros, "
        f"longest row {longest}"
    )


def main():
    parser = argparse.ArgumentParser(
        description="Writes a real or generated graph as .mtx or .npz.",
        epilog="real graphs: "
        + "; ".join(f"{name}, {what}" for name, what in REAL_GRAPHS.items()),
    )
    parser.add_argument("graph", choices=[*REAL_GRAPHS, "powerlaw"])
    parser.add_argument("output", help="file to write, .mtx or .npz")
    parser.add_argument("--nodes", type=int, default=20000, help="powerlaw only")
    parser.add_argument("--edges", type=int, default=300000, help="powerlaw only")
    parser.add_argument("--exponent", type=float, default=2.1, help="powerlaw only")
    parser.add_argument("--seed", type=int, default=1, help="powerlaw only")
    arguments = parser.parse_args()
    try:
        if arguments.graph == "powerlaw":
            matrix = power_law_graph(
                arguments.nodes, arguments.edges, arguments.exponent, arguments.seed
            )
            comment = (
                f"generated: power law, {arguments.nodes} nodes, exponent "
                f"{arguments.exponent}, seed {arguments.seed}"
            )
        else:
            matrix = real_graph(arguments.graph)
            comment = f"{REAL_GRAPHS[arguments.graph]}, from networkx"
        write_graph(arguments.output, matrix, comment)
    except (OSError, ValueError) as error:
        print(f"export_graph: {error}", file=sys.stderr)
        sys.exit(2)
    print(describe(arguments.graph, matrix))


if __name__ == "__main__":
    main()
