# ===- ptxas_report.py - registers and spills of kernels -------*- Python -*-===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Reads a gpu.binary with PTX from standard input, assembles it with ptxas and
prints what that reports of each kernel."""

import os
import re
import shutil
import subprocess
import sys
import tempfile


def find_ptxas():
    for variable in ("AUTOSAGE_CUDA_TOOLKIT", "CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"):
        if os.environ.get(variable):
            return os.path.join(os.environ[variable], "bin", "ptxas")
    return shutil.which("ptxas")


def main():
    text = re.search(r'assembly = "(.*?)"', sys.stdin.read(), re.S).group(1)
    ptx = re.sub(r"\\([0-9A-F]{2})", lambda m: chr(int(m.group(1), 16)), text)
    chip = re.search(r"\.target (sm_\w+)", ptx).group(1)
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "kernels.ptx")
        with open(source, "w") as file:
            file.write(ptx)
        command = [find_ptxas(), "-v", f"-arch={chip}", source, "-o", source + ".cubin"]
        done = subprocess.run(command, capture_output=True, text=True)
    print(done.stdout + done.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
