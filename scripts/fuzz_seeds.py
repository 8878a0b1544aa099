#!/usr/bin/env python3
# ===- fuzz_seeds.py - what the fuzz targets start from --------------------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Writes a folder of seeds for each target: the files of test/fuzz/corpus, the
# pieces of the FileCheck tests for the IR, binary files made here, and small
# ones of the shared test graphs where they are at hand.
#
# ===----------------------------------------------------------------------===#
import argparse
import io
import os
import pathlib
import re
import shutil
import struct
import sys

import numpy
import scipy.sparse

ROOT = pathlib.Path(__file__).resolve().parents[1]
TARGETS = ["matrix-market", "npz", "raw", "npy", "schedule", "decision", "ir"]
LARGEST = 16384
"""Bytes of a seed: a mutation of a larger one mostly misses what matters."""

# As in test/fuzz/Npz.cpp.
MEMBERS = [
    *("format", "indptr", "indices", "shape", "data", "rowptr", "colind", "values"),
    *("adj_indptr", "adj_shape", "adj_indices", "adj_data"),
]


def npy(array, **options):
    out = io.BytesIO()
    numpy.lib.format.write_array(out, numpy.asarray(array), **options)
    return out.getvalue()


def npy_seeds():
    small = numpy.arange(6)
    for dtype in ("?", "<f2", "<f4", ">f4", "<f8", "<i8", ">i2", "|u1", "<u4", "<c8", "<U3", "|S2"):
        yield f"{dtype[1:]}-{'big' if dtype[0] == '>' else 'little'}", npy(small.astype(dtype))
    yield "fortran", npy(numpy.asfortranarray(small.reshape(2, 3).astype("f4")))
    yield "scalar", npy(numpy.float32(1))
    yield "empty", npy(numpy.zeros((0, 3)))
    yield "version-2", npy(small, version=(2, 0))
    yield "version-3", npy(small, version=(3, 0))
    whole = npy(small.astype("<f8"))
    yield "truncated", whole[:-5]
    yield "header-only", whole[:20]
    yield "too-large", whole.replace(b"(6,)", b"(9223372036854775807,)")
    yield "overflow", whole.replace(b"(6,)", b"(4294967296, 4294967296)")
    yield "object", whole.replace(b"<f8", b"|O8")


def archive_seeds():
    matrix = scipy.sparse.csr_matrix(numpy.array([[0, 1.5, 0], [2, 0, 3]]))
    for name, value, compressed in (
        ("csr", matrix, False),
        ("csr-deflated", matrix, True),
        ("csc", matrix.tocsc(), False),
        ("coo", matrix.tocoo(), False),
        ("complex", matrix.astype(complex), False),
    ):
        out = io.BytesIO()
        scipy.sparse.save_npz(out, value, compressed=compressed)
        yield name, out.getvalue()
        yield f"{name}-truncated", out.getvalue()[:-30]
    shape, rowptr, colind = [2, 3], [0, 1, 3], [1, 0, 2]
    for name, arrays in {
        "rowptr": {"rowptr": rowptr, "colind": colind, "shape": shape},
        "adj": {"adj_indptr": rowptr, "adj_indices": colind, "adj_shape": shape},
        "adj-values": {
            **{"adj_indptr": rowptr, "adj_indices": colind, "adj_shape": shape},
            "adj_data": numpy.ones(3, "f2"),
        },
        "no-shape": {"rowptr": rowptr, "colind": colind},
        "decreasing": {"rowptr": [0, 3, 1], "colind": colind, "shape": shape},
        "column-too-large": {"rowptr": rowptr, "colind": [1, 0, 3], "shape": shape},
        "values": {"rowptr": rowptr, "colind": colind, "shape": shape, "values": [1.0, 2.0, 3.0]},
        "scipy": {
            **{"format": numpy.bytes_(b"csc"), "indptr": rowptr, "indices": colind},
            **{"shape": [3, 2], "data": [1.0, 2.0, 3.0]},
        },
        "text-format": {
            **{"format": numpy.str_("csr"), "indptr": rowptr, "indices": colind},
            **{"shape": shape, "data": [True, False, True]},
        },
    }.items():
        out = io.BytesIO()
        numpy.savez(out, **arrays)
        yield name, out.getvalue()
        # The same in the form whose checksums the target makes.
        members = b""
        for member, array in arrays.items():
            contents = npy(array)
            members += struct.pack("<BH", MEMBERS.index(member), len(contents)) + contents
        yield f"{name}-members", members


