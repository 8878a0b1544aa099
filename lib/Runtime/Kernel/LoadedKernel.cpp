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

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <unistd.h>

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

namespace {
/// The kernels of the process, loaded or being made.
class Table {
public:
  /// What is there, or the promise that the caller has to keep.
  struct Place {
    std::string name;
    std::shared_future<MadeKernel> future;
    std::optional<std::promise<MadeKernel>> promise;
  };
  Place find(const KernelRequest &request);
  void keep(Place &place, const MadeKernel &made);

  /// Never destroyed: plans of static storage may still run at exit.
  static Table &get() {
    static auto &instance = *new Table;
    return instance;
  }

private:
  struct Entry {
    std::shared_future<MadeKernel> future;
    pid_t maker = 0;
  };
  std::mutex mutex;
  std::map<std::string, Entry> entries;
};
} // namespace

Table::Place Table::find(const KernelRequest &request) {
  Place place;
  // Functions are bound when a kernel is loaded.
  place.name = keyOf(request) +
               std::to_string(reinterpret_cast<uintptr_t>(request.symbols));
  std::lock_guard<std::mutex> lock(mutex);
  auto [entry, inserted] = entries.try_emplace(place.name);
  // What a parent was making when it forked, nobody makes here.
  bool isOrphan = !inserted && entry->second.maker != getpid() &&
                  entry->second.future.wait_for(std::chrono::seconds(0)) !=
                      std::future_status::ready;
  if (inserted || isOrphan) {
    place.promise.emplace();
    entry->second = {place.promise->get_future().share(), getpid()};
  }
  place.future = entry->second.future;
  return place;
}

void Table::keep(Place &place, const MadeKernel &made) {
  if (!made) { // the next request tries again
    std::lock_guard<std::mutex> lock(mutex);
    entries.erase(place.name);
  }
  place.promise->set_value(made);
}

static void make(Table::Place &place, const KernelRequest &request,
                 KernelCache &cache, Warnings &warnings, double *compileMs) {
  MadeKernel made = Error{"out of memory"};
  try {
    made = makeKernel(request, keyOf(request), cache, warnings, compileMs);
  } catch (const std::bad_alloc &) {
    // The waiting threads get the error above.
  } catch (const std::exception &e) {
    made = Error{e.what()};
  }
  Table::get().keep(place, made);
}

MadeKernel runtime::getKernel(const KernelRequest &request, KernelCache &cache,
                              Warnings &warnings, double *compileMs) {
  Table::Place place = Table::get().find(request);
  if (place.promise)
    make(place, request, cache, warnings, compileMs);
  return place.future.get();
}

std::vector<std::shared_future<MadeKernel>>
runtime::startKernels(const std::vector<KernelRequest> &requests,
                      KernelCache &cache, Warnings &warnings,
                      Background &background) {
  struct Job {
    Table::Place place;
    KernelRequest request;
  };
  struct Jobs {
    std::vector<Job> list;
    std::atomic<size_t> next{0};
  };
  std::vector<std::shared_future<MadeKernel>> futures;
  auto jobs = std::make_shared<Jobs>();
  for (const KernelRequest &request : requests) {
    Table::Place place = Table::get().find(request);
    futures.push_back(place.future);
    if (place.promise)
      jobs->list.push_back({std::move(place), request});
  }
  auto work = [jobs, &cache, &warnings] {
    for (size_t i; (i = jobs->next++) < jobs->list.size();)
      make(jobs->list[i].place, jobs->list[i].request, cache, warnings,
           nullptr);
  };
  size_t wanted = std::min<size_t>(
      jobs->list.size(), std::max(1u, std::thread::hardware_concurrency()));
  bool isStarted = false;
  for (size_t i = 0; i < wanted && background.start(work); ++i)
    isStarted = true;
  if (!isStarted)
    work(); // without threads, here
  return futures;
}
