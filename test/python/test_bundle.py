# ===- test_bundle.py - what the bundle's script refuses -------------------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# `./dev bundle` links for minutes, and runs the bundle's own tests. Here is
# what shows that its checks can fail.
#
# ===----------------------------------------------------------------------===#
import shutil
import subprocess
import sys
import tarfile

import pytest

import make_bundle


def test_refuses_a_build_with_shared_llvm(root, bin_dir, tmp_path):
    assert (bin_dir / "autosage-run").exists(), f"expects autosage-run in {bin_dir}, got none"
    archive = tmp_path / "bundle.tar.xz"
    done = subprocess.run(
        [sys.executable, root / "scripts/make_bundle.py"]
        + ["--build", bin_dir.parent, "--output", archive],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 1
    assert "to need no LLVM, got lib" in done.stderr
    assert not archive.exists()


@pytest.fixture
def stage(tmp_path):
    """A folder with one program in it."""
    folder = tmp_path / make_bundle.NAME
    (folder / "bin").mkdir(parents=True)
    shutil.copy("/bin/sh", folder / "bin/sh")
    return folder


def test_refuses_a_newer_glibc(stage, monkeypatch):
    found = make_bundle.check_glibc(stage)
    assert found >= (2, 2)
    monkeypatch.setattr(make_bundle, "OLDEST_GLIBC", (found[0], found[1] - 1))
    with pytest.raises(make_bundle.Refused, match=f"got {found[0]}.{found[1]}"):
        make_bundle.check_glibc(stage)


def test_refuses_a_library_from_outside(stage):
    make_bundle.check_closure(stage)  # the shell needs glibc alone
    shutil.copy(shutil.which("git"), stage / "bin/git")
    with pytest.raises(make_bundle.Refused, match=r"to take lib\S+ from the bundle"):
        make_bundle.check_closure(stage)


def test_archives_are_equal_and_bounded(stage, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    archives = [tmp_path / "a.tar.xz", tmp_path / "b.tar.xz"]
    for archive in archives:
        make_bundle.pack(stage, archive)
        (stage / "bin/sh").touch()
    assert archives[0].read_bytes() == archives[1].read_bytes()
    with tarfile.open(archives[0]) as tar:
        assert tar.getnames() == [make_bundle.NAME + end for end in ("", "/bin", "/bin/sh")]
    monkeypatch.setattr(make_bundle, "LARGEST_ARCHIVE", 100)
    with pytest.raises(make_bundle.Refused, match="expects at most 100 bytes"):
        make_bundle.pack(stage, archives[0])


@pytest.mark.parametrize("says, status", [("relative error 1, tolerance 0.1: FAILED", 0), (": passed", 3)])
def test_its_tests_see_a_failure(root, tmp_path, says, status):
    for name in ("bin", "tests"):
        (tmp_path / name).mkdir()
    for program in ("bin/autosage-run", "bin/autosage-opt", "tests/AutosageCompilerTests"):
        (tmp_path / program).write_text(f"#!/bin/sh\necho '{says}'\nexit {status}\n")
        (tmp_path / program).chmod(0o755)
    done = subprocess.run(
        ["sh", root / "scripts/bundle/run-tests.sh"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1  # without a bundle around it
    shutil.copy(root / "scripts/bundle/run-tests.sh", tmp_path / "tests/run.sh")
    done = subprocess.run(
        ["sh", tmp_path / "tests/run.sh"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert "FAILED: autosage-run --op spmm --features 64" in done.stdout
