//===- Compile.cpp - kernels from specs and from text ---------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each target adds to the lowering of a module, and the ways in: one spec,
// several in one module, or text.
//
//===----------------------------------------------------------------------===//

#include "BuildModule.h"
#include "LowerModule.h"

#include "autosage/Core/Artifact.h"
#include "autosage/Core/GpuChip.h"
#include "autosage/Pipelines/Pipelines.h"
#include "autosage/Target/NVPTX/Assembler.h"

using namespace autosage;
using namespace autosage::compiler;
using KernelResult = Result<std::unique_ptr<CompiledKernel>>;

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

static LoweringTarget cpuLowering(const CompileOptions &options,
                                  int64_t versions = 1) {
  auto build = [vectorBits = options.vectorBits,
                versions](mlir::OpPassManager &manager, const CpuTarget &target,
                          mlir::autosage::SerializationTimes &) {
    mlir::autosage::AutosageCPUPipelineOptions pipelineOptions;
    pipelineOptions.vectorBits = vectorBits ? vectorBits : target.vectorBits;
    pipelineOptions.expandF16 = !target.convertsF16;
    pipelineOptions.parallel = true;
    pipelineOptions.versions = versions;
    mlir::autosage::buildAutosageCPUPipeline(manager, pipelineOptions);
  };
  return {Target::cpu, nullptr, JitEffort::kernels,
          "cpu " + std::to_string(options.vectorBits) + " " +
              std::to_string(versions),
          build};
}

static std::string checksOf(const SimtOptions &simt) {
  std::string checks = simt.bounds ? "bounds," : "";
  checks += simt.race ? "race," : "";
  checks += simt.uninit ? "uninit" : "";
  return checks.empty() ? "none" : checks;
}

/// Of an op in a program of whose pattern nothing is known; a kernel of its own
/// has the one that its caller decided on.
static constexpr int64_t programVersions = 4;

/// From autosage on tensors, or from text that has GPU modules already.
static LoweringTarget simtLowering(const SimtOptions &simt, bool fromTensors,
                                   int64_t versions = 1) {
  auto build = [checks = checksOf(simt), fromTensors,
                versions](mlir::OpPassManager &manager, const CpuTarget &,
                          mlir::autosage::SerializationTimes &) {
    mlir::autosage::AutosageSimtPipelineOptions pipelineOptions;
    pipelineOptions.checks = checks;
    pipelineOptions.versions = versions;
    if (fromTensors)
      mlir::autosage::buildAutosageToSimtPipeline(manager, pipelineOptions);
    else
      mlir::autosage::buildAutosageSimtPipeline(manager, pipelineOptions);
  };
  return {Target::simt, &simtTarget(), JitEffort::kernels,
          (fromTensors ? "simt " : "simt-text ") + checksOf(simt) + " " +
              std::to_string(versions),
          build};
}

static LoweringTarget nvptxLowering(const NvptxOptions &nvptx,
                                    int64_t versions = 1) {
  auto build = [chip = nvptx.chip,
                versions](mlir::OpPassManager &manager, const CpuTarget &,
                          mlir::autosage::SerializationTimes &times) {
    mlir::autosage::AutosageNVVMPipelineOptions pipelineOptions;
    pipelineOptions.chip = chip;
    pipelineOptions.versions = versions;
    pipelineOptions.lowerHost = true;
    mlir::autosage::buildAutosageNVVMPipeline(manager, pipelineOptions, &times);
  };
  return {Target::nvptx, &cudaTarget(), JitEffort::launches,
          "nvptx " + nvptx.chip + " " + std::to_string(versions), build};
}

//===----------------------------------------------------------------------===//
// One kernel
//===----------------------------------------------------------------------===//

static std::unique_ptr<CompiledKernel::Impl>
makeImpl(const LoweringTarget &lowering) {
  auto impl = std::make_unique<CompiledKernel::Impl>();
  impl->device = lowering.device;
  return impl;
}

static std::unique_ptr<CompiledKernel::Impl>
makeImpl(const LoweringTarget &lowering, const KernelSpec &spec) {
  auto impl = makeImpl(lowering);
  impl->spec = spec;
  impl->arguments = signatureOf(spec);
  return impl;
}

