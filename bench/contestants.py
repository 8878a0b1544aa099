# ===- contestants.py - who is measured, behind one interface -----------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# A contestant prepares a problem (whatever may be done once for a graph and a
# width: compiling, inspecting, converting) and gives a call. A call can be made,
# timed, and asked for its result. What a contestant cannot do is `Unavailable`
# with the reason, and so is a library that is not installed.
#
# ===----------------------------------------------------------------------===#
import ctypes
import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys
import time

import numpy as np
import scipy
import scipy.sparse

import native
from inputs import export_graph
from native import Unavailable

MOST_CALLS = 100000


def address(array):
    return None if array is None else array.ctypes.data


# ===----------------------------------------------------------------------===#
# Calls
# ===----------------------------------------------------------------------===#


class Call:
    """`facts` go into the result file; `close` gives back what was prepared."""

    def __init__(self, close=None, facts=None):
        self.close = close or (lambda: None)
        self.facts = facts or {}


class NativeCall(Call):
    """A C function of one context, timed in C; it writes to `out`."""

    def __init__(self, timer, function, context, out, keep=(), name="", close=None, facts=None):
        super().__init__(close, facts)
        self.timer = timer
        self.function = ctypes.cast(function, ctypes.c_void_p)
        self.context = context
        self.out = out
        self.keep = keep  # what the context points to
        self.name = name  # of a function that returns a status
        self.times = np.empty(MOST_CALLS)

    def time(self, seconds, most=MOST_CALLS):
        """Seconds of each call; at least one is made."""
        calls = self.timer.bench_time(
            self.function, ctypes.byref(self.context), seconds, most, self.times.ctypes.data
        )
        if self.name and self.context.status:
            raise RuntimeError(f"{self.name} returned status {self.context.status}")
        return self.times[:calls].copy()

    def result(self):
        """The output of one call, of which nothing is left over from an earlier one."""
        self.out.fill(np.nan)
        self.time(0, 1)
        return self.out


class PythonCall(Call):
    """A Python function that returns its result, in memory of its own."""

    def __init__(self, function, to_array):
        super().__init__()
        self.function = function
        self.to_array = to_array

    def time(self, seconds, most=MOST_CALLS):
        times = []
        start = last = time.perf_counter()
        while not times or (len(times) < most and last - start < seconds):
            self.function()
            now = time.perf_counter()
            times.append(now - last)
            last = now
        return np.array(times)

    def result(self):
        return self.to_array(self.function())


# ===----------------------------------------------------------------------===#
# C structs; the C++ side has the same
# ===----------------------------------------------------------------------===#


def struct(name, **fields):
    return type(name, (ctypes.Structure,), {"_fields_": list(fields.items())})


I64, POINTER = ctypes.c_int64, ctypes.c_void_p
NativeProblem = struct(
    "NativeProblem", rows=I64, cols=I64, nnz=I64, features=I64, threads=I64, rowptr=POINTER,
    colind=POINTER, values=POINTER, x=POINTER, k=POINTER, out=POINTER,
)  # fmt: skip
KernelCall = struct(
    "KernelCall", invoke=POINTER, kernel=POINTER, args=POINTER, count=I64, status=I64
)
MatrixDescr = struct("MatrixDescr", type=ctypes.c_int, mode=ctypes.c_int, diag=ctypes.c_int)
MklCall = struct(
    "MklCall", mm=POINTER, a=POINTER, descr=MatrixDescr, operation=ctypes.c_int,
    layout=ctypes.c_int, columns=ctypes.c_int, x=POINTER, y=POINTER, status=I64,
)  # fmt: skip
KernelSpec = struct(
    "KernelSpec", struct_size=ctypes.c_uint32, version=ctypes.c_uint32, op=ctypes.c_uint32,
    reduction=ctypes.c_uint32, combine=ctypes.c_uint32, score=ctypes.c_uint32,
    dtype=ctypes.c_uint32, rowptr_type=ctypes.c_uint32, colind_type=ctypes.c_uint32,
    edge_values=ctypes.c_uint32, flags=ctypes.c_uint32, reserved=ctypes.c_uint32, features=I64,
    value_features=I64, heads=I64, scale=ctypes.c_double, negative_slope=ctypes.c_double,
    schedule=ctypes.c_char_p,
    cpu=ctypes.c_char_p, cpu_features=ctypes.c_char_p,
)  # fmt: skip


