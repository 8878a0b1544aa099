# ===- test_attention_peers.py - PyTorch beside our attention ---------------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# There is neither PyTorch nor a GPU here: contestants are made up. What is tested
# is what is asked of them, the references, and what becomes of the report.
#
# ===----------------------------------------------------------------------===#
import json
import pathlib
import subprocess
import sys
import types

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

import attention_peers as peers  # noqa: E402  (needs the path above)
import attention_quality as quality  # noqa: E402


def write_graph(path, rowptr, colind, cols):
    with open(path, "wb") as file:
        np.array([peers.MAGIC, len(rowptr) - 1, cols, len(colind)], "<i8").tofile(file)
        np.array(rowptr, "<i4").tofile(file)
        np.array(colind, "<i4").tofile(file)


@pytest.fixture
def graph(tmp_path):
    write_graph(tmp_path / "g.bin", [0, 2, 2, 5], [0, 3, 0, 1, 2], 4)
    return tmp_path / "g.bin"


def test_graph_is_read(graph):
    rows, cols, rowptr, colind = peers.read_graph(graph)
    assert (rows, cols, rowptr.tolist(), colind.tolist()) == (
        3, 4, [0, 2, 2, 5], [0, 3, 0, 1, 2],
    )  # fmt: skip
    assert peers.checked_rows(rowptr) == [0, 1, 2]
    assert 100_000 in peers.checked_rows(np.r_[np.arange(100_001), 100_009, 100_010])


@pytest.mark.parametrize("score", ["dot", "gat"])
def test_references(score):
    """The gradient is the derivative of the output; the output that of a softmax."""
    make = np.random.default_rng(3)
    width = (5,) if score == "dot" else ()
    q, k = make.normal(size=(2, *width)), make.normal(size=(7, 2, *width))
    v, grad = make.normal(size=(7, 2, 4)), make.normal(size=(2, 4))
    logits = 0.3 * (q * k).sum(-1) if score == "dot" else np.maximum(q + k, 0.2 * (q + k))
    p = np.exp(logits) / np.exp(logits).sum(0)
    out = peers.row_output(score, 0.3, q, k, v)
    assert np.allclose(out, (p[:, :, None] * v).sum(0), rtol=1e-13)
    got = peers.row_gradient(score, 0.3, q, k, v, grad)
    for at in np.ndindex(q.shape):
        step = np.zeros_like(q)
        step[at] = 1e-6
        high, low = (peers.row_output(score, 0.3, x, k, v) for x in (q + step, q - step))
        assert got[at] == pytest.approx(((high - low) * grad).sum() / 2e-6, rel=1e-6, abs=1e-9)


def test_relative_error():
    assert peers.relative_error([np.ones(3)], [np.ones(3)]) == 0
    assert peers.relative_error([np.zeros(2)], [np.ones(2)]) == 1


