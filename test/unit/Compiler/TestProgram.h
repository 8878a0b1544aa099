//===- TestProgram.h - a program with arguments in a target's memory ------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles MLIR text for a target, with tensors in that target's memory, and
// brings results back.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_COMPILER_TESTPROGRAM_H
#define AUTOSAGE_TEST_COMPILER_TESTPROGRAM_H

#include "TestDevice.h"

#include "autosage/Compiler/Compiler.h"
#include "autosage/Emulation/Simt.h"

#include <cstring>
#include <deque>

namespace autosage::test {

/// What runs a target's kernels; null on the CPU.
inline const autosage_device_api *deviceOf(Target target) {
  return target == Target::simt    ? autosage_simt_device_api()
         : target == Target::nvptx ? autosage_cuda_device_api()
                                   : nullptr;
}

/// `text` with the schedules behind the outs of its compute ops, in order; an
/// empty one is left to selection.
std::string withSchedules(std::string text,
                          const std::vector<std::string> &schedules);

/// Null, and a failure of the test, where the text does not compile.
std::shared_ptr<const compiler::CompiledKernel>
compileForTest(const std::string &text, Target target);

class TestProgram {
public:
  TestProgram(std::shared_ptr<const compiler::CompiledKernel> kernel,
              Target target)
      : device(deviceOf(target)), kernel(std::move(kernel)) {}
  TestProgram(const std::string &text, Target target)
      : TestProgram(compileForTest(text, target), target) {}

  /// Arguments in the order of the program's.
  template <typename T>
  void tensor(const std::vector<T> &values, const std::vector<int64_t> &shape) {
    addTensor(values.data(), sizeof(T), shape);
  }
  /// A buffer that the program writes: bytes of all ones, NaN to floats.
  template <typename T> size_t output(const std::vector<int64_t> &shape) {
    std::vector<char> poison(sizeof(T) * sizeOf(shape), '\xff');
    return addTensor(poison.data(), sizeof(T), shape);
  }
  template <typename T> void number(T value) {
    std::vector<int64_t> &word = words.emplace_back(1);
    std::memcpy(word.data(), &value, sizeof value);
  }

  /// Runs the program to its end; the error of the device.
  Status run();
  /// Enqueues it.
  Status enqueue();
  /// The contents of the `tensor`-th tensor, outputs counted.
  template <typename T> std::vector<T> download(size_t tensor) const {
    const Memory &memory = memories[tensor];
    std::vector<T> values(memory.bytes / sizeof(T));
    if (device && memory.bytes)
      device->download(values.data(), memory.buffer.data(), memory.bytes);
    else if (memory.bytes)
      std::memcpy(values.data(), memory.host.data(), memory.bytes);
    return values;
  }
  template <typename T>
  void upload(size_t tensor, const std::vector<T> &values) {
    device->upload(memories[tensor].buffer.data(), values.data(),
                   static_cast<int64_t>(values.size() * sizeof(T)));
  }

private:
  struct Memory {
    size_t bytes;
    std::vector<char> host;
    DeviceBuffer buffer;
  };
  static size_t sizeOf(const std::vector<int64_t> &shape) {
    size_t count = 1;
    for (int64_t size : shape)
      count *= static_cast<size_t>(size);
    return count;
  }
  /// The number of the tensor.
  size_t addTensor(const void *values, size_t elementBytes,
                   const std::vector<int64_t> &shape);

  const autosage_device_api *device;
  std::shared_ptr<const compiler::CompiledKernel> kernel;
  std::vector<Memory> memories;
  std::deque<std::vector<int64_t>> words; // descriptors and numbers
};

} // namespace autosage::test

#endif // AUTOSAGE_TEST_COMPILER_TESTPROGRAM_H
