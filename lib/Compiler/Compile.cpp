//===- Compile.cpp - MLIR text through the CPU pipeline to a kernel -------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the pipeline that autosage-opt registers as autosage-cpu-pipeline. Each
// compilation has a context of its own, without threads: compilations in
// parallel share nothing.
//
//===----------------------------------------------------------------------===//

#include "KernelImpl.h"

#include "autosage/Core/Artifact.h"
#include "autosage/Core/GpuChip.h"
#include "autosage/Dialect/Autosage/IR/Autosage.h"
#include "autosage/Pipelines/Pipelines.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Support/SourceMgr.h"

#include <chrono>

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
  explicit Diagnostics(mlir::MLIRContext &context)
      : handler(&context, [this](mlir::Diagnostic &d) {
          if (d.getSeverity() == mlir::DiagnosticSeverity::Error)
            add(d);
          return mlir::success();
        }) {}

  Error take(std::string_view otherwise) {
    return Error{text.empty() ? std::string(otherwise) : std::move(text)};
  }

private:
  std::string text;
  mlir::ScopedDiagnosticHandler handler;

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

/// Reads what the select pass wrote, right after it ran.
class SelectionReader final : public mlir::PassInstrumentation {
public:
  SelectionReader(std::vector<Selection> &selections, std::string *text)
      : selections(selections), text(text) {}

  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override {
    if (pass->getArgument() != "autosage-select-schedule")
      return;
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
      selections.push_back(std::move(selection));
    });
    if (text) {
      llvm::raw_string_ostream stream(*text);
      op->print(stream);
    }
  }

private:
  std::vector<Selection> &selections;
  std::string *text;
};

} // namespace

/// Fills the pipeline of a target.
using BuildPipeline =
    llvm::function_ref<void(mlir::OpPassManager &, const CpuTarget &)>;

namespace {
/// A module of LLVM IR that is still to be optimised, and for what.
struct Lowered {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  CpuTarget target;
};
} // namespace

/// Parses and lowers `text`; fills the kernel but for its code.
static Result<Lowered> lowerText(const std::string &text,
                                 const std::string &name,
                                 const CompileOptions &options,
                                 BuildPipeline buildPipeline,
                                 CompiledKernel::Impl &impl) {
  Result<CpuTarget> target = cpuTargetOf(options);
  if (!target)
    return Error{target.error()};
  mlir::MLIRContext context(registry(), mlir::MLIRContext::Threading::DISABLED);
  Diagnostics diagnostics(context);

  mlir::ParserConfig config(&context);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(text, config, name);
  if (!module)
    return diagnostics.take("expects a module, got text that does not parse");

  mlir::PassManager manager(&context, mlir::ModuleOp::getOperationName());
  manager.addInstrumentation(std::make_unique<SelectionReader>(
      impl.selections, options.keepIr ? &impl.mlir : nullptr));
  buildPipeline(manager, *target);
  if (mlir::failed(manager.run(*module)))
    return diagnostics.take("the pass pipeline failed");

  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> llvmModule =
      mlir::translateModuleToLLVMIR(*module, *llvmContext);
  if (!llvmModule)
    return diagnostics.take("translation to LLVM IR failed");
  return Lowered{std::move(llvmContext), std::move(llvmModule),
                 std::move(*target)};
}

static Result<std::unique_ptr<CompiledKernel>>
compileInto(std::unique_ptr<CompiledKernel::Impl> impl, const std::string &text,
            const std::string &name, const CompileOptions &options,
            BuildPipeline buildPipeline) {
  auto start = std::chrono::steady_clock::now();
  auto lowered = lowerText(text, name, options, buildPipeline, *impl);
  if (!lowered)
    return Error{lowered.error()};
  auto code = jitCompile(std::move(lowered->context),
                         std::move(lowered->module), std::move(lowered->target),
                         impl->device ? llvm::ArrayRef(impl->device->symbols)
                                      : llvm::ArrayRef<JitSymbol>(),
                         options.keepIr ? &impl->llvmIr : nullptr);
  if (!code)
    return Error{code.error()};
  impl->code = std::move(*code);
  impl->compileMs = std::chrono::duration<double, std::milli>(
                        std::chrono::steady_clock::now() - start)
                        .count();
  return std::make_unique<CompiledKernel>(std::move(impl));
}

static void buildCpuPipeline(mlir::OpPassManager &manager,
                             const CompileOptions &options,
                             const CpuTarget &target) {
  mlir::autosage::AutosageCPUPipelineOptions pipelineOptions;
  pipelineOptions.vectorBits =
      options.vectorBits ? options.vectorBits : target.vectorBits;
  pipelineOptions.expandF16 = !target.convertsF16;
  pipelineOptions.parallel = true;
  mlir::autosage::buildAutosageCPUPipeline(manager, pipelineOptions);
}

static std::unique_ptr<CompiledKernel::Impl>
makeImpl(const DeviceTarget *device = nullptr) {
  auto impl = std::make_unique<CompiledKernel::Impl>();
  impl->device = device;
  return impl;
}

static Result<std::unique_ptr<CompiledKernel>>
compileSpec(const KernelSpec &spec, const CompileOptions &options,
            const DeviceTarget *device, BuildPipeline buildPipeline) {
  Target target = !device                   ? Target::cpu
                  : device == &simtTarget() ? Target::simt
                                            : Target::nvptx;
  if (Status status = verify(spec, target); !status)
    return Error{status.error()};
  auto impl = makeImpl(device);
  impl->spec = spec;
  impl->arguments = signatureOf(spec);
  return compileInto(std::move(impl), buildModule(spec), "kernel", options,
                     buildPipeline);
}

