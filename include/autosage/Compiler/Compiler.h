//===- Compiler.h - compiles and runs sparse kernels ------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compile service: from the description of a kernel to MLIR, through the
// passes that autosage-opt exposes, to machine code in this process. No LLVM
// type shows here, so that users need neither LLVM's headers nor its flags.
//
// Every function may be called from several threads at once, and any number of
// kernels may be alive. A kernel may be run from several threads at once, as
// long as the outputs differ.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_COMPILER_COMPILER_H
#define AUTOSAGE_COMPILER_COMPILER_H

#include "autosage/Core/Kernel.h"

#include <memory>
#include <string>
#include <vector>

#if defined(AUTOSAGE_COMPILER_BUILDING)
#define AUTOSAGE_COMPILER_API __attribute__((visibility("default")))
#else
#define AUTOSAGE_COMPILER_API
#endif

namespace autosage::compiler {

using autosage::dynamic;
using autosage::EdgeValues;
using autosage::KernelSpec;
using autosage::verify;

using autosage::Dense;
using autosage::DenseIn;
using autosage::DenseOut;
using autosage::Operands;

/// The kernel as MLIR text: a module with one function `main`. Expects a
/// verified spec.
AUTOSAGE_COMPILER_API std::string buildModule(const KernelSpec &spec);

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

struct CompileOptions {
  /// LLVM's name of a CPU, like "x86-64-v3"; empty: this machine's. One whose
  /// code this machine cannot run is an error.
  std::string cpu;
  /// What the CPU has beside that, and what it has not: "+avx2,-fma".
  std::string features;
  /// Width of a vector register for the select pass; 0: that of the CPU.
  int64_t vectorBits = 0;
  /// Keep the IR texts for `mlir` and `llvmIr`.
  bool keepIr = false;
  /// Passes that run before the target's pipeline, as text: the dialect's
  /// transforms, canonicalize and cse ("autosage-fuse-attention,cse").
  std::string passes;
};

/// A choice that the select pass wrote into the IR, per compute op in order.
struct Selection {
  Schedule schedule;
  DecidedBy decidedBy = DecidedBy::estimate;
  /// The rule or the numbers behind the choice, as the decision attribute says.
  std::string reason;
};

/// Where the time of a compilation went, in milliseconds: of a kernel that was
/// compiled in a batch its share, an equal part of the batch's.
struct CompileTimes {
  double passes = 0;   // MLIR: parsing and all passes, code generation apart
  double ptx = 0;      // GPU: kernels from LLVM IR to PTX
  double assemble = 0; // GPU: PTX to a cubin, where an assembler is found
  double host = 0;     // LLVM IR to this machine's code
  double total = 0;
};

class AUTOSAGE_COMPILER_API CompiledKernel {
public:
  ~CompiledKernel();
  CompiledKernel(const CompiledKernel &) = delete;
  CompiledKernel &operator=(const CompiledKernel &) = delete;

  /// Checks sizes, pointers and overlap in O(1), then runs. Index contents are
  /// the caller's to have validated. Only for kernels compiled from a spec.
  Status run(const Operands &operands) const;

  /// Calls the compiled function; `args[i]` points to the i-th argument: a
  /// memref descriptor's address, or an index. No checks but the count.
  Status invoke(void **args, size_t count) const;

  const std::vector<Selection> &selections() const;
  double compileMs() const; // times().total
  const CompileTimes &times() const;
  /// With `keepIr`: the module as it was after the select pass, and the LLVM IR
  /// that was optimised for the machine.
  const std::string &mlir() const;
  const std::string &llvmIr() const;

