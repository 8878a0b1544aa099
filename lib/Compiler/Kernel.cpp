//===- Kernel.cpp - checks operands and calls a compiled kernel -----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelImpl.h"

#include "autosage/Emulation/Simt.h"

#include <algorithm>
#include <mutex>

using namespace autosage;
using namespace autosage::compiler;

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
  KernelCall call(*impl->spec, impl->arguments, operands);
  if (Status status = call.prepare(); !status)
    return status;
  if (!impl->device)
    return invoke(call.args(), call.size());

  std::optional<EmulatedMemory> emulated;
  if (impl->device == &simtTarget())
    emulated.emplace(std::vector<Span>(call.begin(), call.end()));
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
