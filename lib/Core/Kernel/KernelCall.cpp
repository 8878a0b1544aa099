//===- KernelCall.cpp - checks operands and fills descriptors -------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/KernelArguments.h"

using namespace autosage;

DenseIn KernelCall::operandOf(const Argument &arg) const {
  DenseIn operand;
  visitOperand(operands, arg.kind, [&](const auto &d) {
    operand = {d.data, d.rows, d.heads, d.width, d.leadingDimension};
  });
  return operand;
}

int64_t KernelCall::extent(Extent extent) const {
  switch (extent) {
  case Extent::rows:
    return operands.a.rows;
  case Extent::cols:
    return operands.a.cols;
  case Extent::nnz:
    return operands.a.nnz();
  case Extent::heads:
    return heads == 0 ? 1 : heads;
  case Extent::none:
    break;
  }
  return 0;
}

Status KernelCall::checkIndices() const {
  if (Status status = checkIndices(operands.a, ""); !status)
    return status;
  if (!spec.transposeGiven)
    return Status::success();
  const CsrView &a = operands.a, &t = operands.transposed;
  if (Status status = checkIndices(t, "transposed "); !status)
    return status;
  const IndexView &order = operands.permutation;
  if (t.rows == a.cols && t.cols == a.rows && t.nnz() == a.nnz() &&
      order.size == a.nnz() && order.type == spec.rowptrType)
    return Status::success();
  return Error{"expects the transposed pattern and permutation of the pattern, "
               "got those of another"};
}

Status KernelCall::checkIndices(const CsrView &pattern,
                                std::string_view what) const {
  if (Status status = validateSizes(pattern); !status)
    return status;
  auto check = [&](std::string_view name, IndexType expected,
                   IndexType got) -> Status {
    if (got == expected)
      return Status::success();
    return Error{"expects " + std::string(what) + std::string(name) + " of " +
                 std::string(toString(expected)) + ", got " +
                 std::string(toString(got))};
  };
  if (Status status = check("rowptr", spec.rowptrType, pattern.rowptr.type);
      !status)
    return status;
  return check("colind", spec.colindType, pattern.colind.type);
}

Status KernelCall::checkSize(const Argument &arg, std::string_view what,
                             int64_t got, int64_t expected) const {
  if (got == expected)
    return Status::success();
  return Error{"expects " + std::string(arg.name) + " to have " +
               std::to_string(expected) + " " + std::string(what) + ", got " +
               std::to_string(got)};
}

Status KernelCall::checkOrBind(const Argument &arg, std::string_view what,
                               int64_t got, int64_t &expected) const {
  if (expected == dynamic && got >= 0)
    expected = got;
  return checkSize(arg, what, got, expected);
}

