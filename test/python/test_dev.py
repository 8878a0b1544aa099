# ===- test_dev.py - the ./dev script --------------------------------------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Only what is cheap and changes nothing: usage, systems that cannot be set up
# (a copy of the script sees stand-ins for the system's own tools), and that a
# second setup finds nothing to do.
#
# ===----------------------------------------------------------------------===#
import os
import shutil
import stat
import subprocess
import tempfile
import time

import pytest

VERBS = ["setup", "build", "demo", "test", "bench", "sanitize", "fuzz", "bundle", "docs", "format"]


def run_dev(script, *arguments, **options):
    return subprocess.run(
        ["bash", script, *arguments], capture_output=True, text=True, timeout=300, **options
    )


def refusal(done):
    """The one line on stderr of a run that ended in status 2."""
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert len(done.stderr.splitlines()) == 1, done.stderr
    return done.stderr.strip()


# ===----------------------------------------------------------------------===#
# Usage
# ===----------------------------------------------------------------------===#


@pytest.mark.parametrize("arguments", [[], ["help"], ["--help"], ["-h"]])
def test_help_names_every_verb(root, arguments):
    done = run_dev(root / "dev", *arguments)
    assert done.returncode == 0
    for verb in VERBS:
        assert f"\n  {verb} " in done.stdout


def test_unknown_verb(root):
    assert "deploy" in refusal(run_dev(root / "dev", "deploy"))


@pytest.mark.parametrize(
    "arguments",
    [
        ["setup", "now"],
        ["build", "fast"],
        ["bundle", "small"],
        ["bench", "report", "now"],
        ["demo", "a.mtx", "b.mtx"],
        ["test", "a", "b"],
        ["sanitize"],
        ["sanitize", "msan"],
        ["sanitize", "asan", "a", "b"],
        ["fuzz"],
        ["fuzz", "everything"],
        ["fuzz", "ir", "soon"],
        ["docs", "--force"],
        ["docs", "--check", "--check"],
        ["format", "lib"],
    ],
)
def test_wrong_arguments(root, arguments):
    assert arguments[0] in refusal(run_dev(root / "dev", *arguments))


@pytest.mark.parametrize("arguments, got", [([], "nothing"), (["tpu"], "tpu")])
def test_bench_of_no_suite(root, arguments, got):
    assert f"bench expects cpu, compile, oracle or report, got {got}" in refusal(
        run_dev(root / "dev", "bench", *arguments)
    )


def test_demo_of_missing_graph(root):
    assert "absent.mtx" in refusal(run_dev(root / "dev", "demo", "absent.mtx"))


def test_runs_from_another_folder(root, tmp_path):
    done = run_dev(root / "dev", "help", cwd=tmp_path)
    assert done.returncode == 0 and "usage: ./dev" in done.stdout


def test_second_setup_is_quick(root):
    if not (root / ".venv" / ".stamp").exists():
        pytest.skip("./dev setup has not run here")
    start = time.monotonic()
    done = run_dev(root / "dev", "setup")
    assert done.returncode == 0, done.stderr
    assert ".venv is up to date" in done.stdout
    assert time.monotonic() - start < 20


# ===----------------------------------------------------------------------===#
# Systems that cannot be set up
# ===----------------------------------------------------------------------===#


class Sandbox:
    """A copy of ./dev that sees a system of our making."""

    def __init__(self, root, folder):
        self.folder = folder
        self.tools = folder / "tools"
        self.tools.mkdir()
        text = (root / "dev").read_text()
        assert text.count("/etc/os-release") == 1
        self.script = folder / "dev"
        self.script.write_text(text.replace("/etc/os-release", str(folder / "os-release")))
        shutil.copy(root / "requirements.txt", folder)
        self.system('ID=debian\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n')
        # No package is installed, and nothing that changes the system works.
        self.stand_in("dpkg-query", "exit 1")
        self.stand_in("apt-get", "exit 0")

    def system(self, os_release):
        (self.folder / "os-release").write_text(os_release)

    def stand_in(self, name, body):
        path = self.tools / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def setup(self, path="/usr/bin:/bin", command=()):
        environment = {**os.environ, "PATH": f"{self.tools}:{path}", "HOME": str(self.folder)}
        return subprocess.run(
            [*command, "bash", self.script, "setup"],
            capture_output=True,
            text=True,
            timeout=60,
            env=environment,
            stdin=subprocess.DEVNULL,
        )


@pytest.fixture
def sandbox(root):
    if shutil.which("dpkg-query") is None:
        pytest.skip("not a Debian system")
    import pathlib

    # Not tmp_path: another user must be able to enter it.
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, stat.S_IRWXU | stat.S_IRWXG | stat.S_IRWXO)
        yield Sandbox(root, pathlib.Path(folder))


def test_setup_of_another_distribution(sandbox):
    sandbox.system('ID=fedora\nPRETTY_NAME="Fedora Linux 42"\n')
    line = refusal(sandbox.setup())
    assert "Debian 12 or 13" in line and "Fedora Linux 42" in line


def test_setup_of_unknown_system(sandbox):
    (sandbox.folder / "os-release").unlink()
    assert "Debian 12 or 13" in refusal(sandbox.setup())


def test_setup_of_another_architecture(sandbox):
    sandbox.stand_in("dpkg", "echo s390x")
    assert "s390x" in refusal(sandbox.setup())


def test_setup_without_the_packages_in_the_sources(sandbox):
    if os.geteuid() != 0:
        pytest.skip("installing asks for root")
    sandbox.system('ID=debian\nPRETTY_NAME="Debian GNU/Linux 11 (bullseye)"\n')
    sandbox.stand_in("apt-cache", 'test "$2" != llvm-22-dev')
    line = refusal(sandbox.setup())
    assert "llvm-22-dev" in line and "bullseye" in line


def test_setup_without_root(sandbox):
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("setpriv is not there")
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    else:
        command = []
    sandbox.stand_in("sudo", "exit 1")
    line = refusal(sandbox.setup(command=command))
    assert "root or sudo" in line and "apt-get install llvm-22-dev" in line
