# ===- lit.cfg.py - the FileCheck test suite -------------------*- Python -*-===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Substitutions besides lit's own: the tools by their names, %mlir_lib_dir (for
# mlir-runner's shared libraries), %python (the interpreter with NumPy and
# SciPy), %project (the source folder), %build (the build folder), %plugin (our
# plugin for mlir-opt), %runtime (the runtime library), %simt_libs (the
# emulator and what prints, for mlir-runner), %test_plugins (folder of
# plugins that must be refused), %stand_ins (folder of stand-ins of NVIDIA's
# libraries), %fuzz_targets (folder of the fuzz targets),
# %cmake_configure (cmake with this build's compilers, for a project that a test
# builds).
#
# Features: cuda-device where there is an NVIDIA GPU; ptx-assembler where there
# is a CUDA toolkit; stock-tools where programs of Debian's LLVM can load this
# build's libraries, as they cannot under a sanitizer.
#
# ===----------------------------------------------------------------------===#

import os
import shlex
import shutil
import subprocess
import sys

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "AutoSAGE"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Programs", "corpus", "python", "CMakeLists.txt", "README.md", "lit.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.autosage_obj_root, "test")

# Seconds: a test that hangs fails by itself.
config.maxIndividualTestTime = 300


def has_cuda_device():
    if os.path.exists("/dev/nvidia0"):
        return True
    try:
        return subprocess.run(["nvidia-smi", "-L"], capture_output=True, timeout=20).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def has_ptx_assembler():
    """The search of lib/Target/NVPTX, for the toolkit's own folder alone."""
    for variable in ("AUTOSAGE_CUDA_TOOLKIT", "CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"):
        root = os.environ.get(variable)
        if root:
            config.environment[variable] = root
            return os.access(os.path.join(root, "bin", "ptxas"), os.X_OK)
    return shutil.which("ptxas") is not None


# What a test runs was compiled by this build, in that test.
config.environment["AUTOSAGE_CACHE_DIR"] = ""

if has_ptx_assembler():
    config.available_features.add("ptx-assembler")
if has_cuda_device():
    config.available_features.add("cuda-device")
if config.autosage_sanitizer:
    for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"):
        config.environment[name] = os.environ.get(name, "")
else:
    config.available_features.add("stock-tools")

config.substitutions.append(("%mlir_lib_dir", config.mlir_lib_dir))
config.substitutions.append(("%python", f'"{sys.executable}"'))
config.substitutions.append(("%project", config.autosage_src_root))
config.substitutions.append(("%build", config.autosage_obj_root))
config.substitutions.append(
    ("%plugin", os.path.join(config.autosage_library_dir, "libAutosagePlugin.so"))
)
config.substitutions.append(
    ("%runtime", os.path.join(config.autosage_library_dir, "libAutosageRuntime.so"))
)
# The emulator for mlir-runner, which looks symbols up in what it is given.
config.substitutions.append(
    (
        "%simt_libs",
        ",".join(
            [os.path.join(config.mlir_lib_dir, f"libmlir_{name}.so") for name in ("runner_utils", "c_runner_utils")]
            + [os.path.join(config.autosage_library_dir, f"libAutosage{name}.so") for name in ("Simt", "SimtDevice")]
        ),
    )
)
config.substitutions.append(("%test_plugins", os.path.join(config.test_exec_root, "Plugin")))
config.substitutions.append(("%stand_ins", os.path.join(config.test_exec_root, "Runtime")))
config.substitutions.append(("%fuzz_targets", os.path.join(config.test_exec_root, "fuzz")))
config.substitutions.append(("%cmake_configure", shlex.join(config.cmake_configure)))

# FileCheck, not, count; a test that needs a missing one is an error here.
llvm_config.use_default_substitutions()
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
llvm_config.with_environment("PATH", config.autosage_tools_dir, append_path=True)
llvm_config.add_tool_substitutions(
    [
        ToolSubst(name, unresolved="fatal")
        for name in (
            "autosage-bench",
            "autosage-cache",
            "autosage-lsp-server",
            "autosage-opt",
            "autosage-run",
            "llvm-nm",
            "llvm-readelf",
            "mlir-opt",
            "mlir-runner",
            "mlir-translate",
            "split-file",
        )
    ],
    [config.autosage_tools_dir, config.llvm_tools_dir],
)
