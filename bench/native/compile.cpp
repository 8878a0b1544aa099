//===- compile.cpp - compile times in one process -------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: autosage-bench-compile ROUNDS CHIP CANDIDATES
//
// Compiles one kernel cold, then in each round every case once, so that what
// the machine does meanwhile hits all of them. A line of tabs for each
// compilation: case, op, dtype, schedule, number of kernels, then milliseconds
// a kernel for passes, PTX, assembling, host code, and all. bench/compile.py
// makes the result file of it.
//
//===----------------------------------------------------------------------===//

#include "autosage/Compiler/Compiler.h"

#include <cstdio>
#include <cstdlib>
#include <string>

using namespace autosage;
using namespace autosage::compiler;

namespace {
struct Case {
  const char *name; // single, aligned, batch
  std::vector<KernelSpec> specs;
  std::string schedule;
  size_t kernels = 0;
};
} // namespace

[[noreturn]] static void fail(const std::string &message) {
  std::fprintf(stderr, "autosage-bench-compile: %s\n", message.c_str());
  std::exit(1);
}

static KernelSpec specOf(OpKind op, DType dtype, const std::string &schedule,
                         bool aligned) {
  KernelSpec spec;
  spec.aligned = aligned;
  spec.op = op;
  spec.dtype = dtype;
  spec.features = 64;
  if (op == OpKind::spmm || op == OpKind::row_softmax)
    spec.edgeValues = EdgeValues::perEdge;
  if (op == OpKind::attention)
    spec.scale = 0.125;
  Result<Schedule> parsed = parseSchedule(schedule);
  if (!parsed)
    fail(schedule + ": " + parsed.error());
  spec.schedule = *parsed;
  return spec;
}

/// Candidates as a probe would time them, on operands of its own, all of
/// different machine code: those that differ in chunk and order alone share
/// their kernels.
static std::vector<KernelSpec> candidates(OpKind op, DType dtype,
                                          size_t count) {
  std::vector<KernelSpec> specs;
  for (const char *unroll : {"4", "8", "2"})
    for (const char *blocks : {"0", "8", "4"})
      for (const char *tile : {"0", "32"})
        if (specs.size() < count)
          specs.push_back(specOf(op, dtype,
                                 std::string("row_tasks, min_blocks = ") +
                                     blocks + ", tile = " + tile +
                                     ", unroll = " + unroll,
                                 /*aligned=*/true));
  return specs;
}

static void print(const Case &item, const CompileTimes &times) {
  const KernelSpec &spec = item.specs[0];
  std::printf("%s\t%s\t%s\t%s\t%zu\t%zu\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\n",
              item.name, std::string(toString(spec.op)).c_str(),
              std::string(toString(spec.dtype)).c_str(), item.schedule.c_str(),
              item.specs.size(), item.kernels, times.passes, times.ptx,
              times.assemble, times.host, times.total);
}

/// The launch code names every kernel once.
static size_t numKernels(const CompiledKernel &kernel) {
  const std::string part = "_name = internal";
  const std::string &ir = kernel.llvmIr();
  size_t names = 0;
  for (size_t at = ir.find(part); at != std::string::npos;
       at = ir.find(part, at + part.size()))
    ++names;
  return names - 1; // of the object
}

/// One of the kernels, which all have the times of their share.
static std::unique_ptr<CompiledKernel>
compile(const Case &item, const NvptxOptions &nvptx, bool keepIr = false) {
  CompileOptions options;
  options.keepIr = keepIr;
  if (item.specs.size() == 1) {
    auto kernel = compileNvptx(item.specs[0], options, nvptx);
    if (!kernel)
      fail(item.schedule + ": " + kernel.error());
    return std::move(*kernel);
  }
  Result<CompiledBatch> batch = compileNvptxBatch(item.specs, options, nvptx);
  if (!batch)
    fail(batch.error());
  for (auto &kernel : *batch)
    if (!kernel)
      fail(kernel.error());
  return std::move(*(*batch)[0]);
}

int main(int argc, char **argv) {
  int rounds = argc == 4 ? std::atoi(argv[1]) : 0;
  int count = argc == 4 ? std::atoi(argv[3]) : 0;
  if (rounds < 1 || count < 2 || count > 18) {
    std::fprintf(stderr, "expects ROUNDS CHIP CANDIDATES, of candidates 2 to "
                         "18; see bench/compile.py\n");
    return 2;
  }
  NvptxOptions nvptx;
  nvptx.chip = argv[2];

  std::vector<Case> cases;
  for (bool aligned : {false, true})
    for (OpKind op :
         {OpKind::spmm, OpKind::sddmm, OpKind::row_softmax, OpKind::attention})
      for (DType dtype : {DType::f32, DType::f16})
        for (const char *family : {"row_group", "row_tasks"})
          cases.push_back({aligned ? "aligned" : "single",
                           {specOf(op, dtype, family, aligned)},
                           family,
                           0});
  for (OpKind op : {OpKind::spmm, OpKind::sddmm, OpKind::attention})
    for (DType dtype : {DType::f32, DType::f16})
      cases.push_back({"batch",
                       candidates(op, dtype, static_cast<size_t>(count)),
                       "row_tasks", 0});

  std::printf("assembler\t%s\n", assemblerName().c_str());
  CompileTimes cold = compile(cases[0], nvptx)->times();
  for (Case &item : cases)
    item.kernels = numKernels(*compile(item, nvptx, /*keepIr=*/true));
  Case first = cases[0];
  first.name = "first";
  print(first, cold);
  for (int round = 0; round < rounds; ++round)
    for (const Case &item : cases)
      print(item, compile(item, nvptx)->times());
}
