//===- LowerModule.cpp - MLIR text through a pipeline to machine code -----===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the pipelines that autosage-opt registers. Each compilation has a
// context of its own, without threads: compilations in parallel share nothing.
//
//===----------------------------------------------------------------------===//

#include "LowerModule.h"

#include "autosage/Dialect/Autosage/IR/Autosage.h"
#include "autosage/Dialect/Autosage/Transforms/Passes.h"
#include "autosage/Pipelines/Pipelines.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/SourceMgr.h"

#include <chrono>
#include <mutex>
#include <optional>

using namespace autosage;
using namespace autosage::compiler;

/// The dialects that a module may use: registered once, loaded as needed.
static const mlir::DialectRegistry &registry() {
  static const mlir::DialectRegistry instance = [] {
    mlir::DialectRegistry registry;
    mlir::autosage::registerAutosageGPUPipelineDialects(registry);
    mlir::registerBuiltinDialectTranslation(registry);
    mlir::registerLLVMDialectTranslation(registry);
    return registry;
  }();
  return instance;
}

namespace {

/// Collects the errors of a context, with locations, as one line.
class Diagnostics {
public:
  explicit Diagnostics(mlir::MLIRContext &context) {
    handler.emplace(&context, [this](mlir::Diagnostic &d) {
      if (d.getSeverity() == mlir::DiagnosticSeverity::Error)
        add(d);
      return mlir::success();
    });
  }

  /// Before the context leaves.
  void close() { handler.reset(); }

  Error take(std::string_view otherwise) {
    return Error{text.empty() ? std::string(otherwise) : std::move(text)};
  }

private:
  std::string text;
  std::optional<mlir::ScopedDiagnosticHandler> handler;

  void add(mlir::Diagnostic &d) {
    llvm::raw_string_ostream stream(text);
    if (!text.empty())
      stream << "; ";
    size_t start = text.size();
    mlir::Location location = d.getLocation();
    if (auto at = location->findInstanceOf<mlir::FileLineColLoc>())
      stream << at.getFilename().getValue() << ":" << at.getLine() << ":"
             << at.getColumn() << ": ";
    stream << d;
    for (char &c :
         llvm::MutableArrayRef<char>(text.data() + start, text.size() - start))
      if (c == '\n')
        c = ' ';
  }
};

/// `key = value, ...`, strings without quotes.
std::string textOf(mlir::DictionaryAttr entries) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (auto [i, entry] : llvm::enumerate(entries)) {
    stream << (i ? ", " : "") << entry.getName().getValue() << " = ";
    if (auto string = llvm::dyn_cast<mlir::StringAttr>(entry.getValue()))
      stream << string.getValue();
    else
      entry.getValue().print(stream, /*elideType=*/true);
  }
  return text;
}

/// Reads what the select pass wrote into each function, right after it ran.
class SelectionReader final : public mlir::PassInstrumentation {
public:
  /// For the next run.
  void expect(llvm::ArrayRef<KernelEntry> newEntries, bool keep) {
    entries = newEntries;
    keepText = keep;
  }

  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override {
    if (pass->getArgument() != "autosage-select-schedule")
      return;
    auto function = llvm::dyn_cast<mlir::FunctionOpInterface>(op);
    for (const KernelEntry &entry : entries)
      // A module from text may have more functions: all of them are its kernel.
      if (entries.size() == 1 ||
          (function && function.getName() == entry.function))
        read(op, *entry.impl);
  }

private:
  void read(mlir::Operation *op, CompiledKernel::Impl &impl) const {
    op->walk([&](mlir::autosage::SparseOpInterface sparse) {
      auto schedule = sparse.getScheduleAttribute();
      if (!schedule)
        return;
      Selection selection{schedule.getSchedule(), DecidedBy::user, ""};
      auto decision =
          sparse->getAttrOfType<mlir::autosage::DecisionAttr>("decision");
      if (decision) {
        selection.decidedBy =
            *parseDecidedBy(stringifyDecidedBy(decision.getBy()));
        selection.reason = textOf(decision.getEntries());
      }
      impl.selections.push_back(std::move(selection));
    });
    if (keepText) {
      llvm::raw_string_ostream stream(impl.mlir);
      op->print(stream);
    }
  }

  llvm::ArrayRef<KernelEntry> entries;
  bool keepText = false;
};

//===----------------------------------------------------------------------===//
// Contexts that are used again
//===----------------------------------------------------------------------===//

/// A context with the passes of one pipeline, for one compilation at a time.
class Worker {
public:
  Worker(std::string key, const LoweringTarget &lowering,
         const CpuTarget &target)
      : key(std::move(key)),
        context(registry(), mlir::MLIRContext::Threading::DISABLED),
        manager(&context, mlir::ModuleOp::getOperationName()) {
    auto reader = std::make_unique<SelectionReader>();
    selections = reader.get();
    manager.addInstrumentation(std::move(reader));
    lowering.buildPipeline(manager, target, serialization);
  }

  const std::string key;
  mlir::MLIRContext context;
  mlir::PassManager manager;
  SelectionReader *selections;
  mlir::autosage::SerializationTimes serialization;
  int uses = 0;
};

