# ===- native.py - builds and loads the C++ side ------------------------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# GCC compiles it, not the project's clang: clang's OpenMP is libomp, and one
# process should have one OpenMP runtime, which is the libgomp that MKL's GNU
# layer and the project's runtime use too. It is built here and not by CMake, for
# -march=native is of this machine alone, and Eigen may come and go; what was
# compiled from the same text, by the same command, on the same CPU, is reused.
#
# ===----------------------------------------------------------------------===#
import ctypes
import hashlib
import pathlib
import platform
import shutil
import subprocess

SOURCES = pathlib.Path(__file__).resolve().parent / "native"
FLAGS = ["-std=gnu++17", "-O3", "-march=native", "-fopenmp", "-shared", "-fPIC"]
EIGEN_FOLDERS = [pathlib.Path("/usr/include/eigen3"), pathlib.Path("/usr/local/include/eigen3")]


class Unavailable(Exception):
    """Why something cannot be measured here."""


def cpu_model():
    """What /proc/cpuinfo says; the architecture where it says nothing."""
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def cpu_identity():
    """The model and its features: both decide what -march=native means."""
    text = pathlib.Path("/proc/cpuinfo").read_text()
    features = [line for line in text.splitlines() if line.startswith(("flags", "Features"))]
    return cpu_model() + "".join(features[:1])


def compiler():
    path = shutil.which("g++")
    if path is None:
        raise Unavailable("g++ is not installed")
    return path


def compiler_version():
    done = subprocess.run([compiler(), "--version"], capture_output=True, text=True)
    return done.stdout.splitlines()[0]


def eigen_flags():
    for folder in EIGEN_FOLDERS:
        if (folder / "Eigen" / "SparseCore").exists():
            return ["-isystem", str(folder)]
    raise Unavailable("Eigen is not installed (Debian: libeigen3-dev)")


def load(name, folder, extra=()):
    """The library of native/<name>.cpp, compiled into `folder` where it is not yet."""
    source = SOURCES / f"{name}.cpp"
    command = [compiler(), *FLAGS, *extra, str(source)]
    digest = hashlib.sha256()
    for part in [*command, compiler_version(), cpu_identity()]:
        digest.update(part.encode())
    for path in (source, SOURCES / "Problem.h"):
        digest.update(path.read_bytes())
    library = folder / f"{name}-{digest.hexdigest()[:16]}.so"
    if not library.exists():
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = library.with_suffix(".tmp")
        done = subprocess.run([*command, "-o", str(unfinished)], capture_output=True, text=True)
        if done.returncode != 0:
            raise Unavailable(f"{source.name} does not compile: {done.stderr.strip()}")
        unfinished.rename(library)
    return ctypes.CDLL(str(library))