Result<std::unique_ptr<CompiledKernel>>
compiler::compileCpu(const KernelSpec &spec, const CompileOptions &options) {
  return compileSpec(spec, options, nullptr,
                     [&](mlir::OpPassManager &pm, const CpuTarget &target) {
                       buildCpuPipeline(pm, options, target);
                     });
}

Result<std::unique_ptr<CompiledKernel>>
compiler::compileCpu(const std::string &moduleText, const std::string &name,
                     const CompileOptions &options) {
  return compileInto(makeImpl(), moduleText, name, options,
                     [&](mlir::OpPassManager &pm, const CpuTarget &target) {
                       buildCpuPipeline(pm, options, target);
                     });
}

static std::string checksOf(const SimtOptions &simt) {
  std::string checks = simt.bounds ? "bounds," : "";
  checks += simt.race ? "race," : "";
  checks += simt.uninit ? "uninit" : "";
  return checks.empty() ? "none" : checks;
}

Result<std::unique_ptr<CompiledKernel>>
compiler::compileSimt(const KernelSpec &spec, const CompileOptions &options,
                      const SimtOptions &simt) {
  mlir::autosage::AutosageSimtPipelineOptions pipelineOptions;
  pipelineOptions.checks = checksOf(simt);
  return compileSpec(spec, options, &simtTarget(),
                     [&](mlir::OpPassManager &pm, const CpuTarget &) {
                       mlir::autosage::buildAutosageToSimtPipeline(
                           pm, pipelineOptions);
                     });
}

Result<std::unique_ptr<CompiledKernel>>
compiler::compileSimt(const std::string &moduleText, const std::string &name,
                      const CompileOptions &options, const SimtOptions &simt) {
  mlir::autosage::AutosageSimtPipelineOptions pipelineOptions;
  pipelineOptions.checks = checksOf(simt);
  return compileInto(makeImpl(&simtTarget()), moduleText, name, options,
                     [&](mlir::OpPassManager &pm, const CpuTarget &) {
                       mlir::autosage::buildAutosageSimtPipeline(
                           pm, pipelineOptions);
                     });
}

static void buildNvptxPipeline(mlir::OpPassManager &pm,
                               const NvptxOptions &nvptx) {
  mlir::autosage::AutosageNVVMPipelineOptions options;
  options.chip = nvptx.chip;
  options.lowerHost = true;
  mlir::autosage::buildAutosageNVVMPipeline(pm, options);
}

Result<std::unique_ptr<CompiledKernel>>
compiler::compileNvptx(const KernelSpec &spec, const CompileOptions &options,
                       const NvptxOptions &nvptx) {
  if (Result<GpuChip> chip = findGpuChip(nvptx.chip); !chip)
    return Error{chip.error()};
  return compileSpec(spec, options, &cudaTarget(),
                     [&](mlir::OpPassManager &pm, const CpuTarget &) {
                       buildNvptxPipeline(pm, nvptx);
                     });
}

//===----------------------------------------------------------------------===//
// Artifacts
//===----------------------------------------------------------------------===//

/// Fills the pipeline of a target.
static void buildPipelineOf(mlir::OpPassManager &pm, Target target,
                            const CompileOptions &options, const CpuTarget &cpu,
                            const SimtOptions &simt,
                            const NvptxOptions &nvptx) {
  switch (target) {
  case Target::cpu:
    buildCpuPipeline(pm, options, cpu);
    break;
  case Target::simt: {
    mlir::autosage::AutosageSimtPipelineOptions simtOptions;
    simtOptions.checks = checksOf(simt);
    mlir::autosage::buildAutosageToSimtPipeline(pm, simtOptions);
    break;
  }
  case Target::nvptx:
    buildNvptxPipeline(pm, nvptx);
    break;
  }
}

Result<std::string> compiler::compileArtifact(const KernelSpec &spec,
                                              Target target,
                                              const CompileOptions &options,
                                              const NvptxOptions &nvptx) {
  if (Status status = verify(spec, target); !status)
    return Error{status.error()};
  if (target == Target::nvptx)
    if (Result<GpuChip> chip = findGpuChip(nvptx.chip); !chip)
      return Error{chip.error()};
  CompiledKernel::Impl impl;
  auto lowered = lowerText(
      buildModule(spec), "kernel", options,
      [&](mlir::OpPassManager &pm, const CpuTarget &cpu) {
        buildPipelineOf(pm, target, options, cpu, SimtOptions(), nvptx);
      },
      impl);
  if (!lowered)
    return Error{lowered.error()};
  Result<ObjectCode> object =
      objectCompile(*lowered->module, std::move(lowered->target));
  if (!object)
    return Error{object.error()};
  Artifact artifact;
  artifact.code = codeVersion();
  artifact.arguments = static_cast<int64_t>(object->arguments);
  for (const Selection &selection : impl.selections)
    artifact.choices.push_back({selection.schedule.str(),
                                std::string(toString(selection.decidedBy)),
                                selection.reason});
  artifact.object = std::move(object->bytes);
  return serialize(artifact);
}

const char *compiler::versionString() { return AUTOSAGE_VERSION; }