static KernelResult compileInto(std::unique_ptr<CompiledKernel::Impl> impl,
                                const std::string &text,
                                const std::string &name,
                                const CompileOptions &options,
                                const LoweringTarget &lowering) {
  if (Status status = lowerModule(text, name, options, lowering,
                                  {KernelEntry{"main", impl.get()}});
      !status)
    return Error{status.error()};
  return std::make_unique<CompiledKernel>(std::move(impl));
}

/// Passes choose schedules of any form.
static Status verifyForCompiling(const KernelSpec &spec, Target target) {
  if (Status status = verify(spec, target); !status)
    return status;
  if (!problemOf(spec).composedOnly || spec.schedule)
    return Status::success();
  return Error{"expects a schedule for gradients of the composed form, got "
               "none"};
}

static KernelResult compileSpec(const KernelSpec &spec,
                                const CompileOptions &options,
                                const LoweringTarget &lowering) {
  if (Status status = verifyForCompiling(spec, lowering.target); !status)
    return Error{status.error()};
  return compileInto(makeImpl(lowering, spec), buildModule(spec), "kernel",
                     options, lowering);
}

KernelResult compiler::compileCpu(const KernelSpec &spec,
                                  const CompileOptions &options) {
  return compileSpec(spec, options, cpuLowering(options));
}

KernelResult compiler::compileCpu(const std::string &moduleText,
                                  const std::string &name,
                                  const CompileOptions &options) {
  LoweringTarget lowering = cpuLowering(options);
  return compileInto(makeImpl(lowering), moduleText, name, options, lowering);
}

KernelResult compiler::compileSimt(const KernelSpec &spec,
                                   const CompileOptions &options,
                                   const SimtOptions &simt) {
  return compileSpec(spec, options, simtLowering(simt, /*fromTensors=*/true));
}

KernelResult compiler::compileSimt(const std::string &moduleText,
                                   const std::string &name,
                                   const CompileOptions &options,
                                   const SimtOptions &simt) {
  LoweringTarget lowering = simtLowering(simt, /*fromTensors=*/false);
  return compileInto(makeImpl(lowering), moduleText, name, options, lowering);
}

static Status checkChip(const NvptxOptions &nvptx) {
  if (Result<GpuChip> chip = findGpuChip(nvptx.chip); !chip)
    return Error{chip.error()};
  return Status::success();
}

