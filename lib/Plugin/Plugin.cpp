//===- Plugin.cpp - the dialect and the passes for stock mlir-opt ---------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tool asks a plugin for a struct first and registers from it afterwards.
// The struct carries the version of the plugin interface alone, which has been
// the same for years while MLIR's classes changed: so before it is handed out,
// the LLVM of the process is compared with the one that this file was compiled
// against, and where they differ the struct says version 0, which every tool
// refuses.
//
//===----------------------------------------------------------------------===//

#include "autosage/Dialect/Autosage/IR/Autosage.h"
#include "autosage/Dialect/Autosage/TransformOps/AutosageTransformOps.h"
#include "autosage/Pipelines/Pipelines.h"
#include "autosage/Services/Services.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"

#include <cstdio>
#include <dlfcn.h>

using namespace mlir;

// A test builds the plugin for a version that never is.
#ifndef AUTOSAGE_PLUGIN_LLVM_MAJOR
#define AUTOSAGE_PLUGIN_LLVM_MAJOR LLVM_VERSION_MAJOR
#endif

#define AUTOSAGE_PLUGIN_EXPORT extern "C" __attribute__((visibility("default")))

static constexpr const char *pluginName = "Autosage";

/// The interface's version where the process has the right LLVM, else 0. LLVM's
/// ABI is that of its major and minor version.
static uint32_t handshake() {
  using GetVersion = void (*)(unsigned *, unsigned *, unsigned *);
  // The first one of the process, which is the tool's; a tool that was linked
  // with archives may not show it.
  auto get =
      reinterpret_cast<GetVersion>(dlsym(RTLD_DEFAULT, "LLVMGetVersion"));
  unsigned major = 0, minor = 0, patch = 0;
  if (get)
    get(&major, &minor, &patch);
  if (major == AUTOSAGE_PLUGIN_LLVM_MAJOR && minor == LLVM_VERSION_MINOR)
    return MLIR_PLUGIN_API_VERSION;
  // Not through LLVM's streams: they may be of the other version.
  std::fprintf(stderr,
               "libAutosagePlugin.so: expects a tool with LLVM %d.%d, got "
               "%u.%u.%u\n",
               AUTOSAGE_PLUGIN_LLVM_MAJOR, LLVM_VERSION_MINOR, major, minor,
               patch);
  return 0;
}

/// A tool may load the plugin for its dialect and for its passes, or have both
/// already, as autosage-opt does; a second registration would end the process.
static void registerPasses() {
  if (PassInfo::lookup("autosage-expand-pattern"))
    return;
  mlir::autosage::registerAutosagePasses();
  mlir::autosage::registerFileServices();
}

static void registerDialects(DialectRegistry *registry) {
  if (registry->getDialectAllocator(
          mlir::autosage::AutosageDialect::getDialectNamespace()))
    return registerPasses();
  mlir::autosage::registerAutosagePipelineDialects(*registry);
  mlir::autosage::registerTransformExtension(*registry);
  registerPasses();
}

AUTOSAGE_PLUGIN_EXPORT DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {handshake(), pluginName, AUTOSAGE_VERSION, registerDialects};
}

AUTOSAGE_PLUGIN_EXPORT PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {handshake(), pluginName, AUTOSAGE_VERSION, registerPasses};
}
