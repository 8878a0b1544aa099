#!/usr/bin/env python3
# ===- check_constraints.py - every constraint has a test ------*- Python -*-===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Usage: check_constraints.py PROJECT
#
# Constraint (C2) of op spmm is `spmm_c2` in a comment of the C++ check and at
# the start of the name of its test. This lists the constraints that one of the
# three places lacks. A check that ODS generates has no comment.
#
# ===----------------------------------------------------------------------===#

import pathlib
import re
import sys

# What `(C1)` in the description of a definition is called elsewhere.
DEFINITION = re.compile(
    r"^def \w+ : Autosage_(?:\w*Op|Attr)<(?:\"\w+\", )?\"(\w+)\"|^  let mnemonic = \"(\w+)\";",
    re.MULTILINE,
)
DOCUMENTED = re.compile(r"- \((C|S)(\d+)\)")


def documented(folder):
    names = set()
    for path in sorted(folder.glob("*.td")):
        text = path.read_text()
        starts = [(m.start(), m.group(1) or m.group(2) + "_type") for m in DEFINITION.finditer(text)]
        for match in DOCUMENTED.finditer(text):
            kind, number = match.groups()
            if kind == "S":
                names.add(f"sparse_s{number}")
                continue
            owner = [name for start, name in starts if start < match.start()][-1]
            names.add(f"{owner}_c{number}")
    return names


def commented(folder):
    names = set()
    for path in sorted(folder.glob("*.cpp")):
        for line in re.findall(r"^\s*// ((?:\w+_[cs]\d+(?:, )?)+)$", path.read_text(), re.MULTILINE):
            names.update(line.split(", "))
    return names


def tested(folder):
    names = set()
    for path in sorted(folder.glob("invalid-*.mlir")):
        for name in re.findall(r"(?:@|test\.)(\w+_[cs]\d+)(?=_|\b)", path.read_text()):
            names.add(name)
    return names


def main(project):
    below = pathlib.Path("Dialect") / "Autosage"
    places = {
        "description": documented(project / "include" / "autosage" / below / "IR"),
        "C++ check": commented(project / "lib" / below / "IR"),
        "test": tested(project / "test" / below),
    }
    status = 0
    for name in sorted(set.union(*places.values())):
        for place, names in places.items():
            if name not in names:
                print(f"{name}: no {place}")
                status = 1
    if not status:
        print(f"{len(places['test'])} constraints, each described, checked and tested")
    return status


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
