# ===- test_run_cache.py - the decision cache, as users have it ------------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Whatever the file or the place for it is: status 0, a right result, and at
# most one warning. What the store does is in test/unit/Oracle.
#
# ===----------------------------------------------------------------------===#
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile
import time

import numpy as np
import pytest
import scipy.sparse

PROBE = ["--oracle", "probe"]
SPMM = ["--op", "spmm", "--features", 16, "--check"]


@pytest.fixture
def graph(tool):
    return save(tool, "graph", scipy.sparse.random(300, 200, 0.03, "csr", rng=3))


@pytest.fixture
def cache(tool):
    return tool.folder / "decisions.sqlite"


def save(tool, name, matrix):
    path = tool.folder / f"{name}.npz"
    scipy.sparse.save_npz(path, scipy.sparse.csr_matrix(matrix, dtype=np.float64))
    return path


def warnings_of(done):
    assert done.returncode == 0, done.stderr
    assert "passed" in done.stdout
    return [line for line in done.stderr.splitlines() if line.startswith("warning: ")]


def keys_of(tool, cache):
    with sqlite3.connect(cache) as database:
        return [row[0] for row in database.execute("SELECT key FROM decisions")]


@pytest.mark.parametrize(
    "contents", [bytes(range(256)), b"[1,2,3]", b'{"a":"\xc3\x28"}', b"SQLite format 3\0"]
)
def test_c01_garbage_is_one_warning_and_then_a_cache(tool, graph, cache, contents):
    cache.write_bytes(contents)
    cache.chmod(0o600)
    done = tool.run(graph, *SPMM, *PROBE, "--cache", cache, "--repeat", 1)
    (warning,) = warnings_of(done)
    assert str(cache) in warning
    again = tool.run(graph, *SPMM, *PROBE, "--cache", cache, "--repeat", 1)
    assert warnings_of(again) == []
    assert "decided by cache" in again.stdout


def test_c01_one_damaged_entry_leaves_the_other(tool, graph, cache):
    for features in (16, 24):
        tool.json(graph, "--op", "spmm", "--features", features, *PROBE, "--cache", cache)
    with sqlite3.connect(cache) as database:
        changed = database.execute(
            "UPDATE decisions SET value = replace(value, '\"spent_ms\":', "
            "'\"spent_ms\":\"much\",\"was\":') WHERE key LIKE '%\nfeatures=24\n%'"
        )
        assert changed.rowcount == 1
    assert tool.json(graph, *SPMM, *PROBE, "--cache", cache)["decided_by"] == "cache"
    wide = [graph, "--op", "spmm", "--features", 24, "--check", *PROBE, "--cache", cache]
    done = tool.run(*wide, "--repeat", 1)
    assert len(warnings_of(done)) == 1
    assert "decided by probe" in done.stdout
    assert tool.json(*wide)["decided_by"] == "cache"
    assert len(keys_of(tool, cache)) == 2


@pytest.mark.parametrize("place", ["folder", "folder/", "pipe", "graph.npz/d.sqlite", "/dev/null"])
def test_a_place_that_cannot_be_a_cache(tool, graph, place):
    (tool.folder / "folder").mkdir()
    os.mkfifo(tool.folder / "pipe")
    name = place if place.startswith("/") else f"{tool.folder}/{place}"
    done = tool.run(graph, *SPMM, *PROBE, "--cache", name, "--repeat", 1)
    (warning,) = warnings_of(done)
    assert name in warning
    assert list((tool.folder / "folder").iterdir()) == []


def test_folders_are_made(tool, graph):
    cache = tool.folder / "no" / "such" / "decisions.sqlite"
    assert tool.json(graph, *SPMM, *PROBE, "--cache", cache)["decided_by"] == "probe"
    assert tool.json(graph, *SPMM, *PROBE, "--cache", cache)["decided_by"] == "cache"
    assert cache.parent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("home", [None, "relative"])
def test_without_a_home_nothing_is_kept_and_that_is_said(tool, graph, home):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("AUTOSAGE_")}
    environment.pop("XDG_CACHE_HOME", None)
    environment.pop("HOME", None)
    if home:
        environment["HOME"] = home
    for _ in range(2):
        done = subprocess.run(
            [tool.path, graph, *map(str, SPMM), *PROBE, "--repeat", "1"],
            capture_output=True,
            text=True,
            env=environment,
            cwd=tool.folder,
        )
        (warning,) = warnings_of(done)
        assert "HOME" in warning and "not kept" in warning
        assert "decided by probe" in done.stdout
    assert [p.name for p in tool.folder.iterdir()] == ["graph.npz"]
    # Where none is wanted, nothing is said.
    done = tool.run(graph, *SPMM, *PROBE, "--repeat", 1)
    assert warnings_of(done) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="as another user")
