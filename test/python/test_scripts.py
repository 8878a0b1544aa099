# ===- test_scripts.py - the helpers of ./dev ------------------------------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
import io
import subprocess
import sys

import numpy as np
import pytest
import scipy.io
import scipy.sparse

import export_graph
import summarize_tests

# ===----------------------------------------------------------------------===#
# summarize_tests
# ===----------------------------------------------------------------------===#

LIT = """<testsuites><testsuite name="A">
<testcase classname="A.A" name="ok.mlir"/>
<testcase classname="A.A" name="bad.mlir"><failure>text</failure></testcase>
<testcase classname="A.A" name="gpu.mlir"><skipped message="Missing required feature(s): gpu"/></testcase>
<testcase classname="A.A" name="left.mlir"><skipped message="Test not selected (--filter)"/></testcase>
</testsuite></testsuites>"""
PYTEST = """<testsuites><testsuite name="pytest">
<testcase classname="t" name="a"/><testcase classname="t" name="b"/>
<testcase classname="t" name="c"><error message="collection">text</error></testcase>
<testcase classname="t" name="d"><skipped message="not built">text</skipped></testcase>
</testsuite></testsuites>"""
GREEN = '<testsuites><testsuite><testcase classname="t" name="a"/></testsuite></testsuites>'
EMPTY = "<testsuites><testsuite/></testsuites>"


@pytest.fixture
def summarize(tmp_path):
    def run(*suites):
        """Each suite: name, XML text or None for no file, exit status."""
        arguments = []
        for number, (name, text, status) in enumerate(suites):
            path = tmp_path / f"{number}.xml"
            if text is not None:
                path.write_text(text)
            arguments.append((name, path, status))
        out = io.StringIO()
        status = summarize_tests.summarize(arguments, out)
        return status, out.getvalue().splitlines()

    return run


def test_summary_adds_up(summarize):
    status, lines = summarize(("lit", LIT, 1), ("pytest", PYTEST, 1))
    assert status == 1
    assert lines[-1] == "3 passed, 2 failed, 2 skipped"
    assert "FAILED in lit: A.A :: bad.mlir" in lines
    assert "FAILED in pytest: t :: c" in lines
    assert sum(" passed, " in line for line in lines) == 1


def test_summary_of_success(summarize):
    status, lines = summarize(("lit", GREEN, 0), ("pytest", GREEN, 0))
    assert (status, lines[-1]) == (0, "2 passed, 0 failed, 0 skipped")


@pytest.mark.parametrize(
    "suites, last",
    [
        # A runner that died before it wrote anything.
        ([("lit", None, 2), ("pytest", GREEN, 0)], "1 passed, 1 failed, 0 skipped"),
        # One that failed though each test passed.
        ([("lit", GREEN, 1), ("pytest", GREEN, 0)], "2 passed, 1 failed, 0 skipped"),
        # Results cut short.
        ([("lit", GREEN[:40], 0), ("pytest", GREEN, 0)], "1 passed, 1 failed, 0 skipped"),
        # Nothing ran at all.
        ([("lit", None, 0), ("pytest", EMPTY, 5)], "0 passed, 1 failed, 0 skipped"),
        ([("lit", EMPTY, 0), ("pytest", EMPTY, 0)], "0 passed, 1 failed, 0 skipped"),
    ],
)
def test_summary_of_trouble(summarize, suites, last):
    status, lines = summarize(*suites)
    assert (status, lines[-1]) == (1, last)


def test_summary_of_filter_that_matches_one_suite(summarize):
    status, lines = summarize(("lit", None, 0), ("pytest", GREEN, 0))
    assert (status, lines[-1]) == (0, "1 passed, 0 failed, 0 skipped")
    status, lines = summarize(("lit", GREEN, 0), ("pytest", EMPTY, 5))
    assert (status, lines[-1]) == (0, "1 passed, 0 failed, 0 skipped")


# ===----------------------------------------------------------------------===#
# export_graph
# ===----------------------------------------------------------------------===#


@pytest.mark.parametrize(
    "name, shape, nnz",
    [
        ("les_miserables", (77, 77), 2 * 254),
        ("karate", (34, 34), 2 * 78),
        ("davis", (18, 14), 89),
        ("florentine", (15, 15), 2 * 20),
    ],
)
@pytest.mark.parametrize("extension", ["mtx", "npz"])
def test_export_round_trip(tmp_path, name, shape, nnz, extension):
    matrix = export_graph.real_graph(name)
    assert matrix.shape == shape and matrix.nnz == nnz
    path = str(tmp_path / f"{name}.{extension}")
    export_graph.write_graph(path, matrix, "test")
    load = scipy.io.mmread if extension == "mtx" else scipy.sparse.load_npz
    assert (scipy.sparse.csr_array(load(path)) != matrix).nnz == 0


def test_export_weights_are_kept():
    # Valjean and Cosette share 31 scenes, more than any other pair.
    assert export_graph.real_graph("les_miserables").max() == 31


def test_symmetric_graph_is_written_as_such(tmp_path):
    path = str(tmp_path / "graph.mtx")
    export_graph.write_graph(path, export_graph.real_graph("karate"), "test")
    assert scipy.io.mminfo(path)[2:] == (78, "coordinate", "real", "symmetric")


def test_power_law_has_hubs_and_is_fixed_by_its_seed():
    graph = export_graph.power_law_graph(2000, 20000, 2.1, 7)
    assert graph.shape == (2000, 2000) and graph.nnz == 20000
    degrees = np.sort(np.diff(graph.indptr))
    assert degrees[-1] > 20 * np.median(degrees)
    again = export_graph.power_law_graph(2000, 20000, 2.1, 7)
    np.testing.assert_array_equal(graph.indices, again.indices)
    np.testing.assert_array_equal(graph.data, again.data)
    other = export_graph.power_law_graph(2000, 20000, 2.1, 8)
    assert not np.array_equal(graph.indices, other.indices)


@pytest.mark.parametrize(
    "arguments",
    [
        ["les_miserables", "graph.txt"],
        ["powerlaw", "graph.mtx", "--nodes", "3", "--edges", "100"],
        ["powerlaw", "graph.mtx", "--exponent", "1"],
        ["les_miserables", "absent/graph.mtx"],
        ["unknown", "graph.mtx"],
    ],
)
def test_export_refuses(root, tmp_path, arguments):
    done = subprocess.run(
        [sys.executable, root / "scripts" / "export_graph.py", *arguments],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
