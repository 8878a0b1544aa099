# ===- oracle.py - ./dev bench oracle -----------------------------------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# What deciding by a probe and replaying it take on the CPU, and whether what was
# chosen is as fast as the baseline: autosage-bench --oracle on graphs of
# inputs.py, judged by oracle_quality.py. Exit status: 0, also where an aim is
# missed; 1 when something broke; 2 for bad usage.
#
# ===----------------------------------------------------------------------===#
import argparse
import pathlib
import subprocess
import sys
import tempfile

import cpu
import inputs
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent


def write(graph, folder):
    """The graph as an .npz of its pattern."""
    path = folder / f"{graph.name}.npz"
    shape = np.array([graph.rows, graph.cols], np.int64)
    np.savez(path, rowptr=graph.rowptr, colind=graph.colind, shape=shape)
    return path


def main():
    parser = argparse.ArgumentParser(prog="./dev bench oracle")
    parser.add_argument("--build", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--graphs", default="cora,pubmed,arxiv_like,hub_skew")
    parser.add_argument("--features", default="32,64,128,256")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--quick", action="store_true", help="one small graph, one width")
    parser.add_argument("--output", type=pathlib.Path, help="folder of oracle-cpu.json")
    args = parser.parse_args()
    graphs = args.graphs.split(",")
    samples = "11"
    output = args.output or inputs.ROOT / "docs" / "results"
    if args.quick:
        graphs, args.features, samples = ["les_miserables"], "16", "3"
        output = args.output or args.build / "bench"
    output.mkdir(parents=True, exist_ok=True)
    report = output / "oracle-cpu.json"
    with tempfile.TemporaryDirectory() as folder:
        try:
            paths = [write(inputs.load_graph(name), pathlib.Path(folder)) for name in graphs]
        except inputs.Missing as error:
            parser.error(str(error))
        command = [args.build / "bin" / "autosage-bench", "--target=cpu", "--oracle=probe"]
        command += [f"--features={args.features}", f"--samples={samples}", f"--json={report}"]
        command += [f"--commit={cpu.commit()}"]
        if args.threads:
            command.append(f"--threads={args.threads}")
        if subprocess.run([*command, *paths], stdout=subprocess.DEVNULL, check=False).returncode:
            print("autosage-bench failed", file=sys.stderr)
            return 1
    judged = subprocess.run([sys.executable, HERE / "oracle_quality.py", report], check=False)
    print(f"report: {report}")
    return 0 if judged.returncode in (0, 1) else 1


if __name__ == "__main__":
    sys.exit(main())