Status KernelCall::addDense(const Argument &arg, Descriptor &descriptor) {
  DenseIn d = operandOf(arg);
  if (Status status = checkSize(arg, "rows", d.rows, extent(arg.extent));
      !status)
    return status;

  Status status = Status::success();
  if (!arg.hasHeads)
    status = checkSize(arg, "heads", d.heads, 1);
  else if (arg.inner.front() != dynamic)
    status = checkSize(arg, "heads", d.heads, arg.inner.front());
  else
    status = checkOrBind(arg, "heads", d.heads, heads);
  if (!status)
    return status;

  if (!arg.hasWidth)
    status = checkSize(arg, "columns", d.width, 1);
  else if (arg.inner.back() != dynamic)
    status = checkSize(arg, "columns", d.width, arg.inner.back());
  else
    status = checkOrBind(arg, "columns", d.width,
                         arg.ofValues ? valueFeatures : features);
  if (!status)
    return status;

  bool mayStride = spec.strided && arg.hasWidth && arg.extent != Extent::heads;
  if (!mayStride && d.stride() != d.rowElements())
    return Error{"expects " + std::string(arg.name) +
                 " to be contiguous, of leading dimension " +
                 std::to_string(d.rowElements()) + ", got " +
                 std::to_string(d.stride())};
  if (d.stride() < d.rowElements())
    return Error{"expects the leading dimension of " + std::string(arg.name) +
                 " to be at least " + std::to_string(d.rowElements()) +
                 ", got " + std::to_string(d.stride())};
  int64_t elements =
      d.rows == 0 ? 0 : (d.rows - 1) * d.stride() + d.rowElements();
  if (d.rowElements() == 0)
    elements = 0;
  if (elements > 0 && !d.data)
    return Error{"expects " + std::string(arg.name) + " to hold " +
                 std::to_string(elements) + " elements, got a null pointer"};
  if (int64_t past = reinterpret_cast<uintptr_t>(d.data) % alignedBytes;
      elements > 0 && isAligned(spec, arg) && past != 0)
    return Error{"expects " + std::string(arg.name) +
                 " to begin at a multiple of " + std::to_string(alignedBytes) +
                 " bytes, got " + std::to_string(past) + " more"};

  size_t rank = arg.rank();
  descriptor = {};
  descriptor[0] = descriptor[1] = reinterpret_cast<intptr_t>(d.data);
  int64_t *size = &descriptor[3], *stride = size + rank;
  *size++ = d.rows;
  *stride++ = d.stride();
  if (arg.hasHeads) {
    *size++ = d.heads;
    *stride++ = d.width;
  }
  if (arg.hasWidth) {
    *size = d.width;
    *stride = 1;
  }
  if (elements > 0) {
    const char *begin = static_cast<const char *>(d.data);
    spans[numSpans++] = {arg.name, begin, begin + elements * sizeOf(arg.dtype),
                         arg.output, arg.kind};
  }
  return Status::success();
}

void KernelCall::addIndices(const Argument &arg, const IndexView &view,
                            Descriptor &descriptor) {
  descriptor = {};
  descriptor[0] = descriptor[1] = reinterpret_cast<intptr_t>(view.data);
  descriptor[3] = view.size;
  descriptor[4] = 1;
  const char *begin = static_cast<const char *>(view.data);
  if (view.size > 0)
    spans[numSpans++] = {arg.name, begin, begin + view.size * sizeOf(view.type),
                         false, arg.kind};
}

Status KernelCall::checkOverlap() const {
  for (const Span &out : *this) {
    if (!out.output)
      continue;
    for (const Span &other : *this) {
      if (&other == &out || !out.overlaps(other))
        continue;
      // row_softmax may write exactly onto its logits.
      bool inPlace = spec.op == OpKind::row_softmax &&
                     other.kind == ArgumentKind::edgeValues &&
                     other.begin == out.begin && other.end == out.end;
      if (!inPlace)
        return Error{"expects " + std::string(out.name) + " and " +
                     std::string(other.name) +
                     " to be apart, got overlapping memory"};
    }
  }
  return Status::success();
}

Status KernelCall::prepare() {
  if (Status status = checkIndices(); !status)
    return status;
  columns = operands.a.cols;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument &arg = arguments[i];
    pointers[i] = descriptors[i].data();
    if (arg.kind == ArgumentKind::rowptr)
      addIndices(arg, operands.a.rowptr, descriptors[i]);
    else if (arg.kind == ArgumentKind::colind)
      addIndices(arg, operands.a.colind, descriptors[i]);
    else if (arg.kind == ArgumentKind::columns)
      pointers[i] = &columns;
    else if (arg.kind == ArgumentKind::transposedRowptr)
      addIndices(arg, operands.transposed.rowptr, descriptors[i]);
    else if (arg.kind == ArgumentKind::transposedColind)
      addIndices(arg, operands.transposed.colind, descriptors[i]);
    else if (arg.kind == ArgumentKind::permutation)
      addIndices(arg, operands.permutation, descriptors[i]);
    else if (Status status = addDense(arg, descriptors[i]); !status)
      return status;
  }
  return checkOverlap();
}