def descriptor(array):
    """MLIR's memref descriptor of a contiguous array."""
    strides = [stride // array.itemsize for stride in array.strides]
    words = [address(array), address(array), 0, *array.shape, *strides]
    return (I64 * len(words))(*words)


# ===----------------------------------------------------------------------===#
# Contestants
# ===----------------------------------------------------------------------===#


class Bench:
    """What contestants share: folders, threads, the timer."""

    def __init__(self, build, threads):
        self.build = build
        self.threads = threads
        self.work = build / "bench"
        # First of all: it brings libgomp, which everyone else then finds loaded.
        self.timer = native.load("timer", self.work)
        self.timer.bench_time.restype = I64
        self.timer.bench_time.argtypes = [POINTER, POINTER, ctypes.c_double, I64, POINTER]
        self.timer.bench_set_threads(threads)


class Ours:
    """The compiled kernel; the schedule is what autosage-run selects for the graph."""

    name = "ours"
    # Values of the enums of CompilerC.h.
    OPS = {"spmm": 0, "sddmm": 1}
    EDGES = {"spmm": 1, "sddmm": 0}

    def __init__(self, bench):
        self.bench = bench
        self.tool = bench.build / "bin" / "autosage-run"
        self.library = ctypes.CDLL(str(bench.build / "lib" / "libAutosageCompiler.so"))
        self.library.autosage_compiler_last_error.restype = ctypes.c_char_p
        self.library.autosage_compiled_kernel_destroy.argtypes = [POINTER]
        runtime = ctypes.CDLL(str(bench.build / "lib" / "libAutosageRuntime.so"))
        runtime.autosage_set_num_threads(bench.threads)
        self.version = subprocess.run(
            [self.tool, "--version"], capture_output=True, text=True, check=True
        ).stdout.split()[-1]
        self.files = {}

    def _file(self, graph):
        """The graph as a file for autosage-run, written once."""
        if graph.name not in self.files:
            path = self.bench.work / f"{graph.name}.npz"
            ones = np.ones(graph.nnz, np.float32)
            export_graph.write_graph(str(path), graph.matrix(ones), graph.name)
            self.files[graph.name] = path
        return self.files[graph.name]

    def _select(self, problem):
        edges = ["--edge-values", "stored" if problem.op == "spmm" else "pattern"]
        done = subprocess.run(
            [self.tool, self._file(problem.graph), "--op", problem.op, *edges, "--features",
             str(problem.features), "--threads", str(self.bench.threads), "--repeat", "1",
             "--json", "-"],
            capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        return json.loads(done.stdout)

    def prepare(self, problem):
        chosen = self._select(problem)
        spec = KernelSpec()
        self.library.autosage_kernel_spec_init(ctypes.byref(spec), ctypes.c_size_t(ctypes.sizeof(spec)))
        spec.op, spec.edge_values = self.OPS[problem.op], self.EDGES[problem.op]
        spec.features = problem.features
        spec.schedule = chosen["schedule"].encode()
        kernel = POINTER()
        if self.library.autosage_compiler_compile(ctypes.byref(spec), ctypes.byref(kernel)):
            raise RuntimeError(self._error())
        dense = [problem.values, problem.x] if problem.op == "spmm" else [problem.x, problem.k]
        columns = I64(problem.graph.cols)
        arrays = [problem.graph.rowptr, problem.graph.colind, None, *dense, problem.out]
        parts = [columns if array is None else descriptor(array) for array in arrays]
        args = (POINTER * len(parts))(*(ctypes.addressof(part) for part in parts))
        invoke = ctypes.cast(self.library.autosage_compiled_kernel_invoke, POINTER)
        context = KernelCall(invoke.value, kernel.value, ctypes.addressof(args), len(parts), 0)
        return NativeCall(
            self.bench.timer, self.bench.timer.bench_call_kernel, context, problem.out,
            (parts, args),
            name="autosage_compiled_kernel_invoke",
            close=lambda: self.library.autosage_compiled_kernel_destroy(kernel),
            facts={"schedule": chosen["schedule"], "decided_by": chosen["decided_by"]},
        )  # fmt: skip

    def _error(self):
        return self.library.autosage_compiler_last_error().decode()


class CppLibrary:
    """A library of native/ with functions <name>_spmm and <name>_sddmm."""

    def __init__(self, bench, source, extra=()):
        self.bench = bench
        self.library = native.load(source, bench.work, extra)

    def prepare(self, problem):
        graph = problem.graph
        context = NativeProblem(
            graph.rows, graph.cols, graph.nnz, problem.features, self.bench.threads,
            *map(address, (graph.rowptr, graph.colind, problem.values, problem.x, problem.k,
                   problem.out)),
        )  # fmt: skip
        function = getattr(self.library, f"{self.name}_{problem.op}")
        return NativeCall(self.bench.timer, function, context, problem.out)


class Twin(CppLibrary):
    """C++ with OpenMP and vectors, as far as hand work goes."""

    name = "twin"

    def __init__(self, bench):
        super().__init__(bench, "twin")
        self.version = f"{native.compiler_version()}, {' '.join(native.FLAGS[:4])}"


class Loops(Twin):
    """The twin in plain loops."""

    name = "loops"


class Eigen(CppLibrary):
    name = "eigen"

    def __init__(self, bench):
        super().__init__(bench, "eigen", native.eigen_flags())
        self.library.eigen_version.restype = ctypes.c_char_p
        self.version = self.library.eigen_version().decode().replace(" ", "")


class SciPy:
    name = "scipy"

    def __init__(self, bench):
        self.version = scipy.__version__

    def prepare(self, problem):
        if problem.op != "spmm":
            raise Unavailable("SciPy has no SDDMM")
        matrix = problem.graph.matrix(problem.values)
        return PythonCall(lambda: matrix @ problem.x, lambda result: result)


class Mkl:
    """Inspector-executor: the matrix is analysed once, with a hint of what will be asked."""

    name = "mkl"
    # Of mkl_spblas.h and mkl_service.h.
    NON_TRANSPOSE, GENERAL, ROW_MAJOR, BASE_ZERO, GNU_LAYER = 10, 20, 101, 0, 3
    EXPECTED_CALLS = 1000

    def __init__(self, bench):
        self.bench = bench
        folder = pathlib.Path(sys.prefix) / "lib"
        found = sorted(folder.glob("libmkl_rt.so*"))
        if not found:
            raise Unavailable("the mkl wheel is not installed")
        # So that MKL's threads are libgomp's, as everyone's here.
        os.environ["MKL_THREADING_LAYER"] = "GNU"
        self.library = ctypes.CDLL(str(found[-1]))
        if self.library.MKL_Set_Threading_Layer(self.GNU_LAYER) != self.GNU_LAYER:
            raise Unavailable("MKL refuses its GNU threading layer")
        self.library.MKL_Set_Num_Threads(bench.threads)
        self.version = importlib.metadata.version("mkl")

    def _check(self, function, status):
        if status != 0:
            raise RuntimeError(f"{function} returned status {status}")

    def prepare(self, problem):
        if problem.op != "spmm":
            raise Unavailable("MKL has no SDDMM")
        graph, features = problem.graph, problem.features
        matrix, descr = POINTER(), MatrixDescr(self.GENERAL, 0, 0)
        rowptr = address(graph.rowptr)
        status = self.library.mkl_sparse_s_create_csr(
            ctypes.byref(matrix), self.BASE_ZERO, graph.rows, graph.cols, POINTER(rowptr),
            POINTER(rowptr + 4), POINTER(address(graph.colind)), POINTER(address(problem.values)),
        )  # fmt: skip
        self._check("mkl_sparse_s_create_csr", status)
        status = self.library.mkl_sparse_set_mm_hint(
            matrix, self.NON_TRANSPOSE, descr, self.ROW_MAJOR, features, self.EXPECTED_CALLS
        )
        self._check("mkl_sparse_set_mm_hint", status)
        self._check("mkl_sparse_optimize", self.library.mkl_sparse_optimize(matrix))
        mm = ctypes.cast(self.library.mkl_sparse_s_mm, POINTER)
        context = MklCall(
            mm.value, matrix.value, descr, self.NON_TRANSPOSE, self.ROW_MAJOR, features,
            address(problem.x), address(problem.out), 0,
        )  # fmt: skip
        return NativeCall(
            self.bench.timer, self.bench.timer.bench_call_mkl, context, problem.out,
            name="mkl_sparse_s_mm", close=lambda: self.library.mkl_sparse_destroy(matrix),
        )  # fmt: skip


class Torch:
    name = "torch"

    def __init__(self, bench):
        try:
            import torch
        except ImportError:
            raise Unavailable("PyTorch is not installed") from None
        self.torch = torch
        torch.set_num_threads(bench.threads)
        self.version = torch.__version__

    def prepare(self, problem):
        call = self._call(problem)
        try:
            call.time(0, 1)
        except RuntimeError as error:  # some builds do without MKL
            raise Unavailable(str(error).splitlines()[0]) from None
        return call

    def _call(self, problem):
        torch, x = self.torch, self.torch.from_numpy(problem.x)
        if problem.op == "spmm":
            matrix = self._matrix(problem.graph, torch.from_numpy(problem.values))
            return PythonCall(lambda: matrix @ x, lambda result: result.numpy())
        pattern = self._matrix(problem.graph, torch.ones(problem.graph.nnz))
        k = torch.from_numpy(problem.k).t()

        def sampled():
            return torch.sparse.sampled_addmm(pattern, x, k, beta=0.0)

        return PythonCall(sampled, lambda result: result.values().numpy())

    def _matrix(self, graph, values):
        rowptr, colind = map(self.torch.from_numpy, (graph.rowptr, graph.colind))
        shape = (graph.rows, graph.cols)
        return self.torch.sparse_csr_tensor(
            rowptr, colind, values, shape, check_invariants=False
        )


# Ours first; the order of the report.
ALL = [Ours, Twin, Loops, Eigen, Mkl, SciPy, Torch]
