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

#include "autosage/Core/Schedule.h"

#include <memory>
#include <string>
#include <vector>

#if defined(AUTOSAGE_COMPILER_BUILDING)
#define AUTOSAGE_COMPILER_API __attribute__((visibility("default")))
#else
#define AUTOSAGE_COMPILER_API
#endif

namespace autosage::compiler {

//===----------------------------------------------------------------------===//
// What to compile
//===----------------------------------------------------------------------===//

/// Values of the edges: none (each counts as 1), nnz, nnz x 1 (both broadcast
/// over heads), nnz x heads. For attention they are the edge bias.
enum class EdgeValues : uint8_t { none, perEdge, column, perHead };

/// A width that is known when the kernel runs, not when it is compiled.
inline constexpr int64_t dynamic = -1;

/// Rows, columns and nnz are always dynamic. Fields that the op does not use
/// must keep their defaults.
struct KernelSpec {
  OpKind op = OpKind::spmm;
  Reduction reduction = Reduction::sum;
  Combine combine = Combine::dot;
  Score score = Score::dot;

  /// Width per head of x, or of q and k; of v where that is not set apart.
  /// Not used by row_softmax and `sddmm add`.
  int64_t features = dynamic;
  /// Width per head of v and of the output of attention.
  int64_t valueFeatures = dynamic;
  /// 0: operands have no head dimension. `sddmm add` and the q and k of `gat`
  /// have one always: there 0 counts as 1.
  int64_t heads = 0;

  /// Of all operands. f16 and bf16 are widened on loading and accumulate in
  /// f32.
  DType dtype = DType::f32;
  /// Outputs are f32 where the operands are f16 or bf16.
  bool f32Out = false;
  IndexType rowptrType = IndexType::i32;
  IndexType colindType = IndexType::i32;
  EdgeValues edgeValues = EdgeValues::none;

  bool transpose = false;  // spmm: y = transpose(A) x
  bool accumulate = false; // spmm: y += ..., sum and mean only
  double scale = 1.0;      // all but spmm
  double negativeSlope = 0.2;

  /// Attention: also write the log-sum-exp of each row.
  bool lse = false;
  /// Attention with the dot score as sddmm, row_softmax and spmm in one kernel;
  /// needs a workspace of one element an edge and head.
  bool composed = false;
  /// Dense operands have a leading dimension that is known at run time. Without
  /// it they are contiguous.
  bool strided = false;
  /// Operands with a width begin at multiples of 16 bytes. `run` checks it; a
  /// GPU then needs no second version of the kernels for other addresses, half
  /// of the time to compile them. Strided rows are still looked at.
  bool aligned = false;

  /// The user's schedule; without it the select pass chooses.
  std::optional<Schedule> schedule;
  /// What the select pass may know of the input.
  std::optional<InputStats> stats;
};

/// Checks that the fields describe a kernel of the op, and that the target runs
/// the schedule.
AUTOSAGE_COMPILER_API Status verify(const KernelSpec &spec,
                                    Target target = Target::cpu);

/// The kernel as MLIR text: a module with one function `main`. Expects a
/// verified spec.
AUTOSAGE_COMPILER_API std::string buildModule(const KernelSpec &spec);

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// A row-major dense operand: rows x heads x width, rows `leadingDimension`
/// elements apart (0: contiguous). Without a head dimension `heads` is 1.
template <typename Pointer> struct Dense {
  Pointer data = nullptr;
  int64_t rows = 0;
  int64_t heads = 1;
  int64_t width = 1;
  int64_t leadingDimension = 0;

  int64_t rowElements() const { return heads * width; }
  int64_t stride() const {
    return leadingDimension ? leadingDimension : rowElements();
  }
};
using DenseIn = Dense<const void *>;
using DenseOut = Dense<void *>;

/// Borrowed for the call. Which ones are read follows from the spec; the others
/// stay empty.
struct Operands {
  CsrView a;
  /// nnz rows of width 1; `heads` where the spec says perHead.
  DenseIn edgeValues;
  DenseIn x;          // spmm
  DenseIn q, k, v;    // sddmm (q, k), attention
  DenseIn vec;        // attention gatv2: `heads` rows of `features`
  DenseOut out;       // edge outputs are nnz x heads with width 1
  DenseOut lse;       // rows x heads with width 1
  DenseOut workspace; // composed attention: nnz x heads, width 1, of `dtype`
};

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

/// The width of this machine's vectors in bits, as the pipeline assumes it.
AUTOSAGE_COMPILER_API int64_t hostVectorBits();

/// The version of the project, `major.minor.patch`.
AUTOSAGE_COMPILER_API const char *versionString();

} // namespace autosage::compiler

#endif // AUTOSAGE_COMPILER_COMPILER_H
