//===- IR.cpp - fuzz target of the dialect's text and passes --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text that is accepted must print as text that reads back as the same, and no
// pass may crash on it, or call a result its own that does not verify. The
// way through bufferization is taken by those modules alone that hold nothing
// but operations on a list: upstream's passes are not under test.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "autosage/Conversion/Passes.h"
#include "autosage/Dialect/Autosage/IR/Autosage.h"
#include "autosage/Dialect/Autosage/Transforms/Passes.h"
#include "autosage/Pipelines/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <regex>

using namespace mlir;
using ::autosage::fuzz::expect;

/// LLVM's allocators tell AddressSanitizer what they have handed out where they
/// are instrumented. Only those inlined into this program are, and memory that
/// libMLIR.so hands out would seem to be poisoned.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0";
}

/// A context keeps every type and attribute that it has seen, so each serves
/// for some inputs only.
static MLIRContext &getContext() {
  static std::unique_ptr<MLIRContext> context;
  static unsigned uses = 0;
  if (!context || ++uses == 1000) {
    DialectRegistry registry;
    mlir::autosage::registerAutosagePipelineDialects(registry);
    context = std::make_unique<MLIRContext>(registry,
                                            MLIRContext::Threading::DISABLED);
    context->getDiagEngine().registerHandler(
        [](Diagnostic &) { return success(); });
    uses = 0;
  }
  return *context;
}

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

static void runPasses(ModuleOp module,
                      llvm::function_ref<void(OpPassManager &)> build) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager passes(module.getContext());
  // Verified here, to tell a refusal from a result that is wrong.
  passes.enableVerifier(false);
  build(passes);
  if (succeeded(passes.run(*copy)))
    expect(succeeded(verify(*copy)), "a result that verifies", print(*copy));
}

static bool isOnTheList(Operation *op) {
  static const llvm::StringSet<> names = {
      "arith.addf",   "arith.addi",   "arith.cmpi",     "arith.constant",
      "arith.muli",   "arith.select", "builtin.module", "cf.br",
      "cf.cond_br",   "func.call",    "func.func",      "func.return",
      "memref.alloc", "memref.dim",   "scf.for",        "scf.if",
      "scf.yield",    "tensor.cast",  "tensor.dim",     "tensor.empty"};
  return isa<mlir::autosage::AutosageDialect>(op->getDialect()) ||
         names.contains(op->getName().getStringRef());
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // Upstream's lexer reads the byte behind the text, and stops at a zero.
  std::string input(::autosage::fuzz::toText(data, size));
  if (input.empty() || input.find('\0') != std::string::npos)
    return 0;
  // LLVM 22.1's own parser crashes on a dense array of `index`.
  if (std::regex_search(input, std::regex("array\\s*<\\s*index")))
    return 0;
  MLIRContext &context = getContext();
  ParserConfig config(&context);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(input, config);
  if (!module)
    return 0;

  std::string text = print(*module);
  OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(text, config);
  expect(static_cast<bool>(again), "printed text to parse", text);
  expect(print(*again) == text, "the text that was parsed", text);

  runPasses(*module, [](OpPassManager &pm) {
    mlir::autosage::AutosageSelectScheduleOptions select;
    select.target = "cpu";
    pm.addNestedPass<func::FuncOp>(
        mlir::autosage::createAutosageSelectSchedule(select));
    pm.addNestedPass<func::FuncOp>(
        mlir::autosage::createAutosageVerifySchedule());
  });
  runPasses(*module, [](OpPassManager &pm) {
    pm.addPass(mlir::autosage::createAutosageExpandPattern());
  });
  runPasses(*module, [](OpPassManager &pm) {
    pm.addNestedPass<func::FuncOp>(
        mlir::autosage::createConvertAutosageToCPU());
  });
  WalkResult listed = module->walk([](Operation *op) {
    return isOnTheList(op) ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (!listed.wasInterrupted())
    runPasses(*module, [](OpPassManager &pm) {
      mlir::autosage::buildAutosageToLoopsPipeline(pm, {});
    });
  return 0;
}

#ifdef AUTOSAGE_LIBFUZZER
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

/// Mostly by words and lines: bytes alone seldom get past the lexer.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  if (seed % 4 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::mt19937 random(seed);
  std::string_view text = ::autosage::fuzz::toText(data, size);
  std::string mutant =
      ::autosage::fuzz::mutate(std::string(text), text, random);
  size_t length = std::min(mutant.size(), maxSize);
  std::memcpy(data, mutant.data(), length);
  return length;
}

/// A line or word of another input in this one.
extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1,
                                            const uint8_t *data2, size_t size2,
                                            uint8_t *out, size_t maxSize,
                                            unsigned seed) {
  std::mt19937 random(seed);
  std::string mutant = ::autosage::fuzz::mutate(
      std::string(::autosage::fuzz::toText(data1, size1)),
      ::autosage::fuzz::toText(data2, size2), random);
  size_t length = std::min(mutant.size(), maxSize);
  std::memcpy(out, mutant.data(), length);
  return length;
}
#endif
