//===- KernelArguments.h - the argument list of a kernel --------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that says which arguments a kernel's `main` has, in which order
// and of which shape. The module builder writes the types from it; a call fills
// the descriptors from it, after checking the operands.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CORE_KERNELARGUMENTS_H
#define AUTOSAGE_CORE_KERNELARGUMENTS_H

#include "autosage/Core/Kernel.h"

#include <array>
#include <vector>

namespace autosage {

enum class ArgumentKind : uint8_t {
  rowptr,
  colind,
  columns, // the number of columns, an index
  edgeValues,
  x,
  q,
  k,
  v,
  vec,
  out,
  lse,
  workspace,
  o,
  dO,
  dq,
  dk,
  dv,
  dvec,
  dbias,
  transposedRowptr,
  transposedColind,
  permutation
};

/// What the leading size of an argument has to be.
enum class Extent : uint8_t { none, rows, cols, nnz, heads };

struct Argument {
  ArgumentKind kind = ArgumentKind::rowptr;
  std::string_view name;
  Extent extent = Extent::none;
  /// Sizes after the first; `dynamic` where known at run time only.
  std::vector<int64_t> inner;
  bool output = false;
  /// Of dense operands.
  DType dtype = DType::f32;
  /// Meaning of `inner`: a head dimension, then a width; either may be absent.
  bool hasHeads = false;
  bool hasWidth = false;
  /// The width is that of the values, which may differ from `features`.
  bool ofValues = false;

  size_t rank() const { return 1 + inner.size(); }
};

/// What `KernelSpec::aligned` promises, and of which arguments.
inline constexpr int64_t alignedBytes = 16;
inline bool isAligned(const KernelSpec &spec, const Argument &arg) {
  return spec.aligned && arg.hasWidth;
}

/// Expects a verified spec.
std::vector<Argument> signatureOf(const KernelSpec &spec);

/// Calls `fn` with the dense operand of an argument; not for index arrays and
/// sizes. `operands` may be const.
template <typename OperandsT, typename Fn>
void visitOperand(OperandsT &operands, ArgumentKind kind, Fn &&fn) {
  switch (kind) {
  case ArgumentKind::edgeValues:
    return fn(operands.edgeValues);
  case ArgumentKind::x:
    return fn(operands.x);
  case ArgumentKind::q:
    return fn(operands.q);
  case ArgumentKind::k:
    return fn(operands.k);
  case ArgumentKind::v:
    return fn(operands.v);
  case ArgumentKind::vec:
    return fn(operands.vec);
  case ArgumentKind::out:
    return fn(operands.out);
  case ArgumentKind::lse:
    return fn(operands.lse);
  case ArgumentKind::workspace:
    return fn(operands.workspace);
  case ArgumentKind::o:
    return fn(operands.o);
  case ArgumentKind::dO:
    return fn(operands.dO);
  case ArgumentKind::dq:
    return fn(operands.dq);
  case ArgumentKind::dk:
    return fn(operands.dk);
  case ArgumentKind::dv:
    return fn(operands.dv);
  case ArgumentKind::dvec:
    return fn(operands.dvec);
  case ArgumentKind::dbias:
    return fn(operands.dbias);
  case ArgumentKind::rowptr:
  case ArgumentKind::colind:
  case ArgumentKind::columns:
  case ArgumentKind::transposedRowptr:
  case ArgumentKind::transposedColind:
  case ArgumentKind::permutation:
    return;
  }
}

/// No kernel has more: these are those of the gradients of gatv2 with a bias.
inline constexpr size_t maxArguments = 19;

/// The bytes that an operand spans.
struct Span {
  std::string_view name;
  const char *begin = nullptr;
  const char *end = nullptr;
  bool output = false;
  ArgumentKind kind = ArgumentKind::x;

  bool overlaps(const Span &o) const { return begin < o.end && o.begin < end; }
};

/// Turns the operands of one call into what a compiled function takes (MLIR's C
/// interface): addresses of memref descriptors, which are allocated pointer,
/// aligned pointer, offset, sizes, strides. Allocates nothing on the way.
class KernelCall {
public:
  /// All three are borrowed; `arguments` is the signature of `spec`.
  KernelCall(const KernelSpec &spec, const std::vector<Argument> &arguments,
             const Operands &operands)
      : spec(spec), arguments(arguments), operands(operands),
        features(spec.features), valueFeatures(spec.valueFeatures),
        heads(spec.heads) {}

  /// Checks sizes, types, leading dimensions, null pointers and overlap, in
  /// O(1), and fills what follows.
  Status prepare();

  void **args() { return pointers.data(); }
  size_t size() const { return arguments.size(); }
  const Span *begin() const { return spans.data(); }
  const Span *end() const { return spans.data() + numSpans; }

private:
  /// A memref descriptor of up to three dimensions, as words.
  using Descriptor = std::array<int64_t, 9>;

  const KernelSpec &spec;
  const std::vector<Argument> &arguments;
  const Operands &operands;
  // Widths that the spec leaves open, known from the first operand with one.
  int64_t features, valueFeatures, heads;
  int64_t columns = 0;
  std::array<Descriptor, maxArguments> descriptors;
  std::array<void *, maxArguments> pointers;
  std::array<Span, maxArguments> spans;
  size_t numSpans = 0;

  DenseIn operandOf(const Argument &arg) const;
  Status checkIndices() const;
  Status checkIndices(const CsrView &pattern, std::string_view what) const;
  Status checkSize(const Argument &arg, std::string_view what, int64_t got,
                   int64_t expected) const;
  Status checkOrBind(const Argument &arg, std::string_view what, int64_t got,
                     int64_t &expected) const;
  Status addDense(const Argument &arg, Descriptor &descriptor);
  void addIndices(const Argument &arg, const IndexView &view,
                  Descriptor &descriptor);
  Status checkOverlap() const;
  int64_t extent(Extent extent) const;
};

} // namespace autosage

#endif // AUTOSAGE_CORE_KERNELARGUMENTS_H