def test_c05_a_read_only_home(tool, graph):
    """First nothing can be kept, then what was kept is used."""
    nobody = {"user": 65534, "group": 65534, "extra_groups": []}
    if subprocess.run([tool.path, "--version"], capture_output=True, **nobody).returncode:
        pytest.skip("another user cannot run the tool")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("AUTOSAGE_")}
    environment.pop("XDG_CACHE_HOME", None)
    with tempfile.TemporaryDirectory() as folder:  # not below one of this user alone
        os.chmod(folder, 0o755)
        home = pathlib.Path(folder, "home")
        home.mkdir()
        os.chown(home, nobody["user"], nobody["group"])
        copy = shutil.copy(graph, folder)
        os.chmod(copy, 0o644)

        def run():
            return subprocess.run(
                [tool.path, copy, *map(str, SPMM), *PROBE, "--repeat", "1"],
                capture_output=True,
                text=True,
                env={**environment, "HOME": str(home)},
                **nobody,
            )

        home.chmod(0o555)
        done = run()
        (warning,) = [w for w in warnings_of(done) if "decision cache" in w]
        assert "decided by probe" in done.stdout
        home.chmod(0o755)
        assert "decided by probe" in run().stdout
        kept = home / ".cache" / "autosage"
        (kept / "decisions.sqlite").chmod(0o444)
        for path in (kept, kept.parent, home):
            path.chmod(0o555)
        done = run()
        assert "decided by cache" in done.stdout
        assert [w for w in warnings_of(done) if "decision cache" in w] == []


def test_c09_equal_sizes_other_degrees(tool, cache):
    columns, values = [0, 1, 1, 2, 2, 3, 3, 0], [1, 2, 3, 4, 5, 6, 7, 8]
    x = tool.save("x", np.array([[1], [10], [100], [1000]], np.float32))
    graphs = {
        name: save(tool, name, scipy.sparse.csr_matrix((values, columns, rowptr), (4, 4)))
        for name, rowptr in {"a": [0, 2, 4, 6, 8], "b": [0, 8, 8, 8, 8]}.items()
    }
    expected = {"a": [21, 430, 6500, 7008], "b": [13959, 0, 0, 0]}
    for name in ("a", "b", "a", "b"):
        out = tool.output(
            graphs[name], "--op", "spmm", "--features", 1, "--x", x, *PROBE, "--cache", cache
        )
        assert out.ravel().tolist() == expected[name]
    assert len(keys_of(tool, cache)) == 2


def test_c11_width_type_operation_and_direction_are_keys(tool, graph, cache):
    sequence = [
        ["--op", "spmm", "--features", 64],
        ["--op", "spmm", "--features", 1],
        ["--op", "spmm", "--features", 64, "--dtype", "f16"],
        ["--op", "sddmm", "--features", 64],
        ["--op", "spmm", "--features", 64, "--transpose"],
        ["--op", "attention", "--features", 64, "--heads", 1],
        ["--op", "attention", "--features", 64, "--heads", 2],
        ["--op", "spmm", "--features", 64, "--index", "i64"],
    ]
    for number, op in enumerate(sequence, 1):
        assert tool.json(graph, *op, *PROBE, "--cache", cache)["decided_by"] == "probe", op
        assert len(set(keys_of(tool, cache))) == number, op
    for op in sequence:
        assert tool.json(graph, *op, *PROBE, "--cache", cache)["decided_by"] == "cache", op


def test_the_option_stands_above_the_environment(tool, graph, cache):
    other = tool.folder / "other.sqlite"
    tool.environment["AUTOSAGE_DECISION_CACHE"] = str(other)
    tool.json(graph, *SPMM, *PROBE, "--cache", cache)
    assert cache.exists() and not other.exists()


def test_cleared_between_and_during_runs(tool, graph, cache):
    clear = [tool.path.with_name("autosage-cache"), "--cache", cache, "clear"]
    tool.json(graph, *SPMM, *PROBE, "--cache", cache)
    subprocess.run(clear, check=True)
    assert tool.json(graph, *SPMM, *PROBE, "--cache", cache)["decided_by"] == "probe"
    runs = [
        subprocess.Popen(
            [tool.path, graph, *map(str, SPMM), *PROBE, "--cache", cache, "--repeat", "1"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    while any(run.poll() is None for run in runs):
        subprocess.run(clear, capture_output=True)
        time.sleep(0.01)
    for run in runs:
        out, error = run.communicate()
        assert run.returncode == 0 and "passed" in out, error
        assert "warning" not in error


def test_a_changed_environment_is_a_miss_that_is_kept(tool, graph, cache):
    """Of another code version, as after an upgrade."""
    tool.json(graph, *SPMM, *PROBE, "--cache", cache)
    exported = tool.folder / "all.jsonl"
    base = [tool.path.with_name("autosage-cache"), "--cache", cache]
    subprocess.run([*base, "export", exported], check=True, capture_output=True)
    subprocess.run([*base, "clear"], check=True)
    text = exported.read_text()
    start = text.index('"code":"') + len('"code":"')
    exported.write_text(text[:start] + "0.0.1+" + text[start:])
    subprocess.run([*base, "import", exported], check=True, capture_output=True)
    done = tool.run(graph, *SPMM, "--oracle", "replay", "--cache", cache, "--repeat", 1)
    (warning,) = warnings_of(done)
    assert "code: stored 0.0.1+" in warning
    assert tool.json(graph, *SPMM, *PROBE, "--cache", cache)["decided_by"] == "probe"
    assert len(keys_of(tool, cache)) == 2