/// Workers between compilations.
class Workers {
public:
  /// Never destroyed: threads may compile while the process ends.
  static Workers &instance() {
    static Workers *workers = new Workers;
    return *workers;
  }

  std::unique_ptr<Worker> take(const std::string &key,
                               const LoweringTarget &lowering,
                               const CpuTarget &target) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      for (auto &worker : idle)
        if (worker->key == key) {
          std::unique_ptr<Worker> taken = std::move(worker);
          idle.erase(&worker);
          return taken;
        }
    }
    return std::make_unique<Worker>(key, lowering, target);
  }

  void giveBack(std::unique_ptr<Worker> worker) {
    // A context keeps every attribute that it has seen, cubins among them.
    if (++worker->uses >= maxUses)
      return;
    std::unique_ptr<Worker> oldest;
    std::lock_guard<std::mutex> lock(mutex);
    if (idle.size() == maxIdle) {
      oldest = std::move(idle.front());
      idle.erase(idle.begin());
    }
    idle.push_back(std::move(worker));
  }

private:
  static constexpr int maxUses = 64;
  static constexpr size_t maxIdle = 4;

  std::mutex mutex;
  llvm::SmallVector<std::unique_ptr<Worker>, maxIdle>
      idle; // longest idle first
};

/// Milliseconds since it was made, or since the last lap.
class Stopwatch {
public:
  double lap() {
    auto now = std::chrono::steady_clock::now();
    double ms = std::chrono::duration<double, std::milli>(now - last).count();
    last = now;
    return ms;
  }

private:
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

/// Those that CompileOptions::passes may name.
void registerPassesOnce() {
  static const bool once = [] {
    mlir::registerTransformsPasses();
    mlir::autosage::registerAutosageTransformsPasses();
    return true;
  }();
  (void)once;
}

} // namespace

Result<LoweredModule>
compiler::lowerToLLVM(const std::string &text, const std::string &name,
                      const CompileOptions &options,
                      const LoweringTarget &lowering,
                      llvm::ArrayRef<KernelEntry> entries) {
  Stopwatch watch;
  CompileTimes times;
  Result<CpuTarget> target = cpuTargetOf(options);
  if (!target)
    return Error{target.error()};
  std::unique_ptr<Worker> worker = Workers::instance().take(
      lowering.key + " " + std::to_string(target->vectorBits) +
          (target->convertsF16 ? " f16" : ""),
      lowering, *target);
  Diagnostics diagnostics(worker->context);

  mlir::ParserConfig config(&worker->context);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(text, config, name);
  if (!module)
    return diagnostics.take("expects a module, got text that does not parse");

  if (!options.passes.empty()) {
    mlir::PassManager first(&worker->context,
                            mlir::ModuleOp::getOperationName());
    registerPassesOnce();
    std::string message;
    llvm::raw_string_ostream stream(message);
    if (mlir::failed(mlir::parsePassPipeline(options.passes, first, stream)))
      return Error{"passes: " + message};
    if (mlir::failed(first.run(*module)))
      return diagnostics.take("the passes " + options.passes + " failed");
  }

  worker->selections->expect(entries, options.keepIr);
  worker->serialization = {};
  if (mlir::failed(worker->manager.run(*module)))
    return diagnostics.take("the pass pipeline failed");
  const mlir::autosage::SerializationTimes &serialization =
      worker->serialization;
  times.ptx = serialization.ptxMs;
  times.assemble = serialization.assembleMs;
  times.passes = watch.lap() - times.ptx - times.assemble;

  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> llvmModule =
      mlir::translateModuleToLLVMIR(*module, *llvmContext);
  if (!llvmModule)
    return diagnostics.take("translation to LLVM IR failed");
  // After a failure the worker is gone: it would be as good, but is not tested
  // by every compilation.
  module = nullptr;
  diagnostics.close();
  Workers::instance().giveBack(std::move(worker));
  times.host = watch.lap();
  return LoweredModule{std::move(llvmContext), std::move(llvmModule),
                       std::move(*target), times};
}

Status compiler::lowerModule(const std::string &text, const std::string &name,
                             const CompileOptions &options,
                             const LoweringTarget &lowering,
                             llvm::ArrayRef<KernelEntry> entries) {
  Result<LoweredModule> lowered =
      lowerToLLVM(text, name, options, lowering, entries);
  if (!lowered)
    return Error{lowered.error()};
  Stopwatch watch;
  CompileTimes times = lowered->times;
  std::vector<std::string> functions;
  for (const KernelEntry &entry : entries)
    functions.push_back(entry.function);
  std::string ir;
  Result<std::vector<JitCode>> codes =
      jitCompile(std::move(lowered->context), std::move(lowered->module),
                 std::move(lowered->target), functions, lowering.effort,
                 lowering.device, options.keepIr ? &ir : nullptr);
  if (!codes)
    return Error{codes.error()};
  times.host += watch.lap();
  times.total = times.passes + times.ptx + times.assemble + times.host;
  for (double *part :
       {&times.passes, &times.ptx, &times.assemble, &times.host, &times.total})
    *part /= static_cast<double>(entries.size());
  for (auto [entry, code] : llvm::zip_equal(entries, *codes)) {
    entry.impl->code = std::move(code);
    entry.impl->llvmIr = ir;
    entry.impl->times = times;
  }
  return Status::success();
}