def test_without_pytorch_there_is_one_line(graph, tmp_path):
    (tmp_path / "torch.py").write_text("raise ImportError('no such thing')\n")
    done = subprocess.run(
        [sys.executable, ROOT / "bench" / "attention_peers.py", graph, "--report", "r", "--json", "o"],
        capture_output=True, text=True, env={"PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == "attention_peers.py: expects PyTorch, got: no such thing\n"


def test_without_a_gpu_there_is_one_line(graph, tmp_path):
    (tmp_path / "torch.py").write_text(
        "class cuda:\n    is_available = staticmethod(lambda: False)\n"
    )
    done = subprocess.run(
        [sys.executable, ROOT / "bench" / "attention_peers.py", graph, "--report", "r", "--json", "o"],
        capture_output=True, text=True, env={"PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (2, "attention_peers.py: expects a GPU, got none\n")


# ===----------------------------------------------------------------------===#
# What contestants are asked for
# ===----------------------------------------------------------------------===#


def case(**changes):
    c = types.SimpleNamespace(
        rows=100, cols=100, features=32, heads=2, backward=False, nnz=lambda: 500
    )
    c.__dict__.update(changes)
    return c


def test_what_is_skipped(monkeypatch):
    assert peers.SdpaMask.skip(case()) is None
    assert peers.SdpaMask.skip(case(rows=30_000)) == "more than 20000 rows"
    assert peers.Flex.skip(case()) is None
    assert peers.Flex.skip(case(nnz=lambda: 50)) == "less than 1% of all places"
    assert peers.Flex.skip(case(features=48)) == "features that are no power of two"
    monkeypatch.setitem(sys.modules, "torch_geometric", types.ModuleType("torch_geometric"))
    assert peers.Transformer.skip(case()) is None
    # A backward pass keeps twice as much.
    many = {"nnz": lambda: 50_000_000, "heads": 2}
    assert peers.Transformer.skip(case(**many)) is None
    assert peers.Transformer.skip(case(backward=True, **many)) == "messages of more than 80 GB"
    assert peers.GatConv.skip(case(cols=99)) == "rows and columns that are not the same nodes"
    monkeypatch.setitem(sys.modules, "torch_geometric", None)
    assert peers.GatPropagate.skip(case()) == "torch_geometric is not installed"


class Leaf:
    def __init__(self):
        self.grad = "old"


class Output:
    """Stands in for a tensor: knows its own shape and the gradient it was given."""

    def __init__(self, owner, shape=None):
        self.owner, self.shape = owner, shape

    def reshape(self, *shape):
        return Output(self.owner, shape)

    def backward(self, grad):
        assert all(leaf.grad is None for leaf in self.owner.leaves())
        self.owner.backwards += 1
        self.owner.leaves()[0].grad = grad


class FakeContestant:
    name, score, compares = "fake", "dot", "nothing"

    def __init__(self, case):
        self.forwards = self.backwards = 0
        self.leaf = Leaf()

    @staticmethod
    def skip(case):
        return None

    def leaves(self):
        return [self.leaf]

    def q_gradient(self):
        return self.leaf.grad

    def run(self):
        self.forwards += 1
        return Output(self)


class Refusing(FakeContestant):
    name = "refusing"

    def run(self):
        raise RuntimeError("CUDA out of memory.\nTried to allocate")


class Gat(FakeContestant):
    name, score = "gat", "gat"


@pytest.fixture
def stand_in(monkeypatch):
    """A torch that only says who it is, and a clock that counts passes."""
    fake = types.SimpleNamespace(
        __version__="2.99", cuda=types.SimpleNamespace(empty_cache=lambda: None)
    )

    class NoGrad:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            return False

    fake.no_grad = NoGrad
    monkeypatch.setattr(peers, "torch", fake)
    monkeypatch.setattr(peers, "CONTESTANTS", [FakeContestant, Refusing, Gat])

    def clock(run):
        owner = getattr(run, "__self__", None) or run.__closure__
        if not hasattr(owner, "forwards"):
            owner = next(
                c.cell_contents for c in owner if isinstance(c.cell_contents, FakeContestant)
            )
        before = owner.forwards, owner.backwards
        run()
        return (owner.forwards - before[0]) * 2.0 + (owner.backwards - before[1]) * 5.0

    monkeypatch.setattr(peers, "time_ms", clock)

    class FakeCase:
        made = []

        def __init__(self, path, features, heads, score, backward):
            self.rows, self.features, self.heads = 3, features, heads
            self.score, self.backward = score, backward
            self.grad = types.SimpleNamespace(shape=(3, heads, features))
            FakeCase.made.append((features, heads, score, backward))

        def error(self, contestant, out):
            return 1e-7

    monkeypatch.setattr(peers, "Case", FakeCase)
    return FakeCase


def cell(**changes):
    return {"op": "attention", "graph": "g", "features": 8, "heads": 1, **changes}


def run(tmp_path, graph, cells, *options, now=lambda: 0.0):
    report = tmp_path / "ours.json"
    report.write_text(json.dumps({"device": "d", "cells": cells}))
    out = tmp_path / "out.json"
    arguments = [str(graph), "--report", str(report), "--json", str(out), *options]
    assert peers.run(peers.parse(arguments), now) == 0
    return json.loads(out.read_text())


def test_forward(stand_in, graph, tmp_path):
    cells = [cell(), cell(score="gat", heads=4), cell(graph="other"), cell(op="spmm")]
    report = run(tmp_path, graph, cells)
    assert report["torch"] == "2.99" and report["device"] == "d"
    assert stand_in.made == [(8, 1, "dot", False), (8, 4, "gat", False)]
    found = [c.get("peers") for c in report["cells"]]
    assert found[0] == [
        {"name": "fake", "compares": "nothing", "ms": 2.0, "rel_err": 1e-7},
        {"name": "refusing", "compares": "nothing", "skipped": "CUDA out of memory."},
    ]
    assert [p["name"] for p in found[1]] == ["gat"]
    assert found[2:] == [None, None]


def test_backward_is_the_difference(stand_in, graph, tmp_path):
    report = run(tmp_path, graph, [cell(), cell(op="attention_backward")], "--backward")
    entry = report["cells"][0]["backward_peers"][0]
    assert (entry["both_ms"], entry["forward_ms"], entry["ms"]) == (7.0, 2.0, 5.0)
    assert entry["rel_err"] == 1e-7
    assert "peers" not in report["cells"][0]
    # Which are about nothing else, asked for or not.
    assert report["cells"][1]["peers"][0]["ms"] == 5.0
    assert all(made[3] for made in stand_in.made)


def test_a_run_is_continued(stand_in, graph, tmp_path):
    cells = [cell(features=f) for f in (8, 16, 32)]
    ticks = iter([0.0, 1.0, 99.0, 99.0])
    report = run(tmp_path, graph, cells, "--within-s", "50", now=lambda: next(ticks))
    assert [("peers" in c) for c in report["cells"]] == [True, False, False]
    stand_in.made.clear()
    report = run(tmp_path, graph, cells)
    assert all("peers" in c for c in report["cells"])
    assert [made[0] for made in stand_in.made] == [16, 32]
    # A backward run keeps what forward ones have found.
    report = run(tmp_path, graph, cells, "--backward")
    assert all({"peers", "backward_peers"} <= c.keys() for c in report["cells"])


# ===----------------------------------------------------------------------===#
# The aim
# ===----------------------------------------------------------------------===#


@pytest.mark.parametrize(
    "ours, met",
    [(0.4, True), (1.2, True), (1.3, False), (None, False)],
)
def test_the_aim_is_of_composites_or_of_the_floor(tmp_path, capsys, ours, met):
    own = cell(ours_ms=ours, schedule="row_group", fused_ms=ours, composite_ms=3.0)
    entry = {"op": "attn", "dtype": "fp32", "graph": "g", "F": 8}
    baseline = {
        "cells": [
            {**entry, "ms": 1.0, "valid": True, "peer": "composite(a)"},
            {**entry, "ms": 1.5, "valid": True, "peer": "composite(b)"},
            {**entry, "ms": 0.1, "valid": False, "peer": "composite(wrong)"},
            {**entry, "ms": 0.1, "valid": True, "peer": "a fused one"},
            {**entry, "ms": 0.1, "valid": True, "peer": "composite(a)", "dtype": "fp16"},
        ],
        "floors": [{**entry, "noreuse_over_gather_at_table_size_ms": 1.0}],
    }
    paths = [tmp_path / name for name in ("old", "new", "baseline", "out")]
    old = cell(ours_ms=9.0, schedule="row_group")
    many = cell(ours_ms=9.0, schedule="row_group", heads=4)
    for path, value in zip(paths, ({"cells": [old, many]}, {"cells": [own]}, baseline)):
        path.write_text(json.dumps(value))
    old_path, new, known, out = map(str, paths)
    status = quality.main([old_path, new, "--baseline", known, "--json", out])
    assert status == (0 if met else 1)
    assert f"aim: {int(met)} of 1 cells" in capsys.readouterr().out
    cells = json.loads(paths[3].read_text())["cells"]
    assert [(c["heads"], c["ours_ms"]) for c in cells] == [(1, ours), (4, 9.0)]
    assert (cells[0]["peer_ms"], cells[0]["floor_ms"]) == (1.0, 1.0)
    assert "peer_ms" not in cells[1]
