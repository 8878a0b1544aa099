//===- CompilerLibrary.cpp - the compile service, when needed -------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompilerLibrary.h"

#include "Background.h"

#include "autosage/Compiler/CompilerC.h"
#include "autosage/Core/KernelSpecC.h"
#include "autosage/Runtime/Runtime.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace autosage;

/// The first version with artifacts.
static constexpr uint32_t oldestCompiler = 2;

static std::string pathOfThisLibrary() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&autosage_runtime_version), &info) ||
      !info.dli_fname)
    return "";
  return info.dli_fname;
}

std::string runtime::folderOfThisLibrary() {
  std::string path = pathOfThisLibrary();
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

void *runtime::functionOfThisLibrary(const char *name) {
  static void *const self =
      dlopen(pathOfThisLibrary().c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  return self ? dlsym(self, name) : nullptr;
}

namespace {
struct Library {
  decltype(&autosage_compiler_last_error) lastError = nullptr;
  decltype(&autosage_compiler_compile_artifact) compile = nullptr;
  decltype(&autosage_artifact_destroy) destroy = nullptr;
};
} // namespace

static Result<Library> loadCompiler(std::string path) {
  if (path.empty())
    if (const char *named = std::getenv("AUTOSAGE_COMPILER"))
      path = named;
  if (path.empty())
    path = runtime::folderOfThisLibrary() + "libAutosageCompiler.so";
  // It stays loaded: LLVM has state for the whole process. The loader counts a
  // second opening of the same file, and does nothing else.
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return Error{std::string("cannot load the compiler: ") + dlerror()};
  runtime::Background::libraryIsLoaded();
  auto function = [&](const char *name) { return dlsym(library, name); };
  auto version = reinterpret_cast<decltype(&autosage_compiler_version)>(
      function("autosage_compiler_version"));
  Library loaded;
  loaded.lastError = reinterpret_cast<decltype(loaded.lastError)>(
      function("autosage_compiler_last_error"));
  loaded.compile = reinterpret_cast<decltype(loaded.compile)>(
      function("autosage_compiler_compile_artifact"));
  loaded.destroy = reinterpret_cast<decltype(loaded.destroy)>(
      function("autosage_artifact_destroy"));
  if (!version || version() < oldestCompiler || !loaded.lastError ||
      !loaded.compile || !loaded.destroy)
    return Error{"expects '" + path + "' to be a compiler of version " +
                 std::to_string(oldestCompiler) + " or newer, got " +
                 (version ? std::to_string(version()) : "another library")};
  return loaded;
}

Result<std::string>
runtime::compileKernel(const std::string &path, const KernelSpec &spec,
                       Target target, const std::string &cpu,
                       const std::string &features, const std::string &chip) {
  Result<Library> library = loadCompiler(path);
  if (!library)
    return Error{library.error()};
  std::string schedule = spec.schedule ? spec.schedule->str() : "";
  autosage_kernel_spec c = writeSpec(spec, schedule);
  c.cpu = cpu.empty() ? nullptr : cpu.c_str();
  c.cpu_features = features.empty() ? nullptr : features.c_str();
  std::string targetName(toString(target));
  autosage_artifact_options options = {};
  options.struct_size = sizeof options;
  options.version = oldestCompiler;
  options.target = targetName.c_str();
  options.chip = chip.empty() ? nullptr : chip.c_str();
  void *bytes = nullptr;
  size_t size = 0;
  if (library->compile(&c, &options, &bytes, &size) != AUTOSAGE_COMPILER_OK)
    return Error{library->lastError()};
  std::string artifact(static_cast<const char *>(bytes), size);
  library->destroy(bytes);
  return artifact;
}
