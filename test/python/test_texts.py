# ===- test_texts.py - documents, generated pages and formatting -----------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = sorted(
    str(path.relative_to(ROOT)) for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"])
def test_project_text_exists(name):
    assert (ROOT / name).stat().st_size > 0


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document):
    path = ROOT / document
    text = FENCE.sub("", path.read_text())
    broken = []
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue  # another site's
        file = target.split("#")[0]
        if file and not (path.parent / file).exists():
            broken.append(target)
    assert not broken


def test_licence_is_apache_with_llvm_exceptions():
    text = (ROOT / "LICENSE").read_text()
    assert "Version 2.0, January 2004" in text
    assert "9. Accepting Warranty or Additional Liability." in text
    assert "---- LLVM Exceptions to the Apache 2.0 License ----" in text


def test_requirements_are_pinned():
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    packages = [line for line in lines if line and not line.startswith("#")]
    assert packages
    for package in packages:
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][0-9.]*", package), package


def run_check(verb):
    done = subprocess.run(
        ["bash", "dev", verb, "--check"], cwd=ROOT, capture_output=True, text=True, timeout=900
    )
    # The message ends with the command that repairs what is reported.
    assert done.returncode == 0, done.stdout + done.stderr


def test_generated_pages_are_up_to_date():
    assert (ROOT / "build" / "build.ninja").exists(), "expects build/ to be configured"
    run_check("docs")


def test_sources_are_formatted():
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    assert shutil.which("clang-format-22"), "expects clang-format-22, got none; run: ./dev setup"
    run_check("format")
