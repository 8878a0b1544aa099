#!/usr/bin/env python3
"""Times PyTorch's ways to graph attention on a GPU, beside a report of ours.

    autosage-bench GRAPH.bin... --target nvptx --op attention --features 32,64,128
        --heads 1,4,8 --oracle probe --json ours.json
    attention_peers.py GRAPH.bin... --report ours.json --json FILE
        [--backward] [--within-s SECONDS]

Each cell of attention gets `peers`: a list with `name`, `compares` (what is timed),
`ms` (median of batches between CUDA events, warm) and `rel_err` against f64 on 48
rows and the longest, or `skipped` with a reason. With --backward it gets
`backward_peers` instead; cells of attention_backward have theirs in `peers`. There
`ms` is `both_ms`, a forward and a backward pass, less `forward_ms`, a forward pass
that keeps what the backward one needs, and `rel_err` is that of q's gradient.

The contestants, all f32, on the graph's own pattern. Of dot products:

* sdpa_mask: scaled_dot_product_attention with a dense mask, up to 20,000 rows;
* flex: flex_attention, compiled, with a block mask of the pattern, for patterns
  with at least 1 % of all places, which is what it is for;
* transformer_conv: torch_geometric's TransformerConv from q, k and v on,
  without its projections.

Of cells with the score gat:

* gat_propagate: torch_geometric's GATConv from a number of each node and head and
  from v on (`edge_updater`, `propagate`), which is what ours computes;
* gat_conv: the whole layer, with its projection of F to heads times F columns and
  the numbers of each node made from that; no loops are added.

What FILE has already is kept, so that a run that was stopped can be continued:
--within-s begins no cell later than that. Status: 0; 2 where something is missing.
"""

import argparse
import json
import math
import os
import statistics
import sys
import time

import numpy as np

torch = None  # loaded when it is needed: the logic is tested without it

MAGIC = 0x31525343
DENSE_ROWS = 20_000
FLEX_DENSITY = 0.01
BYTES = 80e9  # of messages that a convolution may keep
SLOPE = 0.2


def fail(message):
    print(f"attention_peers.py: {message}", file=sys.stderr)
    sys.exit(2)


def load_torch():
    global torch
    try:
        import torch as found
    except ImportError as error:
        fail(f"expects PyTorch, got: {error}")
    if not found.cuda.is_available():
        fail("expects a GPU, got none")
    torch = found
    torch.backends.cuda.matmul.allow_tf32 = False


def read_graph(path):
    """Rows, columns, rowptr and colind of a raw CSR file."""
    head = np.fromfile(path, dtype="<i8", count=4)
    if head.size < 4 or head[0] != MAGIC:
        fail(f"{path}: expects a raw CSR file, got another magic number")
    rows, cols, nnz = (int(x) for x in head[1:])
    wide = "<i8" if nnz >= 2**31 else "<i4"
    offset = 32 + (rows + 1) * np.dtype(wide).itemsize
    rowptr = np.fromfile(path, dtype=wide, count=rows + 1, offset=32)
    colind = np.fromfile(path, dtype="<i4", count=nnz, offset=offset)
    return rows, cols, rowptr.astype(np.int64), colind


