#!/usr/bin/env python3
"""Times PyTorch's ways to graph attention on a GPU, beside a report of ours.

    autosage-bench GRAPH.bin... --target nvptx --op attention --features 32,64,128
        --heads 1,4,8 --oracle probe --json ours.json
    attention_peers.py GRAPH.bin... --report ours.json --json FILE

Each cell of the report gets `peers`: a list with `name`, `ms` (median of batches
between CUDA events, warm) and `rel_err` against f64 on 48 rows and the longest,
or `skipped` with a reason. Needs torch; torch_geometric where it is there. The
contestants, all f32, on the graph's own pattern:

* sdpa_mask: scaled_dot_product_attention with a dense mask, up to 20,000 rows;
* flex: flex_attention, compiled, with a block mask of the pattern, for patterns
  with at least 1 % of all places, which is what it is for;
* transformer_conv: torch_geometric's TransformerConv from q, k and v on,
  without its projections.
"""

import argparse
import json
import math
import os
import statistics
import sys

import numpy as np
import torch

MAGIC = 0x31525343
DENSE_ROWS = 20_000
FLEX_DENSITY = 0.01
BYTES = 80e9  # of messages that a convolution may keep


def read_graph(path):
    head = np.fromfile(path, dtype="<i8", count=4)
    if head[0] != MAGIC:
        sys.exit(f"{path}: expects a raw CSR file, got another magic number")
    rows, cols, nnz = (int(x) for x in head[1:])
    wide = "<i8" if nnz >= 2**31 else "<i4"
    offset = 32 + (rows + 1) * np.dtype(wide).itemsize
    rowptr = np.fromfile(path, dtype=wide, count=rows + 1, offset=32)
    colind = np.fromfile(path, dtype="<i4", count=nnz, offset=offset)
    return rows, cols, torch.from_numpy(rowptr).long(), torch.from_numpy(colind)


class Case:
    """A graph and operands on the GPU; heads between rows and features."""

    def __init__(self, path, features, heads):
        self.rows, self.cols, rowptr, colind = read_graph(path)
        self.rowptr, self.colind = rowptr.cuda(), colind.cuda().long()
        self.features, self.heads = features, heads
        self.scale = 1 / math.sqrt(features)
        make = torch.Generator("cuda").manual_seed(0)

        def draw(n):
            shape = (n, heads, features)
            return torch.rand(shape, generator=make, device="cuda") * 2 - 1

        self.q, self.k, self.v = draw(self.rows), draw(self.cols), draw(self.cols)

    def nnz(self):
        return self.colind.numel()

    def row_of_edge(self):
        degrees = self.rowptr[1:] - self.rowptr[:-1]
        return torch.repeat_interleave(
            torch.arange(self.rows, device="cuda"), degrees
        )

    def mask(self):
        mask = torch.zeros(self.rows, self.cols, dtype=torch.bool, device="cuda")
        mask[self.row_of_edge(), self.colind] = True
        return mask

    def batch(self):
        """q, k and v with heads first, as PyTorch's attention has them."""
        return [x.transpose(0, 1).unsqueeze(0).contiguous() for x in (self.q, self.k, self.v)]

    def error(self, out):
        degrees = self.rowptr[1:] - self.rowptr[:-1]
        rows = set(range(0, self.rows, max(1, self.rows // 48)))
        rows.add(int(degrees.argmax()))
        off, norm = 0.0, 0.0
        for i in rows:
            j = self.colind[self.rowptr[i] : self.rowptr[i + 1]]
            if j.numel() == 0:
                continue  # PyTorch gives NaN, we zeros
            q, k, v = self.q[i].double(), self.k[j].double(), self.v[j].double()
            p = torch.softmax(self.scale * torch.einsum("hf,ehf->he", q, k), -1)
            want = torch.einsum("he,ehf->hf", p, v)
            off += float((out[i].double() - want).square().sum())
            norm += float(want.square().sum())
        return math.sqrt(off / norm)


def sdpa_mask(case):
    if case.rows > DENSE_ROWS:
        return f"more than {DENSE_ROWS} rows"
    q, k, v = case.batch()
    mask = case.mask()
    attend = torch.nn.functional.scaled_dot_product_attention
    return lambda: attend(q, k, v, attn_mask=mask, scale=case.scale)[0].transpose(0, 1)


flex_compiled = None


def flex(case):
    if case.nnz() < FLEX_DENSITY * case.rows * case.cols:
        return f"less than {FLEX_DENSITY:.0%} of all places"
    if case.features & (case.features - 1):
        return "features that are no power of two"
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    global flex_compiled
    flex_compiled = flex_compiled or torch.compile(flex_attention, dynamic=False)
    q, k, v = case.batch()
    mask = case.mask()
    blocks = create_block_mask(
        lambda b, h, i, j: mask[i, j], 1, 1, case.rows, case.cols, device="cuda"
    )
    return lambda: flex_compiled(q, k, v, block_mask=blocks, scale=case.scale)[
        0
    ].transpose(0, 1)


def transformer_conv(case):
    if 4 * case.nnz() * case.heads * case.features * 4 > BYTES:
        return f"messages of more than {BYTES / 1e9:.0f} GB"
    try:
        from torch_geometric.nn import TransformerConv
    except ImportError:
        return "torch_geometric is not installed"
    conv = TransformerConv(case.features, case.features, case.heads).cuda()
    edges = torch.stack([case.colind, case.row_of_edge()])
    return lambda: conv.propagate(
        edges,
        query=case.q,
        key=case.k,
        value=case.v,
        edge_attr=None,
        size=(case.cols, case.rows),
    )


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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graph", nargs="+", help="raw CSR files")
    parser.add_argument("--report", required=True, help="of autosage-bench")
    parser.add_argument("--json", required=True, help="the report with peers")
    args = parser.parse_args()
    if not torch.cuda.is_available():
        sys.exit("attention_peers.py expects a GPU, got none")
    torch.backends.cuda.matmul.allow_tf32 = False
    paths = {os.path.splitext(os.path.basename(p))[0]: p for p in args.graph}
    with open(args.report) as file:
        report = json.load(file)
    report["torch"] = torch.__version__
    for cell in report["cells"]:
        if cell["graph"] not in paths:
            continue
        case = Case(paths[cell["graph"]], cell["features"], cell["heads"])
        cell["peers"] = []
        for prepare in (sdpa_mask, flex, transformer_conv):
            peer = {"name": prepare.__name__}
            with torch.no_grad():
                try:
                    run = prepare(case)
                    if isinstance(run, str):
                        peer["skipped"] = run
                    else:
                        out = run().reshape(case.rows, case.heads, case.features)
                        peer["rel_err"] = case.error(out)
                        del out
                        peer["ms"] = time_ms(run)
                except (RuntimeError, torch.OutOfMemoryError) as error:
                    peer["skipped"] = str(error).splitlines()[0][:200]
            run = None
            torch.cuda.empty_cache()
            cell["peers"].append(peer)
        print(cell["graph"], cell["features"], cell["heads"], cell["ours_ms"], cell["peers"], flush=True)
        with open(args.json, "w") as file:
            json.dump(report, file, indent=1)
            file.write("\n")
        del case
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
