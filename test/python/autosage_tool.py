# ===- autosage_tool.py - runs autosage-run and reads what it wrote --------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
import json
import os
import subprocess

import numpy as np

TIMEOUT_SECONDS = 300


class Tool:
    """autosage-run, with a folder for the files that go in and out."""

    def __init__(self, path, folder):
        self.path = path
        self.folder = folder
        self.environment = {}  # besides that of the tests

    def run(self, *arguments):
        """Runs the tool whatever its exit status is."""
        return subprocess.run(
            [str(self.path), *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            env={**os.environ, **self.environment},
        )

    def json(self, *arguments):
        """Runs it successfully; returns its JSON object."""
        done = self.run(*arguments, "--repeat", 1, "--json", "-")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def output(self, *arguments):
        """Runs it successfully; returns the array that it wrote."""
        path = self.folder / "output.npy"
        done = self.run(*arguments, "--repeat", 1, "--output", path)
        assert done.returncode == 0, done.stderr
        return np.load(path)

    def save(self, name, array):
        """Writes an operand; returns its path."""
        path = self.folder / f"{name}.npy"
        np.save(path, array)
        return path

    def refuses(self, *arguments):
        """Runs it into status 2 with one line on stderr; returns the line."""
        done = self.run(*arguments)
        assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
        # "reading graph.mtx ..." comes where a step takes more than a second.
        lines = [line for line in done.stderr.splitlines() if not line.endswith(" ...")]
        assert len(lines) == 1, done.stderr
        return lines[0]