def checked_rows(rowptr):
    """Evenly spaced ones and the longest."""
    rows = len(rowptr) - 1
    picked = set(range(0, rows, max(1, rows // 48)))
    picked.add(int(np.diff(rowptr).argmax()))
    return sorted(picked)


def weights_of(score, scale, q, k):
    """Of a row's edges and heads: softmax of its logits. q: heads (x features);
    k: edges x heads (x features)."""
    if score == "dot":
        logits = scale * np.einsum("hf,ehf->eh", q, k)
    else:
        logits = q + k
        logits = np.where(logits < 0, SLOPE * logits, logits)
    p = np.exp(logits - logits.max(0))
    return p / p.sum(0)


def row_output(score, scale, q, k, v):
    return np.einsum("eh,ehf->hf", weights_of(score, scale, q, k), v)


def row_gradient(score, scale, q, k, v, grad):
    """Of the row's q, where `grad` is that of its output."""
    p = weights_of(score, scale, q, k)
    dp = np.einsum("hf,ehf->eh", grad, v)
    ds = p * (dp - (p * dp).sum(0))
    if score == "dot":
        return scale * np.einsum("eh,ehf->hf", ds, k)
    return np.where(q + k < 0, SLOPE * ds, ds).sum(0)


def relative_error(got, want):
    off = sum(float(np.square(g - w).sum()) for g, w in zip(got, want))
    norm = sum(float(np.square(w).sum()) for w in want)
    return math.sqrt(off / norm) if norm else math.sqrt(off)


def to_host(x):
    return x.detach().double().cpu().numpy()


class Case:
    """A graph and operands on the GPU; heads between rows and features. GAT has a
    number for each node and head in place of rows of q and k."""

    def __init__(self, path, features, heads, score, backward):
        self.rows, self.cols, self.rowptr, colind = read_graph(path)
        self.degrees = torch.from_numpy(np.diff(self.rowptr)).cuda()
        self.colind = torch.from_numpy(colind).cuda().long()
        self.features, self.heads, self.score = features, heads, score
        self.scale = 1 / math.sqrt(features) if score == "dot" else 1.0
        self.backward = backward
        make = torch.Generator("cuda").manual_seed(0)

        def draw(*shape):
            x = torch.rand(shape, generator=make, device="cuda") * 2 - 1
            return x.requires_grad_(backward)

        width = (features,) if score == "dot" else ()
        self.q = draw(self.rows, heads, *width)
        self.k = draw(self.cols, heads, *width)
        self.v = draw(self.cols, heads, features)
        self.grad = draw(self.rows, heads, features).detach() if backward else None

    def nnz(self):
        return self.colind.numel()

    def row_of_edge(self):
        return torch.repeat_interleave(
            torch.arange(self.rows, device="cuda"), self.degrees
        )

    def edges(self):
        return torch.stack([self.colind, self.row_of_edge()])

    def mask(self):
        mask = torch.zeros(self.rows, self.cols, dtype=torch.bool, device="cuda")
        mask[self.row_of_edge(), self.colind] = True
        return mask

    def batch(self):
        """q, k and v with heads first, as PyTorch's attention has them. Of their own,
        so that no transposition is timed."""
        found = [x.detach().transpose(0, 1).unsqueeze(0) for x in (self.q, self.k, self.v)]
        return [x.contiguous().requires_grad_(self.backward) for x in found]

    def error(self, contestant, out):
        """Of the output, or of the gradient of q after a backward pass."""
        q, k, v = contestant.operands()
        gradient = contestant.q_gradient() if self.backward else None
        got, want = [], []
        for i in checked_rows(self.rowptr):
            j = self.colind[self.rowptr[i] : self.rowptr[i + 1]]
            if j.numel() == 0:
                continue  # PyTorch gives NaN, we zeros
            row = to_host(q[i]), to_host(k[j]), to_host(v[j])
            if self.backward:
                got.append(to_host(gradient[i]))
                want.append(row_gradient(self.score, self.scale, *row, to_host(self.grad[i])))
            else:
                got.append(to_host(out[i]))
                want.append(row_output(self.score, self.scale, *row))
        return relative_error(got, want)


# ===----------------------------------------------------------------------===#
# Contestants
# ===----------------------------------------------------------------------===#


class Contestant:
    """Made for a case, or not: `skip` says why. `run` gives rows x heads x features."""

    compares = "from q, k and v on, as ours"

    def __init__(self, case):
        self.case = case

    @staticmethod
    def skip(case):
        return None

    def operands(self):
        return self.case.q, self.case.k, self.case.v

    def leaves(self):
        return self.operands()

    def q_gradient(self):
        return self.case.q.grad


class HeadsFirst(Contestant):
    def __init__(self, case):
        super().__init__(case)
        self.heads_first = case.batch()

    def leaves(self):
        return self.heads_first

    def q_gradient(self):
        return self.heads_first[0].grad[0].transpose(0, 1)


class SdpaMask(HeadsFirst):
    name, score = "sdpa_mask", "dot"
    compares = "scaled_dot_product_attention with a dense mask, heads first"

    @staticmethod
    def skip(case):
        return f"more than {DENSE_ROWS} rows" if case.rows > DENSE_ROWS else None

    def __init__(self, case):
        super().__init__(case)
        self.dense = case.mask()

    def run(self):
        attend = torch.nn.functional.scaled_dot_product_attention
        q, k, v = self.heads_first
        return attend(q, k, v, attn_mask=self.dense, scale=self.case.scale)[0].transpose(0, 1)


class Flex(HeadsFirst):
    name, score = "flex", "dot"
    compares = "flex_attention, compiled, with a block mask of the pattern, heads first"
    compiled = None

    @staticmethod
    def skip(case):
        if case.nnz() < FLEX_DENSITY * case.rows * case.cols:
            return f"less than {FLEX_DENSITY:.0%} of all places"
        if case.features & (case.features - 1):
            return "features that are no power of two"
        return None

    def __init__(self, case):
        super().__init__(case)
        from torch.nn.attention.flex_attention import create_block_mask, flex_attention

        Flex.compiled = Flex.compiled or torch.compile(flex_attention, dynamic=False)
        dense = case.mask()
        self.blocks = create_block_mask(
            lambda b, h, i, j: dense[i, j], 1, 1, case.rows, case.cols, device="cuda"
        )

    def run(self):
        q, k, v = self.heads_first
        out = Flex.compiled(q, k, v, block_mask=self.blocks, scale=self.case.scale)
        return out[0].transpose(0, 1)


class Convolution(Contestant):
    """Messages of all edges are in memory: so many rows of `features` an edge."""

    rows_of_edge = 4

    @classmethod
    def skip(cls, case):
        rows = cls.rows_of_edge * (2 if case.backward else 1)
        if rows * case.nnz() * case.heads * case.features * 4 > BYTES:
            return f"messages of more than {BYTES / 1e9:.0f} GB"
        try:
            import torch_geometric  # noqa: F401
        except ImportError:
            return "torch_geometric is not installed"
        return None

    def __init__(self, case):
        super().__init__(case)
        self.edges = case.edges()
        self.size = (case.cols, case.rows)


class Transformer(Convolution):
    name, score = "transformer_conv", "dot"
    compares = "TransformerConv.propagate from q, k and v on, as ours; without its projections"

    def __init__(self, case):
        super().__init__(case)
        from torch_geometric.nn import TransformerConv

        self.conv = TransformerConv(case.features, case.features, case.heads).cuda()

    def run(self):
        q, k, v = self.operands()
        return self.conv.propagate(
            self.edges, query=q, key=k, value=v, edge_attr=None, size=self.size
        )


class GatPropagate(Convolution):
    name, score = "gat_propagate", "gat"
    compares = (
        "GATConv.edge_updater and propagate: from a number of each node and head and from v "
        "on, as ours; without its projection"
    )
    rows_of_edge = 2

    def __init__(self, case):
        super().__init__(case)
        self.conv = self.layer(case)

    @staticmethod
    def layer(case):
        from torch_geometric.nn import GATConv

        return GATConv(
            case.features, case.features, case.heads,
            negative_slope=SLOPE, add_self_loops=False, bias=False,
        ).cuda()  # fmt: skip

    def run(self):
        q, k, v = self.operands()
        alpha = self.conv.edge_updater(
            self.edges, alpha=(k, q), edge_attr=None, size=self.size
        )
        return self.conv.propagate(self.edges, x=(v, None), alpha=alpha, size=self.size)


class GatConv(GatPropagate):
    name = "gat_conv"
    compares = (
        "the whole GATConv: its projection of F to heads * F columns, the numbers of each node "
        "from that, and what gat_propagate has; more than ours"
    )

    @classmethod
    def skip(cls, case):
        if case.rows != case.cols:
            return "rows and columns that are not the same nodes"
        return super().skip(case)

    def __init__(self, case):
        super().__init__(case)
        make = torch.Generator("cuda").manual_seed(1)
        shape = (case.rows, case.features)
        self.x = (torch.rand(shape, generator=make, device="cuda") * 2 - 1).requires_grad_(
            case.backward
        )

    def run(self):
        return self.conv(self.x, self.edges)

    def leaves(self):
        return [self.x, *self.conv.parameters()]

    def operands(self):
        with torch.no_grad():
            v = self.conv.lin(self.x) if getattr(self.conv, "lin", None) is not None else (
                self.conv.lin_src(self.x)
            )
            v = v.view(-1, self.case.heads, self.case.features)
            q = (v * self.conv.att_dst).sum(-1)
            return q, (v * self.conv.att_src).sum(-1), v

    def q_gradient(self):
        return None  # of no tensor that is left afterwards


CONTESTANTS = [SdpaMask, Flex, Transformer, GatPropagate, GatConv]

# ===----------------------------------------------------------------------===#
# Times
# ===----------------------------------------------------------------------===#


def time_ms(run, batches=11):
    """Milliseconds of a run, median of batches of about 10 ms."""

    def batch(count):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(count):
            run()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / count

    batch(2)
    count = max(1, min(100, int(10 / max(batch(2), 1e-3))))
    return statistics.median(batch(count) for _ in range(batches))


def forward_entry(case, contestant):
    with torch.no_grad():
        out = contestant.run().reshape(case.rows, case.heads, case.features)
        error = case.error(contestant, out)
        del out
        return {"ms": time_ms(contestant.run), "rel_err": error}


def backward_entry(case, contestant):
    """The difference of two times: PyTorch's backward pass needs a forward one."""
    grad = case.grad

    def both():
        for leaf in contestant.leaves():
            leaf.grad = None  # which is set, not added to
        contestant.run().reshape(grad.shape).backward(grad)

    both()
    has_gradient = contestant.q_gradient() is not None
    entry = {"rel_err": case.error(contestant, None) if has_gradient else None}
    entry["both_ms"] = time_ms(both)
    entry["forward_ms"] = time_ms(contestant.run)
    entry["ms"] = entry["both_ms"] - entry["forward_ms"]
    return entry


def measure(case, kind):
    """A peer's entry; what PyTorch refuses or has no memory for is skipped."""
    entry = {"name": kind.name, "compares": kind.compares}
    try:
        why = kind.skip(case)
        if why:
            entry["skipped"] = why
        else:
            timed = backward_entry if case.backward else forward_entry
            entry.update(timed(case, kind(case)))
    except (RuntimeError, TypeError, AttributeError) as error:  # out of memory, too
        lines = str(error).splitlines() or [type(error).__name__]
        entry["skipped"] = lines[0][:200]
    return entry


# ===----------------------------------------------------------------------===#
# The report
# ===----------------------------------------------------------------------===#


def key_of(cell):
    score = cell.get("score", "dot")
    return cell["op"], cell["graph"], cell["features"], cell["heads"], score


def place_of(cell, backward):
    """The key that a cell's peers go to; None for a cell of another operation."""
    if cell["op"] == "attention":
        return "backward_peers" if backward else "peers"
    return "peers" if cell["op"] == "attention_backward" else None


def take_known(report, path):
    """What an earlier run has left at `path`, for the cells of the report."""
    if not os.path.exists(path):
        return
    with open(path) as file:
        known = {key_of(cell): cell for cell in json.load(file)["cells"]}
    for cell in report["cells"]:
        for place in ("peers", "backward_peers"):
            if place in known.get(key_of(cell), {}):
                cell.setdefault(place, known[key_of(cell)][place])


def run(args, now=time.monotonic):
    begin = now()
    paths = {os.path.splitext(os.path.basename(p))[0]: p for p in args.graph}
    with open(args.report) as file:
        report = json.load(file)
    take_known(report, args.json)
    report["torch"] = torch.__version__
    left = 0
    for cell in report["cells"]:
        place = place_of(cell, args.backward)
        if place is None or cell["graph"] not in paths or place in cell:
            continue
        if args.within_s is not None and now() - begin > args.within_s:
            left += 1
            continue
        backward = place == "backward_peers" or cell["op"] == "attention_backward"
        score = cell.get("score", "dot")
        peers = []
        case = Case(paths[cell["graph"]], cell["features"], cell["heads"], score, backward)
        for kind in CONTESTANTS:
            if kind.score == score:
                peers.append(measure(case, kind))
                torch.cuda.empty_cache()
        cell[place] = peers
        print(*key_of(cell), cell.get("ours_ms"), peers, flush=True)
        with open(args.json + ".part", "w") as file:
            json.dump(report, file, indent=1)
            file.write("\n")
        os.replace(args.json + ".part", args.json)
        del case
        torch.cuda.empty_cache()
    if left:
        print(f"{left} cells are left: run this again")
    return 0


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graph", nargs="+", help="raw CSR files")
    parser.add_argument("--report", required=True, help="of autosage-bench")
    parser.add_argument("--json", required=True, help="the report with peers")
    parser.add_argument("--backward", action="store_true", help="time backward passes")
    parser.add_argument("--within-s", type=float, help="begin no cell later than that")
    return parser.parse_args(argv)


if __name__ == "__main__":
    arguments = parse(sys.argv[1:])
    load_torch()
    sys.exit(run(arguments))
