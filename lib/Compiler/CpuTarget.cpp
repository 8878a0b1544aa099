//===- CpuTarget.cpp - the CPU that kernels are compiled for --------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM only warns of names that it does not know, and compiles for any CPU that
// it does; code that this machine cannot run would end the process. Both are
// found out here, before.
//
//===----------------------------------------------------------------------===//

#include "CpuTarget.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

#include <mutex>

using namespace autosage;
using namespace autosage::compiler;
using llvm::orc::JITTargetMachineBuilder;

using Subtarget = std::unique_ptr<llvm::MCSubtargetInfo>;

static void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

/// Null where LLVM lacks the target of this machine.
static Subtarget subtargetOf(const llvm::Triple &triple, const std::string &cpu,
                             const std::string &features) {
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  return target
             ? Subtarget(target->createMCSubtargetInfo(triple, cpu, features))
             : nullptr;
}

/// `+name` or `-name`, separated by commas, of features that LLVM has.
static Status checkFeatures(const llvm::MCSubtargetInfo &info,
                            const std::string &features) {
  for (llvm::StringRef entry : llvm::split(features, ',')) {
    bool known = false;
    if (entry.starts_with("+") || entry.starts_with("-"))
      known = llvm::any_of(info.getAllProcessorFeatures(),
                           [&](const llvm::SubtargetFeatureKV &feature) {
                             return feature.Key == entry.drop_front();
                           });
    if (!known)
      return Error{"expects CPU features as +name or -name that LLVM knows, "
                   "got '" +
                   entry.str() + "'"};
  }
  return Status::success();
}

/// Whether this machine has what `info` uses, as far as it can be asked.
static Status checkRuns(const llvm::MCSubtargetInfo &info) {
  static const llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  std::string missing;
  for (const llvm::SubtargetFeatureKV &feature :
       info.getEnabledProcessorFeatures()) {
    auto known = host.find(feature.Key);
    if (known != host.end() && !known->second)
      missing += (missing.empty() ? "" : ", ") + std::string(feature.Key);
  }
  if (missing.empty())
    return Status::success();
  return Error{"expects a CPU whose code runs on this machine, which lacks " +
               missing};
}

static int64_t registerBits(const llvm::MCSubtargetInfo &info,
                            const llvm::Triple &triple) {
  if (!triple.isX86())
    return 128; // NEON, which the 64-bit architecture includes
  auto has = [&](const char *feature) { return info.checkFeatures(feature); };
  // LLVM cuts vectors of 512 bits in two where they slow the clock.
  if (has("+avx512f") && !has("+prefer-256-bit"))
    return 512;
  return has("+avx") ? 256 : 128; // SSE2 is part of x86-64
}

static bool convertsF16(const llvm::MCSubtargetInfo &info,
                        const llvm::Triple &triple) {
  if (triple.isX86())
    return info.checkFeatures("+f16c") || info.checkFeatures("+avx512f");
  return triple.isAArch64();
}

Result<CpuTarget> compiler::cpuTargetOf(const CompileOptions &options) {
  initializeTarget();
  llvm::Expected<JITTargetMachineBuilder> builder =
      JITTargetMachineBuilder::detectHost();
  if (!builder)
    return Error{llvm::toString(builder.takeError())};
  const llvm::Triple &triple = builder->getTargetTriple();
  Subtarget any = subtargetOf(triple, "", "");
  if (!any)
    return Error{"expects a machine that LLVM has a target for, got " +
                 triple.str()};
  if (!options.cpu.empty()) {
    if (!any->isCPUStringValid(options.cpu))
      return Error{"expects a CPU that LLVM knows, got '" + options.cpu + "'"};
    // Features of this machine's CPU must not stay on for a lesser one.
    builder->setCPU(options.cpu);
    builder->getFeatures() = llvm::SubtargetFeatures();
  }
  if (!options.features.empty()) {
    if (Status status = checkFeatures(*any, options.features); !status)
      return Error{status.error()};
    for (llvm::StringRef entry : llvm::split(options.features, ','))
      builder->getFeatures().AddFeature(entry.drop_front(),
                                        entry.front() == '+');
  }
  Subtarget info = subtargetOf(triple, builder->getCPU(),
                               builder->getFeatures().getString());
  if (Status status = checkRuns(*info); !status)
    return Error{status.error()};
  CpuTarget target{std::move(*builder)};
  target.vectorBits = registerBits(*info, target.builder.getTargetTriple());
  target.convertsF16 = convertsF16(*info, target.builder.getTargetTriple());
  target.builder.setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  return std::move(target);
}

Result<int64_t> compiler::vectorBitsOf(const CompileOptions &options) {
  Result<CpuTarget> target = cpuTargetOf(options);
  if (!target)
    return Error{target.error()};
  return target->vectorBits;
}

int64_t compiler::hostVectorBits() {
  static const int64_t bits = [] {
    Result<CpuTarget> target = cpuTargetOf({});
    return target ? target->vectorBits : 128;
  }();
  return bits;
}
