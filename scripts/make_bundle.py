#!/usr/bin/env python3
# ===- make_bundle.py - a self-contained archive of tools and libraries -----===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Installs a build of the preset `bundle` into a folder, adds the shared
# libraries that it needs beside glibc, strips, checks what came out (no LLVM
# outside, no symbol newer than the oldest glibc promised, size), runs the
# bundle's own tests in a root folder that holds glibc and a shell alone, and
# packs. The same input gives the same archive. Exit status: 0, or 1 with one
# line on stderr.
#
# ===----------------------------------------------------------------------===#
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
NAME = "autosage-bundle"
OLDEST_GLIBC = (2, 36)
LARGEST_ARCHIVE = 64_000_000
# What every system has, in a version of its own that must not be mixed.
GLIBC = re.compile(
    r"(ld-linux.*|lib(c|m|mvec|dl|rt|pthread|resolv|util|nss_.*|BrokenLocale|anl|thread_db))\.so\b.*"
)
LLVM = re.compile(r"lib(LLVM|MLIR|mlir_)")
# Opened by name when kernels run on several threads.
OPENED_BY_NAME = ["libgomp.so.1"]
# Archives that are linked into the libraries, by the package that has the terms.
LINKED_PACKAGES = [
    "llvm-22-dev",
    "libmlir-22-dev",
    "zlib1g-dev",
    "libzstd-dev",
    "libcli11-dev",
    "libgtest-dev",
    "libsqlite3-dev",
    "nlohmann-json3-dev",
]


class Refused(Exception):
    """Why there is no bundle."""


