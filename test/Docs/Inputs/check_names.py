# ===- check_names.py - tests that a document names exist ------------------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# `Suite.Name` is a GoogleTest, `@name` a function of an integration test,
# `test_name` a pytest, `test/...` a file.
#
# ===----------------------------------------------------------------------===#
import pathlib
import re
import sys

GTEST = re.compile(r"^TEST(?:_[FP])?\((\w+), (\w+)\)", re.MULTILINE)


def text_of(folder, pattern):
    return "\n".join(path.read_text() for path in sorted(folder.glob(pattern)))


def known_names(tests):
    names = {".".join(pair) for pair in GTEST.findall(text_of(tests / "unit", "**/*.cpp"))}
    names |= set(re.findall(r"^func\.func (@\w+)", text_of(tests, "Integration/**/*.mlir"), re.M))
    names |= set(re.findall(r"^def (test_\w+)", text_of(tests, "python/*.py"), re.M))
    return names | {str(path.relative_to(tests.parent)) for path in tests.glob("**/*.*")}


def main():
    project, document, least = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    text = (project / document).read_text()
    named = set(re.findall(r"`([A-Z]\w*\.[A-Z]\w*|@\w+|test_\w+|test/[^`]+\.\w+)`", text))
    named -= {"Suite.Name", "@name", "test_name"}  # what the conventions are explained with
    unknown = sorted(named - known_names(project / "test"))
    for name in unknown:
        print(f"{document}: no test is named {name}")
    print(f"{document}: {len(named)} names checked")
    sys.exit(1 if unknown or len(named) < least else 0)


if __name__ == "__main__":
    main()