def raw_seeds():
    def header(magic, rows, cols, nnz):
        return struct.pack("<4q", magic, rows, cols, nnz)

    plain, extended = 0x31525343, 0x32525343
    arrays = struct.pack("<3i3i", 0, 2, 3, 2, 0, 2)
    yield "plain", header(plain, 2, 3, 3) + arrays
    yield "truncated", header(plain, 2, 3, 3) + arrays[:-2]
    yield "empty", header(plain, 0, 0, 0) + struct.pack("<i", 0)
    yield "too-many-entries", header(plain, 2, 3, 2**63 - 1) + arrays
    yield "too-many-rows", header(plain, 2**63 - 2, 3, 3) + arrays
    yield "negative", header(plain, -1, 3, 3) + arrays
    for row_bytes, column_bytes, value_type in ((4, 4, 0), (8, 4, 1), (4, 8, 2), (8, 8, 2), (2, 4, 3)):
        body = b""
        for values, code, size in (
            ((0, 2, 3), "i" if row_bytes == 4 else "q", row_bytes),
            ((2, 0, 2), "i" if column_bytes == 4 else "q", column_bytes),
            ((1.5, -2.0, 0.25)[: 3 if value_type else 0], "f" if value_type == 1 else "d", 8),
        ):
            part = struct.pack(f"<{len(values)}{code}", *values)
            body += part + bytes(-len(part) % 8)
        extension = struct.pack("<I4BQ", 1, row_bytes, column_bytes, value_type, 0, 0)
        yield (
            f"extended-{row_bytes}-{column_bytes}-{value_type}",
            header(extended, 2, 3, 3) + extension + body,
        )


def ir_seeds():
    tests = ROOT / "test"
    for folder in ("Dialect", "Conversion", "Pipelines", "Integration", "cases"):
        for path in sorted((tests / folder).rglob("*.mlir")):
            text = re.sub(r"^// (RUN|CHECK|[A-Z0-9]+(-[A-Z]+)*):.*\n", "", path.read_text(), flags=re.M)
            text = re.sub(r"^\s*//(?! -----).*\n", "", text, flags=re.M)
            for number, piece in enumerate(re.split(r"^// -----.*$", text, flags=re.M)):
                if piece.strip():
                    yield f"{path.parent.name}-{path.stem}-{number}", piece.strip().encode() + b"\n"


def decision_seeds():
    for number, line in enumerate((ROOT / "examples" / "decisions.jsonl").read_bytes().splitlines()):
        yield f"example-{number}", line


def corpus_seeds(target):
    folder = ROOT / "test" / "fuzz" / "corpus" / target
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        yield path.name, path.read_bytes()


def shared_seeds(target):
    shared = os.environ.get("AUTOSAGE_SHARED_DIR") or ROOT.parent / "shared"
    if target == "matrix-market":
        for path in sorted((pathlib.Path(shared) / "data").glob("*.mtx")):
            if path.stat().st_size <= LARGEST:
                yield f"shared-{path.name}", path.read_bytes()


MADE = {
    "npy": npy_seeds,
    "npz": archive_seeds,
    "raw": raw_seeds,
    "decision": decision_seeds,
    "ir": ir_seeds,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("folder", type=pathlib.Path, help="made anew")
    parser.add_argument("--shared", action="store_true", help="take the shared graphs as well")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.folder, ignore_errors=True)
    arguments.folder.mkdir(parents=True)
    seeds = list(corpus_seeds(arguments.target))
    if arguments.target in MADE:
        seeds += MADE[arguments.target]()
    if arguments.shared:
        seeds += shared_seeds(arguments.target)
    for name, contents in seeds:
        path = arguments.folder / name
        if path.exists():
            sys.exit(f"fuzz_seeds.py: expects names that differ, got {name} twice")
        if len(contents) <= LARGEST:
            path.write_bytes(contents)
    if not seeds:
        sys.exit(f"fuzz_seeds.py: expects seeds of {arguments.target}, got none")


if __name__ == "__main__":
    main()
