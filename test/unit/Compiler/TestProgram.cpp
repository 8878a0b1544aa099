//===- TestProgram.cpp - runs MLIR text on a target -----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProgram.h"

#include <gtest/gtest.h>

using namespace autosage;
using namespace autosage::compiler;
using namespace autosage::test;

std::string test::withSchedules(std::string text,
                                const std::vector<std::string> &schedules) {
  size_t at = 0;
  for (const std::string &schedule : schedules) {
    // Ops that make patterns have no outs.
    do
      at = text.find("= autosage.", at + 1);
    while (at != std::string::npos &&
           text.compare(at, 20, "= autosage.pattern %") == 0);
    size_t outs = at == std::string::npos ? at : text.find("outs(", at);
    if (outs == std::string::npos) {
      ADD_FAILURE() << "more schedules than ops";
      return text;
    }
    if (!schedule.empty())
      text.insert(text.find(')', outs) + 1, " schedule<" + schedule + ">");
  }
  return text;
}

std::shared_ptr<const CompiledKernel>
test::compileForTest(const std::string &text, Target target) {
  NvptxOptions nvptx;
  if (target == Target::nvptx)
    nvptx.chip = testGpu().chip;
  auto compiled = compileProgram(text, "program.mlir", target, {}, {}, nvptx);
  EXPECT_TRUE(compiled) << compiled.error();
  return compiled ? std::move(*compiled) : nullptr;
}

size_t TestProgram::addTensor(const void *values, size_t elementBytes,
                              const std::vector<int64_t> &shape) {
  Memory memory{elementBytes * sizeOf(shape), {}, {}};
  const void *address = nullptr;
  if (device) {
    if (memory.bytes)
      memory.buffer =
          DeviceBuffer(*device, values, static_cast<int64_t>(memory.bytes));
    address = memory.buffer.data();
  } else {
    auto *bytes = static_cast<const char *>(values);
    memory.host.assign(bytes, bytes + memory.bytes);
    address = memory.host.data();
  }
  auto pointer = static_cast<int64_t>(reinterpret_cast<intptr_t>(address));
  std::vector<int64_t> &word = words.emplace_back();
  word = {pointer, pointer, 0};
  word.insert(word.end(), shape.begin(), shape.end());
  word.resize(word.size() + shape.size());
  int64_t stride = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    word[word.size() - 1 - i] = stride;
    stride *= shape[shape.size() - 1 - i];
  }
  memories.push_back(std::move(memory));
  return memories.size() - 1;
}

Status TestProgram::enqueue() {
  if (!kernel)
    return Error{"expects a program that compiles"};
  std::vector<void *> args;
  for (std::vector<int64_t> &word : words)
    args.push_back(word.data());
  return kernel->invoke(args.data(), args.size());
}

Status TestProgram::run() {
  if (Status status = enqueue(); !status || !device)
    return status;
  device->synchronize();
  return deviceStatus(*device);
}
