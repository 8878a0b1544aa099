# ===- conftest.py - what the end-to-end tests share -----------------------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
import os
import pathlib
import re
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(pathlib.Path(__file__).parent)]

# What a test runs was compiled by this build, in that test.
os.environ["AUTOSAGE_CACHE_DIR"] = ""

from autosage_tool import Tool  # noqa: E402  (needs the path above)


def pytest_addoption(parser):
    parser.addoption(
        "--name-filter", help="run only tests whose name matches this regular expression"
    )


def pytest_collection_modifyitems(config, items):
    pattern = config.getoption("--name-filter")
    if not pattern:
        return
    kept = [item for item in items if re.search(pattern, item.nodeid)]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def bin_dir():
    """build/bin, or the folder that AUTOSAGE_BIN_DIR names."""
    return pathlib.Path(os.environ.get("AUTOSAGE_BIN_DIR", ROOT / "build" / "bin"))


@pytest.fixture
def tool(bin_dir, tmp_path):
    path = bin_dir / "autosage-run"
    # Not skipped: the suite would pass with nothing tested.
    assert path.exists(), f"expects autosage-run in {bin_dir}, got none; run: ./dev build"
    return Tool(path, tmp_path)


@pytest.fixture(scope="session")
def shared_data():
    shared = os.environ.get("AUTOSAGE_SHARED_DIR") or ROOT.parent / "shared"
    data = pathlib.Path(shared) / "data"
    if not data.is_dir():
        pytest.skip("the shared test graphs are not there")
    return data