KernelResult compiler::compileNvptx(const KernelSpec &spec,
                                    const CompileOptions &options,
                                    const NvptxOptions &nvptx) {
  if (Status status = checkChip(nvptx); !status)
    return Error{status.error()};
  return compileSpec(spec, options, nvptxLowering(nvptx));
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static LoweringTarget loweringOf(Target target, const CompileOptions &options,
                                 const SimtOptions &simt,
                                 const NvptxOptions &nvptx,
                                 int64_t versions = 1) {
  switch (target) {
  case Target::cpu:
    break;
  case Target::simt:
    return simtLowering(simt, /*fromTensors=*/true, versions);
  case Target::nvptx:
    return nvptxLowering(nvptx, versions);
  }
  return cpuLowering(options, versions);
}

KernelResult compiler::compileProgram(const std::string &moduleText,
                                      const std::string &name, Target target,
                                      const CompileOptions &options,
                                      const SimtOptions &simt,
                                      const NvptxOptions &nvptx) {
  if (target == Target::nvptx)
    if (Status status = checkChip(nvptx); !status)
      return Error{status.error()};
  LoweringTarget lowering =
      loweringOf(target, options, simt, nvptx, programVersions);
  return compileInto(makeImpl(lowering), moduleText, name, options, lowering);
}

//===----------------------------------------------------------------------===//
// Several kernels in one module
//===----------------------------------------------------------------------===//

namespace {
/// Compiles candidates in one module. What fails together is halved until the
/// candidates that fail are alone: they are few, and the rest still shares.
class Batch {
public:
  Batch(const std::vector<KernelSpec> &specs, const CompileOptions &options,
        const LoweringTarget &lowering)
      : specs(specs), options(options), lowering(lowering) {}

  CompiledBatch run();

private:
  /// Those that the verifier took; `numbers` of candidates.
  void compile(llvm::ArrayRef<size_t> numbers);
  Error failure(size_t number, const std::string &why) const;

  const std::vector<KernelSpec> &specs;
  const CompileOptions &options;
  const LoweringTarget &lowering;
  std::vector<std::optional<KernelResult>> results;
};
} // namespace

Error Batch::failure(size_t number, const std::string &why) const {
  const KernelSpec &spec = specs[number];
  std::string text = "candidate " + std::to_string(number);
  text += " (" + std::string(toString(spec.op));
  if (spec.schedule)
    text += ", " + spec.schedule->str();
  return Error{text + "): " + why};
}

void Batch::compile(llvm::ArrayRef<size_t> numbers) {
  if (numbers.empty())
    return;
  std::string text;
  std::vector<std::unique_ptr<CompiledKernel::Impl>> impls;
  std::vector<KernelEntry> entries;
  for (size_t number : numbers) {
    std::string function = "main_" + std::to_string(number);
    text += buildFunction(specs[number], function);
    impls.push_back(makeImpl(lowering, specs[number]));
    entries.push_back({std::move(function), impls.back().get()});
  }
  Status status = lowerModule(text, "kernels", options, lowering, entries);
  if (status) {
    for (auto [number, impl] : llvm::zip_equal(numbers, impls))
      results[number] = std::make_unique<CompiledKernel>(std::move(impl));
  } else if (numbers.size() == 1) {
    results[numbers[0]] = failure(numbers[0], status.error());
  } else {
    compile(numbers.take_front(numbers.size() / 2));
    compile(numbers.drop_front(numbers.size() / 2));
  }
}

CompiledBatch Batch::run() {
  results.resize(specs.size());
  std::vector<size_t> verified;
  for (size_t number = 0; number < specs.size(); ++number) {
    if (Status status = verifyForCompiling(specs[number], lowering.target);
        !status)
      results[number] = failure(number, status.error());
    else
      verified.push_back(number);
  }
  compile(verified);
  CompiledBatch batch;
  for (std::optional<KernelResult> &result : results)
    batch.push_back(std::move(*result));
  return batch;
}

CompiledBatch compiler::compileCpuBatch(const std::vector<KernelSpec> &specs,
                                        const CompileOptions &options) {
  return Batch(specs, options, cpuLowering(options)).run();
}

CompiledBatch compiler::compileSimtBatch(const std::vector<KernelSpec> &specs,
                                         const CompileOptions &options,
                                         const SimtOptions &simt) {
  return Batch(specs, options, simtLowering(simt, /*fromTensors=*/true)).run();
}

Result<CompiledBatch>
compiler::compileNvptxBatch(const std::vector<KernelSpec> &specs,
                            const CompileOptions &options,
                            const NvptxOptions &nvptx) {
  if (Status status = checkChip(nvptx); !status)
    return Error{status.error()};
  return Batch(specs, options, nvptxLowering(nvptx)).run();
}

//===----------------------------------------------------------------------===//
// Artifacts
//===----------------------------------------------------------------------===//

Result<std::string> compiler::compileArtifact(const KernelSpec &spec,
                                              Target target,
                                              const CompileOptions &options,
                                              const NvptxOptions &nvptx) {
  if (Status status = verifyForCompiling(spec, target); !status)
    return Error{status.error()};
  if (target == Target::nvptx)
    if (Status status = checkChip(nvptx); !status)
      return Error{status.error()};
  CompiledKernel::Impl impl;
  LoweringTarget lowering = loweringOf(target, options, SimtOptions(), nvptx);
  Result<LoweredModule> lowered =
      lowerToLLVM(buildModule(spec), "kernel", options, lowering,
                  {KernelEntry{"main", &impl}});
  if (!lowered)
    return Error{lowered.error()};
  Result<ObjectCode> object = objectCompile(
      *lowered->module, std::move(lowered->target), lowering.effort);
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

std::string compiler::assemblerName() {
  Result<mlir::autosage::PtxAssembler *> assembler =
      mlir::autosage::findAssembler();
  return assembler ? (*assembler)->name() : std::string();
}

const char *compiler::versionString() { return AUTOSAGE_VERSION; }
