//===- Kernel.cpp - checks operands and calls a compiled kernel -----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiled function takes the addresses of memref descriptors (MLIR's C
// interface): allocated pointer, aligned pointer, offset, sizes, strides.
//
//===----------------------------------------------------------------------===//

#include "KernelImpl.h"

#include "autosage/Emulation/Simt.h"

#include <algorithm>
#include <array>
#include <mutex>

using namespace autosage;
using namespace autosage::compiler;

namespace {

/// A memref descriptor of up to three dimensions, as words.
struct Descriptor {
  std::array<int64_t, 9> words{};

  Descriptor() = default;
  Descriptor(const void *data, const std::vector<int64_t> &sizes,
             const std::vector<int64_t> &strides) {
    words[0] = words[1] = reinterpret_cast<intptr_t>(data);
    for (size_t i = 0; i < sizes.size(); ++i) {
      words[3 + i] = sizes[i];
      words[3 + sizes.size() + i] = strides[i];
    }
  }
};

/// The bytes that an operand spans, for the overlap check.
struct Span {
  std::string_view name;
  const char *begin = nullptr;
  const char *end = nullptr;
  bool output = false;
  ArgumentKind kind = ArgumentKind::x;

  bool overlaps(const Span &o) const { return begin < o.end && o.begin < end; }
};

/// Turns the operands of one call into descriptors, checking them on the way.
class Call {
public:
  Call(const KernelSpec &spec, const std::vector<Argument> &arguments,
       const Operands &operands)
      : spec(spec), arguments(arguments), operands(operands),
        features(spec.features), valueFeatures(spec.valueFeatures),
        heads(spec.heads) {}

  Status prepare();
  void **args() { return pointers.data(); }
  size_t size() const { return pointers.size(); }
  const std::vector<Span> &memory() const { return spans; }

private:
  const KernelSpec &spec;
  const std::vector<Argument> &arguments;
  const Operands &operands;
  // Widths that the spec leaves open, known from the first operand with one.
  int64_t features, valueFeatures, heads;
  int64_t columns = 0;
  std::vector<Descriptor> descriptors;
  std::vector<void *> pointers;
  std::vector<Span> spans;

  DenseIn operandOf(const Argument &arg) const;
  Status checkIndices() const;
  Status checkSize(const Argument &arg, std::string_view what, int64_t got,
                   int64_t expected) const;
  Status checkOrBind(const Argument &arg, std::string_view what, int64_t got,
                     int64_t &expected) const;
  Status addDense(const Argument &arg);
  void addIndices(const Argument &arg, const IndexView &view);
  Status checkOverlap() const;
  int64_t extent(Extent extent) const;
};

} // namespace

static DenseIn input(const DenseOut &out) {
  return {out.data, out.rows, out.heads, out.width, out.leadingDimension};
}

DenseIn Call::operandOf(const Argument &arg) const {
  switch (arg.kind) {
  case ArgumentKind::edgeValues:
    return operands.edgeValues;
  case ArgumentKind::x:
    return operands.x;
  case ArgumentKind::q:
    return operands.q;
  case ArgumentKind::k:
    return operands.k;
  case ArgumentKind::v:
    return operands.v;
  case ArgumentKind::vec:
    return operands.vec;
  case ArgumentKind::out:
    return input(operands.out);
  case ArgumentKind::lse:
    return input(operands.lse);
  case ArgumentKind::workspace:
    return input(operands.workspace);
  case ArgumentKind::rowptr:
  case ArgumentKind::colind:
  case ArgumentKind::columns:
    break;
  }
  return {};
}