def output_of(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Refused(f"{command[0]} failed: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def elf_files(folder):
    return sorted(p for p in folder.rglob("*") if p.is_file() and not p.is_symlink() and is_elf(p))


def llvm_tool(name):
    for candidate in (f"/usr/lib/llvm-22/bin/{name}", f"{name}-22", name):
        found = shutil.which(candidate)
        if found:
            return found
    raise Refused(f"expects {name} of LLVM, found none")


def loaded_libraries(path):
    """{name: path} of what the loader would load for `path`, recursively."""
    libraries = {}
    for line in output_of(["ldd", str(path)]).splitlines():
        words = line.split()
        if "not found" in line:
            raise Refused(f"expects every library of {path.name} to be found, got none for {words[0]}")
        if "=>" in words:
            libraries[words[0]] = words[words.index("=>") + 1]
        elif words and words[0].startswith("/"):
            libraries[os.path.basename(words[0])] = words[0]  # the loader itself
    return libraries


# ===----------------------------------------------------------------------===#
# Contents
# ===----------------------------------------------------------------------===#


def install(build, stage):
    for component in ("Runtime", "Tests"):
        output_of(["cmake", "--install", str(build), "--prefix", str(stage), "--component", component])
    header = pathlib.Path("include/autosage/Compiler/CompilerC.h")
    for source, target in [
        (ROOT / header, header),
        (ROOT / "LICENSE", "licenses/autosage"),
        (ROOT / "examples/spmm.mlir", "tests/spmm.mlir"),
        (ROOT / "scripts/bundle/graph.mtx", "tests/graph.mtx"),
        (ROOT / "scripts/bundle/run-tests.sh", "tests/run.sh"),
        (ROOT / "scripts/bundle/gpu.sh", "tests/gpu.sh"),
        (ROOT / "scripts/bundle/collect.py", "tests/collect.py"),
        (ROOT / "scripts/bundle/README.md", "README.md"),
    ]:
        (stage / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, stage / target)
    shutil.rmtree(stage / "share", ignore_errors=True)  # the licence again


def find_by_name(name):
    for line in output_of(["/sbin/ldconfig", "-p"]).splitlines():
        if line.split()[:1] == [name]:
            return line.split()[-1]
    raise Refused(f"expects {name}, which a library opens by name, found none")


def needed_libraries(stage):
    """{name: path} of the libraries outside `stage`, apart from glibc's."""
    needed = {}
    for file in elf_files(stage):
        for name, path in loaded_libraries(file).items():
            if LLVM.match(name):
                raise Refused(f"expects {file.name} to need no LLVM, got {name}")
            if not GLIBC.fullmatch(name) and not pathlib.Path(path).resolve().is_relative_to(stage):
                needed[name] = path
        content = file.read_bytes()
        for name in OPENED_BY_NAME:
            if name.encode() in content and name not in needed:
                needed[name] = find_by_name(name)
    return needed


def package_of(path):
    # dpkg may know a file by the name it has behind a symbolic link, /lib's above all.
    for candidate in (str(path), str(pathlib.Path(path).resolve()), str(path).removeprefix("/usr")):
        done = subprocess.run(["dpkg-query", "-S", candidate], capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout.split(":")[0].split(",")[0]
    raise Refused(f"expects {path} to be of a Debian package, for its licence")


def add_libraries(stage, libraries):
    packages = set(LINKED_PACKAGES)
    for name, path in sorted(libraries.items()):
        shutil.copy(pathlib.Path(path).resolve(), stage / "lib" / name)
        packages.add(package_of(path))
    for package in sorted(packages):
        terms = pathlib.Path("/usr/share/doc") / package / "copyright"
        if terms.is_file():
            shutil.copy(terms, stage / "licenses" / package)
        else:
            raise Refused(f"expects the terms of {package} in {terms}")


def strip(stage):
    for file in elf_files(stage):
        file.chmod(0o755)
        output_of([llvm_tool("llvm-strip"), "--strip-all", str(file)])


# ===----------------------------------------------------------------------===#
# Checks
# ===----------------------------------------------------------------------===#


def check_glibc(stage):
    """Returns the newest version of glibc that is asked for."""
    newest = (0, 0)
    for file in elf_files(stage):
        text = output_of([llvm_tool("llvm-readelf"), "--version-info", str(file)])
        needs = text.partition("Version needs section")[2]
        versions = {(int(a), int(b)) for a, b in re.findall(r"Name: GLIBC_(\d+)\.(\d+)", needs)}
        # A library may call none of glibc's functions; all together do.
        if versions and max(versions) > OLDEST_GLIBC:
            found = ".".join(map(str, max(versions)))
            raise Refused(f"expects {file.name} to need glibc 2.36 at most, got {found}; build on Debian 12")
        newest = max([newest, *versions])
    if newest == (0, 0):
        raise Refused("expects some file to name the version of glibc that it needs, got none")
    return newest


def check_closure(stage):
    """What programs load comes from the folder itself, glibc apart."""
    for file in elf_files(stage):
        if file.parent.name == "lib":
            continue  # Debian's libraries find their neighbours through the program.
        for name, path in loaded_libraries(file).items():
            inside = pathlib.Path(path).resolve().is_relative_to(stage)
            if not inside and not GLIBC.fullmatch(name):
                raise Refused(f"expects {file.name} to take {name} from the bundle, got {path}")


def bare_root(stage, root):
    """Fills `root` with the bundle, a shell, and the glibc that both need."""
    shutil.copytree(stage, root / NAME, symlinks=True)
    shell = pathlib.Path("/bin/sh").resolve()
    files = {"/bin/sh": str(shell)}
    for file in [shell, *elf_files(stage)]:
        for name, path in loaded_libraries(file).items():
            if GLIBC.fullmatch(name):
                files[path] = path
    for target, source in files.items():
        place = root / target.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, place)
    (root / "dev").mkdir()
    (root / "dev/null").touch()
    for name in ("proc", "tmp"):
        (root / name).mkdir()


# Enters the root folder $1 in a mount namespace: the loader finds $ORIGIN by /proc.
ENTER = """
mount --rbind /proc "$1/proc" || exit 125
PATH=$PATH:/usr/sbin:/sbin exec chroot "$1" /bin/sh "$2"
"""
NOT_ALLOWED = 125


def run_isolated(stage):
    """The bundle's tests in a bare root folder; returns their last line."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        bare_root(stage, root)
        enter = ["unshare", "--mount", "sh", "-c", ENTER, "sh", str(root), f"/{NAME}/tests/run.sh"]
        if os.geteuid() != 0:
            enter[1:1] = ["--user", "--map-root-user"]
        done = subprocess.run(
            enter,
            env={"PATH": os.environ["PATH"], "HOME": "/tmp"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
    if done.stderr.startswith("unshare:") or done.returncode == NOT_ALLOWED:
        raise Refused(f"expects to be allowed a root folder without LLVM, got {done.stderr.strip()}")
    if done.returncode != 0:
        raise Refused(f"the bundle's tests failed\n{done.stdout}{done.stderr}")
    return done.stdout.splitlines()[-1]


# ===----------------------------------------------------------------------===#
# Archive
# ===----------------------------------------------------------------------===#


def pack(stage, archive):
    time = int(os.environ.get("SOURCE_DATE_EPOCH") or output_of(
        ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]))

    def uniform(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        entry.mtime = time
        entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
        return entry

    with tarfile.open(archive, "w:xz", preset=9) as tar:
        tar.add(stage, arcname=NAME, recursive=False, filter=uniform)
        for path in sorted(stage.rglob("*")):
            tar.add(path, arcname=str(NAME / path.relative_to(stage)), recursive=False, filter=uniform)
    if archive.stat().st_size > LARGEST_ARCHIVE:
        raise Refused(f"expects at most {LARGEST_ARCHIVE} bytes, got {archive.stat().st_size} in {archive}")


def size_of(path):
    files = [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]
    return f"{sum(p.stat().st_size for p in files) / 1e6:.1f} MB"


def make(build, archive):
    stage = archive.parent / NAME
    shutil.rmtree(stage, ignore_errors=True)
    install(build, stage)
    add_libraries(stage, needed_libraries(stage))
    strip(stage)
    check_closure(stage)
    glibc = check_glibc(stage)
    tests = run_isolated(stage)
    pack(stage, archive)
    libraries = sorted(p.name for p in (stage / "lib").iterdir())
    print(f"{archive.name}: {size_of(archive)}, unpacked {size_of(stage)}")
    print(f"needs glibc {'.'.join(map(str, glibc))}; brings {', '.join(libraries)}")
    print(f"its tests in a root folder without LLVM: {tests}")


def main():
    parser = argparse.ArgumentParser(description="Packs a build of the preset `bundle`.")
    parser.add_argument("--build", required=True, help="build folder")
    parser.add_argument("--output", help="the archive (BUILD/autosage-bundle.tar.xz)")
    arguments = parser.parse_args()
    build = pathlib.Path(arguments.build).resolve()
    archive = pathlib.Path(arguments.output or build / f"{NAME}.tar.xz").resolve()
    try:
        make(build, archive)
    except (Refused, OSError) as error:
        print(f"make_bundle.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
