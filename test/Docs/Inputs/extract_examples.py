#!/usr/bin/env python3
# ===- extract_examples.py - the examples of the reference -----*- Python -*-===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Usage: extract_examples.py TD_FILE...
#
# Prints the examples in the descriptions of ops, types and attributes, apart
# from each other as -split-input-file wants them. A definition whose
# description shows no example of itself is an error.
#
# ===----------------------------------------------------------------------===#

import pathlib
import re
import sys
import textwrap

# A definition up to the next one, or the end of the file.
DEFINITION = re.compile(r"^def (\w+) : (.*?)(?=^def |\Z)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"```mlir\n(.*?)```", re.DOTALL)
INLINE = re.compile(r"Example: ((?:`[^`]+`(?:,\s*)?)+)")


def op_examples(mnemonic, text):
    blocks = [textwrap.dedent(block).strip() for block in BLOCK.findall(text)]
    return [b for b in blocks if re.search(rf"\bautosage\.{mnemonic}\b(?!_)", b)], blocks


def inline_examples(text):
    return [code for group in INLINE.findall(text) for code in re.findall(r"`([^`]+)`", group)]


def main(paths):
    examples = []
    missing = []
    for path in paths:
        for name, text in DEFINITION.findall(pathlib.Path(path).read_text()):
            if re.match(r"Autosage_\w*Op<", text):
                mnemonic = re.match(r"Autosage_\w*Op<\"(\w+)\"", text).group(1)
                own, blocks = op_examples(mnemonic, text)
                examples += blocks
            elif text.startswith("Autosage_Attr<"):
                own = inline_examples(text)
                examples += [f"module attributes {{test.example = {a}}} {{}}" for a in own]
            elif text.startswith("TypeDef<"):
                own = inline_examples(text)
                examples += [f"func.func private @example({t})" for t in own]
            else:
                continue
            if not own:
                missing.append(name)
    if missing:
        sys.exit("no example of itself in the description of " + ", ".join(missing))
    if not examples:
        sys.exit("no definitions found")
    print("\n\n// -----\n\n".join(examples))


if __name__ == "__main__":
    main(sys.argv[1:])