  struct Impl;
  explicit CompiledKernel(std::unique_ptr<Impl> impl);

private:
  std::unique_ptr<Impl> impl;
};

AUTOSAGE_COMPILER_API Result<std::unique_ptr<CompiledKernel>>
compileCpu(const KernelSpec &spec, const CompileOptions &options = {});

/// Compiles a module with a function `main`. Errors carry the location, with
/// `name` as the file.
AUTOSAGE_COMPILER_API Result<std::unique_ptr<CompiledKernel>>
compileCpu(const std::string &moduleText, const std::string &name,
           const CompileOptions &options = {});

/// Checks that the simt target makes at each access of a kernel to memory.
struct SimtOptions {
  bool bounds = true; // and alignment
  bool race = true;
  bool uninit = true; // reads of unwritten shared memory
};

/// Compiles the kernels that a GPU gets for the emulator (docs/simt.md). `run`
/// takes operands in host memory and lets kernels access no other; what the
/// checks find is its error. Runs of all such kernels take turns.
AUTOSAGE_COMPILER_API Result<std::unique_ptr<CompiledKernel>>
compileSimt(const KernelSpec &spec, const CompileOptions &options = {},
            const SimtOptions &simt = {});

/// Compiles a module that holds GPU modules and a function `main` that launches
/// their kernels, for the emulator (docs/simt.md). What the kernels access must
/// be registered with it, or be of its own allocation; findings become the
/// device error of the thread that runs the kernel. Of `options`, `vectorBits`
/// is not used.
AUTOSAGE_COMPILER_API Result<std::unique_ptr<CompiledKernel>>
compileSimt(const std::string &moduleText, const std::string &name,
            const CompileOptions &options = {}, const SimtOptions &simt = {});

struct NvptxOptions {
  std::string chip = "sm_90";
};

/// Compiles kernels for an NVIDIA GPU, and host code that launches them through
/// libAutosageRuntime (autosage/Runtime/Device.h); needs neither a GPU nor a
/// toolkit. `run` takes operands in device memory, enqueues on the calling
/// thread's current stream and waits only where a task list or a transposed
/// pattern is made; what fails later shows when the stream is waited for.
AUTOSAGE_COMPILER_API Result<std::unique_ptr<CompiledKernel>>
compileNvptx(const KernelSpec &spec, const CompileOptions &options = {},
             const NvptxOptions &nvptx = {});

/// Compiles a program for any target: a module with a function `main` that
/// mixes autosage and linalg on tensors (or on buffers of the target's memory)
/// and writes its results to buffers. Each op runs under its own schedule,
/// `vendor` among them, or under one that is selected. `invoke` runs it: on a
/// GPU it enqueues on the calling thread's current stream, on simt it reads and
/// writes memory of the emulator's own or that is registered with it; what
/// fails is the device error of the calling thread.
AUTOSAGE_COMPILER_API Result<std::unique_ptr<CompiledKernel>>
compileProgram(const std::string &moduleText, const std::string &name,
               Target target, const CompileOptions &options = {},
               const SimtOptions &simt = {}, const NvptxOptions &nvptx = {});

/// Kernels of one batch, or why they are none, in the order of the specs. They
/// share the code of their module, which lives as long as one of them.
using CompiledBatch = std::vector<Result<std::unique_ptr<CompiledKernel>>>;

/// Compile several kernels, as a rule one op under the schedules that are to be
/// timed, in one module: faster than one after another, and for a GPU one
/// object. A candidate that fails leaves the others whole; its error names its
/// number, op and schedule.
AUTOSAGE_COMPILER_API CompiledBatch compileCpuBatch(
    const std::vector<KernelSpec> &specs, const CompileOptions &options = {});
AUTOSAGE_COMPILER_API CompiledBatch compileSimtBatch(
    const std::vector<KernelSpec> &specs, const CompileOptions &options = {},
    const SimtOptions &simt = {});
/// Fails as a whole only where the chip is not known.
AUTOSAGE_COMPILER_API Result<CompiledBatch>
compileNvptxBatch(const std::vector<KernelSpec> &specs,
                  const CompileOptions &options = {},
                  const NvptxOptions &nvptx = {});

/// What makes cubins of PTX: `nvJitLink 13.0`, or the path of ptxas; empty
/// where neither is found, and kernels stay PTX for the driver to finish.
AUTOSAGE_COMPILER_API std::string assemblerName();
/// Compiles a kernel for a target into bytes (Core/Artifact.h) that the runtime
/// loads, in this process or a later one. Of `options`, `keepIr` is not used;
/// kernels of simt make every check. Loading them takes no compiler.
AUTOSAGE_COMPILER_API Result<std::string>
compileArtifact(const KernelSpec &spec, Target target,
                const CompileOptions &options = {},
                const NvptxOptions &nvptx = {});

/// The width of this machine's vectors in bits, as the pipeline assumes it.
AUTOSAGE_COMPILER_API int64_t hostVectorBits();
/// The same of the CPU that the options name; fails as compiling would.
AUTOSAGE_COMPILER_API Result<int64_t>
vectorBitsOf(const CompileOptions &options);

/// The version of the project, `major.minor.patch`.
AUTOSAGE_COMPILER_API const char *versionString();

} // namespace autosage::compiler

#endif // AUTOSAGE_COMPILER_COMPILER_H
