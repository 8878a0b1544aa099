# ===- check_examples.py - what the documents show is what the tools print -===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Checks, in one document:
#
# - every ```console block: a line `$ command` is run, the lines up to the next
#   command are what it printed, stdout and stderr together. A line `...` stands
#   for any lines. What autosage-run says while one waits is left out. Times,
#   rates, errors and addresses compare as `#`, and so do the knobs of a schedule
#   that autosage-run takes from the machine's vectors.
# - every block behind a comment `<!-- FILE -->`: it is that file of the project.
# - with --options: the options that the document's tables list are those that
#   `--help` of the named tool lists.
#
# Commands run one after another in a scratch folder that looks like the
# project's, so that what they write stays out of it.
#
# ===----------------------------------------------------------------------===#
import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(
    r"^(?:<!-- (?P<file>[^\n]+?) -->\n\n?)?```(?P<kind>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
# What differs from run to run or machine to machine, and what stays.
RUN_RULES = [
    (re.compile(r"^((?:compile|probe|prepare|run|rate) .*)$", re.MULTILINE), NUMBER),
    (re.compile(r"(relative error \S+)(?=, tolerance)"), NUMBER),
    (re.compile(r'("(?:\w+_ms|gflops|gbytes_per_s|rel_err)": \S+)'), NUMBER),
    (re.compile(r"(\b(?:vec|tile|vector_bits) = \d+)"), NUMBER),
]
# Said of a step that takes more than a second, as on a busy machine.
WAITING = re.compile(
    r"^(?:reading \S+|preparing operands|compiling|probing|running|timing"
    r"|checking against the reference) \.\.\.\n",
    re.MULTILINE,
)
OTHER_RULES = [
    (re.compile(r"(base@ = 0x[0-9a-f]+)"), r"0x[0-9a-f]+"),
    (re.compile(r"(, used \d{4}-\d\d-\d\d \d\d:\d\d)"), r"\d+"),
    (re.compile(r"(, \d+ KiB)$", re.MULTILINE), r"\d+"),
    # What the model of costs and probes say, and what they say it of.
    (re.compile(r"(\b(?:\w+_)?(?:cost|estimate|chosen|baseline)_ms = [^,>]+)"), NUMBER),
    (re.compile(r'(\bsecond = (?:"[^"]*"|\w+))'), r'"[^"]*"|(?<== )\w+'),
    (re.compile(r'(\bdevice = (?:"[^"]*"|\w+), reason)'), r'"[^"]*"|(?<== )\w+'),
]


def normalised(text, command):
    rules = OTHER_RULES
    if "autosage-run" in command:
        rules, text = RUN_RULES, WAITING.sub("", text)
    for pattern, changing in rules:
        text = pattern.sub(lambda m: re.sub(changing, "#", m.group(1)), text)
    # A block cannot end in blank lines, nor hold trailing blanks.
    return [line.rstrip() for line in text.rstrip().splitlines()]


def matches(expected, got):
    """Whether `got` is `expected`, where a line `...` stands for any lines."""
    if "..." not in expected:
        return expected == got
    parts = [[]]
    for line in expected:
        if line == "...":
            parts.append([])
        else:
            parts[-1].append(line)
    first, last = parts[0], parts[-1]
    if got[: len(first)] != first or (last and got[-len(last) :] != last):
        return False
    at, end = len(first), len(got) - len(last)
    for part in parts[1:-1]:
        while at + len(part) <= end and got[at : at + len(part)] != part:
            at += 1
        at += len(part)
    return at <= end


def commands_of(text):
    """The (command, output) pairs of a console block."""
    command, output = None, []
    for line in text.splitlines():
        if line.startswith("$ "):
            if command is not None:
                yield command, "\n".join(output)
            command, output = line[2:], []
        elif command is not None and command.endswith("\\") and not output:
            command = command[:-1] + line.strip()
        else:
            output.append(line)
    if command is not None:
        yield command, "\n".join(output)


def make_folder(folder, project, tools):
    """The parts of the project that commands name, at their places."""
    for name in ("scripts", "examples"):
        (folder / name).symlink_to(project / name)
    (folder / "build").mkdir()
    (folder / "build" / "bin").symlink_to(tools)
    (folder / "build" / "lib").symlink_to(tools.parent / "lib")
    # A link to an interpreter would lose the packages of its environment.
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -B "$@"\n')
    python.chmod(0o755)


def check_command(command, expected, folder, llvm):
    done = subprocess.run(
        ["bash", "-c", command.replace("/usr/lib/llvm-22", str(llvm))],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )
    want, got = normalised(expected, command), normalised(done.stdout, command)
    if matches(want, got):
        return []
    diff = difflib.unified_diff(want, got, "document", "tool", lineterm="")
    return [f"$ {command}", *diff]


def listed_options(text):
    """The options in first columns of tables."""
    cells = re.findall(r"^\| *((?:`--[^`]*`(?:, )?)+)", text, re.MULTILINE)
    return set(re.findall(r"--[a-z-]+", " ".join(cells)))


def check_options(text, tool):
    help_text = subprocess.run(
        [tool, "--help"], check=True, capture_output=True, text=True
    ).stdout
    helped = set(re.findall(r"^ +(?:-\w,)?(--[a-z-]+)", help_text, re.MULTILINE))
    listed = listed_options(text)
    problems = [f"{option} is not in the document" for option in sorted(helped - listed)]
    problems += [f"{option} is not in --help" for option in sorted(listed - helped)]
    return problems if helped else ["--help lists no options"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("document", help="path below the project")
    parser.add_argument("--project", type=pathlib.Path, required=True)
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="a tool in build/bin")
    parser.add_argument("--llvm-lib", type=pathlib.Path, required=True)
    parser.add_argument("--options", help="tool whose options the document lists")
    parser.add_argument("--least", type=int, default=1, help="examples to expect")
    arguments = parser.parse_args()

    text = (arguments.project / arguments.document).read_text()
    problems, checked = [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_folder(folder, arguments.project, arguments.tools.parent)
        for block in BLOCK.finditer(text):
            if block["file"]:
                checked += 1
                if (arguments.project / block["file"]).read_text() != block["text"]:
                    problems.append(f"the block differs from {block['file']}")
            if block["kind"] != "console":
                continue
            for command, output in commands_of(block["text"]):
                checked += 1
                problems += check_command(command, output, folder, arguments.llvm_lib.parent)
    if arguments.options:
        problems += check_options(text, arguments.options)
    if checked < arguments.least:
        problems.append(f"expects at least {arguments.least} examples, got {checked}")
    for problem in problems:
        print(problem)
    print(f"{arguments.document}: {checked} examples checked")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
