//===- Kernel.h - what a kernel is and what it works on ---------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The description of a kernel, which the compile service compiles and the
// runtime prepares, and the operands of one call. Neither needs LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CORE_KERNEL_H
#define AUTOSAGE_CORE_KERNEL_H

#include "autosage/Core/Schedule.h"

#include <optional>
#include <string>

namespace autosage {

//===----------------------------------------------------------------------===//
// What to compute
//===----------------------------------------------------------------------===//

/// Values of the edges: none (each counts as 1), nnz, nnz x 1 (both broadcast
/// over heads), nnz x heads. For attention they are the edge bias.
enum class EdgeValues : uint8_t { none, perEdge, column, perHead };
std::string_view toString(EdgeValues);

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
  /// Outputs are f32 where the operands are f16 or bf16. For the gradients of
  /// attention the outputs of attention are f32, too: o, lse and d_o.
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
  /// Gradients of attention with edge values: also write those of the bias.
  bool biasGradient = false;
  /// Gradients of attention: the transposed pattern and its edge permutation
  /// are operands; else each run makes them.
  bool transposeGiven = false;
  /// Attention as sddmm, row_softmax and spmm (bias and leaky ReLU in between)
  /// in one kernel; needs a workspace of one element an edge and head. Not with
  /// the score gatv2 or lse, which none of these have. Of its gradients: the
  /// schedule is of the composed form, whoever chooses it.
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

/// The call as schedules see it: what `verifyForTarget`, the rule and the
/// estimate know of it. The only way from the one to the other.
Problem problemOf(const KernelSpec &spec);

/// Checks that the fields describe a kernel of the op, and that the target runs
/// the schedule.
Status verify(const KernelSpec &spec, Target target = Target::cpu);

/// One line that tells specs apart, the schedule included and the statistics
/// not: `key=value` separated by blanks, in a fixed order. Numbers are written
/// so that equal text means equal bits.
std::string textOf(const KernelSpec &spec);

/// Reads that line back. Fails where it is no such line, or no kernel.
Result<KernelSpec> parseKernelText(std::string_view text);

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
  DenseIn x;       // spmm
  DenseIn q, k, v; // sddmm (q, k), attention
  DenseIn vec;     // attention gatv2: `heads` rows of `features`
  DenseOut out;    // edge outputs are nnz x heads with width 1
  DenseOut lse;    // rows x heads with width 1; gradients of attention read it
  DenseOut workspace; // composed attention: nnz x heads, width 1, of `dtype`
  // Gradients of attention: what it gave and the gradient of that, and the
  // gradients of its operands, which have their shapes.
  DenseIn o, dO;
  DenseOut dq, dk, dv, dvec, dbias;
  /// With `transposeGiven`; the permutation has nnz positions.
  CsrView transposed;
  IndexView permutation;
};

} // namespace autosage

#endif // AUTOSAGE_CORE_KERNEL_H
