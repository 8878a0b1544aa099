//===- LoadedKernel.cpp - kernels of this process -------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadedKernel.h"

#include "../Plan/Scope.h"
#include "CompilerLibrary.h"
#include "Machine.h"
#include "Stopwatch.h"

#include "autosage/Runtime/Plan.h"

#include <cstring>
#include <dlfcn.h>
#include <future>
#include <map>

using namespace autosage;
using namespace autosage::runtime;

std::string runtime::keyOf(const KernelRequest &request) {
  return "artifact=" + std::to_string(artifactFormat) +
         "\ncode=" + codeVersion() +
         "\ntarget=" + std::string(toString(request.target)) + " " +
         request.chip + "\ncpu=" + request.cpu + " " + request.features +
         "\nmachine=" + machineText() + "\n" + textOf(request.spec) + "\n";
}

/// A function that a kernel calls: of this library, of the caller, of libc and
/// libm.
static void *resolve(const autosage_symbol *symbols, const char *name) {
  if (void *scoped = PlanScope::function(name))
    return scoped;
  for (; symbols && symbols->name; ++symbols)
    if (std::strcmp(symbols->name, name) == 0)
      return symbols->address;
  if (void *own = functionOfThisLibrary(name))
    return own;
  // dlsym finds in a library's dependencies too, and this one needs libc.
  if (void *global = dlsym(RTLD_DEFAULT, name))
    return global;
  static void *const libm = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
  return libm ? dlsym(libm, name) : nullptr;
}

static Result<std::shared_ptr<const LoadedKernel>>
loadArtifact(const KernelRequest &request, std::string_view bytes,
             const char *origin) {
  Result<Artifact> artifact = parseArtifact(bytes);
  if (!artifact)
    return Error{artifact.error()};
  auto image = ObjectImage::load(
      artifact->object,
      [&](const char *name) { return resolve(request.symbols, name); },
      artifactEntry);
  if (!image)
    return Error{image.error()};
  auto kernel = std::make_shared<LoadedKernel>();
  kernel->image = std::move(*image);
  kernel->entry = reinterpret_cast<void (*)(void **)>(kernel->image->entry());
  kernel->arguments = static_cast<size_t>(artifact->arguments);
  kernel->choices = std::move(artifact->choices);
  kernel->origin = origin;
  return std::shared_ptr<const LoadedKernel>(std::move(kernel));
}

static Result<std::shared_ptr<const LoadedKernel>>
makeKernel(const KernelRequest &request, const std::string &key,
           KernelCache &cache, Warnings &warnings, double *compileMs) {
  if (std::optional<std::string> bytes = cache.load(key)) {
    auto kernel = loadArtifact(request, *bytes, "cache");
    if (kernel)
      return kernel;
    warnings.once("artifact", "kernel cache: " + kernel.error() +
                                  "; the kernel is compiled again");
  }
  Stopwatch compiling;
  Result<std::string> bytes =
      compileKernel(request.compiler, request.spec, request.target, request.cpu,
                    request.features, request.chip);
  if (compileMs)
    *compileMs += compiling.milliseconds();
  if (!bytes)
    return Error{bytes.error()};
  auto kernel = loadArtifact(request, *bytes, "compiled");
  if (!kernel)
    return kernel;
  // Another compiler's code must not be taken for that of this version's.
  Result<Artifact> artifact = parseArtifact(*bytes);
  if (artifact && artifact->code == codeVersion())
    cache.store(key, *bytes);
  else
    warnings.once("code", "the compiler is of another build than the runtime; "
                          "kernels are not kept");
  return kernel;
}

Result<std::shared_ptr<const LoadedKernel>>
runtime::getKernel(const KernelRequest &request, KernelCache &cache,
                   Warnings &warnings, double *compileMs) {
  using Made = Result<std::shared_ptr<const LoadedKernel>>;
  // Never destroyed: plans of static storage may still run at exit.
  static auto &mutex = *new std::mutex;
  static auto &table = *new std::map<std::string, std::shared_future<Made>>;

  std::string key = keyOf(request);
  // Functions are bound when a kernel is loaded.
  std::string place =
      key + std::to_string(reinterpret_cast<uintptr_t>(request.symbols));
  std::promise<Made> promise;
  std::shared_future<Made> future;
  bool isFirst = false;
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto [entry, inserted] = table.try_emplace(place);
    if (inserted)
      entry->second = promise.get_future().share();
    isFirst = inserted;
    future = entry->second;
  }
  if (!isFirst)
    return future.get();
  Made made = Error{"out of memory"};
  try {
    made = makeKernel(request, key, cache, warnings, compileMs);
  } catch (const std::bad_alloc &) {
    // The waiting threads get the error below.
  }
  if (!made) { // the next request tries again
    std::lock_guard<std::mutex> lock(mutex);
    table.erase(place);
  }
  promise.set_value(made);
  return made;
}