int64_t Call::extent(Extent extent) const {
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

Status Call::checkIndices() const {
  if (Status status = validateSizes(operands.a); !status)
    return status;
  auto check = [](std::string_view name, IndexType expected,
                  IndexType got) -> Status {
    if (got == expected)
      return Status::success();
    return Error{"expects " + std::string(name) + " of " +
                 std::string(toString(expected)) + ", got " +
                 std::string(toString(got))};
  };
  if (Status status = check("rowptr", spec.rowptrType, operands.a.rowptr.type);
      !status)
    return status;
  return check("colind", spec.colindType, operands.a.colind.type);
}

Status Call::checkSize(const Argument &arg, std::string_view what, int64_t got,
                       int64_t expected) const {
  if (got == expected)
    return Status::success();
  return Error{"expects " + std::string(arg.name) + " to have " +
               std::to_string(expected) + " " + std::string(what) + ", got " +
               std::to_string(got)};
}

Status Call::checkOrBind(const Argument &arg, std::string_view what,
                         int64_t got, int64_t &expected) const {
  if (expected == dynamic && got >= 0)
    expected = got;
  return checkSize(arg, what, got, expected);
}

Status Call::addDense(const Argument &arg) {
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

  std::vector<int64_t> sizes = {d.rows}, strides = {d.stride()};
  if (arg.hasHeads) {
    sizes.push_back(d.heads);
    strides.push_back(d.width);
  }
  if (arg.hasWidth) {
    sizes.push_back(d.width);
    strides.push_back(1);
  }
  descriptors.emplace_back(d.data, sizes, strides);
  if (elements > 0) {
    const char *begin = static_cast<const char *>(d.data);
    spans.push_back({arg.name, begin, begin + elements * sizeOf(arg.dtype),
                     arg.output, arg.kind});
  }
  return Status::success();
}

void Call::addIndices(const Argument &arg, const IndexView &view) {
  descriptors.emplace_back(view.data, std::vector<int64_t>{view.size},
                           std::vector<int64_t>{1});
  const char *begin = static_cast<const char *>(view.data);
  if (view.size > 0)
    spans.push_back({arg.name, begin, begin + view.size * sizeOf(view.type),
                     false, arg.kind});
}

Status Call::checkOverlap() const {
  for (const Span &out : spans) {
    if (!out.output)
      continue;
    for (const Span &other : spans) {
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

Status Call::prepare() {
  if (Status status = checkIndices(); !status)
    return status;
  columns = operands.a.cols;
  descriptors.reserve(arguments.size());
  for (const Argument &arg : arguments) {
    if (arg.kind == ArgumentKind::rowptr)
      addIndices(arg, operands.a.rowptr);
    else if (arg.kind == ArgumentKind::colind)
      addIndices(arg, operands.a.colind);
    else if (arg.kind == ArgumentKind::columns)
      descriptors.emplace_back();
    else if (Status status = addDense(arg); !status)
      return status;
  }
  if (Status status = checkOverlap(); !status)
    return status;
  for (size_t i = 0; i < arguments.size(); ++i)
    pointers.push_back(arguments[i].kind == ArgumentKind::columns
                           ? static_cast<void *>(&columns)
                           : descriptors[i].words.data());
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Memory of the emulator
//===----------------------------------------------------------------------===//

namespace {
/// Lets the emulator's kernels access the operands of one call, for as long as
/// it lasts. Calls take turns: two may have operands in common.
class EmulatedMemory {
public:
  explicit EmulatedMemory(std::vector<Span> spans);
  ~EmulatedMemory() {
    for (const char *begin : registered)
      autosage_simt_unregister_buffer(begin);
  }
  EmulatedMemory(const EmulatedMemory &) = delete;
  EmulatedMemory &operator=(const EmulatedMemory &) = delete;

private:
  static std::mutex &turn() {
    static std::mutex mutex;
    return mutex;
  }
  std::lock_guard<std::mutex> lock{turn()};
  std::vector<const char *> registered;
};
} // namespace

EmulatedMemory::EmulatedMemory(std::vector<Span> spans) {
  // Inputs may overlap each other, and row_softmax may work in place: what
  // overlaps is one buffer.
  std::sort(spans.begin(), spans.end(),
            [](const Span &a, const Span &b) { return a.begin < b.begin; });
  for (size_t i = 0; i < spans.size();) {
    Span whole = spans[i];
    std::string name(whole.name);
    for (++i; i < spans.size() && spans[i].begin < whole.end; ++i) {
      whole.end = std::max(whole.end, spans[i].end);
      whole.output |= spans[i].output;
      name += "/" + std::string(spans[i].name);
    }
    if (autosage_simt_register_buffer(whole.begin, whole.end - whole.begin,
                                      name.c_str(),
                                      !whole.output) == AUTOSAGE_SIMT_OK)
      registered.push_back(whole.begin);
  }
}

//===----------------------------------------------------------------------===//
// CompiledKernel
//===----------------------------------------------------------------------===//

CompiledKernel::CompiledKernel(std::unique_ptr<Impl> impl)
    : impl(std::move(impl)) {}
CompiledKernel::~CompiledKernel() = default;

Status CompiledKernel::run(const Operands &operands) const {
  if (!impl->spec)
    return Error{"expects a kernel compiled from a spec, got one from text"};
  Call call(*impl->spec, impl->arguments, operands);
  if (Status status = call.prepare(); !status)
    return status;
  if (!impl->device)
    return invoke(call.args(), call.size());

  std::optional<EmulatedMemory> emulated;
  if (impl->device == &simtTarget())
    emulated.emplace(call.memory());
  if (Status status = invoke(call.args(), call.size()); !status)
    return status;
  const char *message = nullptr;
  if (impl->device->api->take_error(&message) != AUTOSAGE_DEVICE_OK)
    return Error{message};
  return Status::success();
}

Status CompiledKernel::invoke(void **args, size_t count) const {
  if (count != impl->code.arguments)
    return Error{"expects " + std::to_string(impl->code.arguments) +
                 " arguments, got " + std::to_string(count)};
  impl->code.entry(args);
  return Status::success();
}

const std::vector<Selection> &CompiledKernel::selections() const {
  return impl->selections;
}
double CompiledKernel::compileMs() const { return impl->times.total; }
const CompileTimes &CompiledKernel::times() const { return impl->times; }
const std::string &CompiledKernel::mlir() const { return impl->mlir; }
const std::string &CompiledKernel::llvmIr() const { return impl->llvmIr; }
