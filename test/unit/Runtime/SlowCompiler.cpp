//===- SlowCompiler.cpp - a compile service that takes its time -----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library that SLOW_COMPILER_OF names, which takes SLOW_COMPILER_MS longer
// for each kernel but those of the schedule SLOW_COMPILER_SPARES.
//
//===----------------------------------------------------------------------===//

#include "autosage/Compiler/CompilerC.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <thread>

#define EXPORT extern "C" __attribute__((visibility("default")))

template <typename Function> static Function real(const char *name) {
  static void *library = dlopen(std::getenv("SLOW_COMPILER_OF"), RTLD_NOW);
  return reinterpret_cast<Function>(dlsym(library, name));
}

EXPORT uint32_t autosage_compiler_version(void) {
  return real<decltype(&autosage_compiler_version)>(
      "autosage_compiler_version")();
}
EXPORT const char *autosage_compiler_last_error(void) {
  return real<decltype(&autosage_compiler_last_error)>(
      "autosage_compiler_last_error")();
}
EXPORT void autosage_artifact_destroy(void *bytes) {
  real<decltype(&autosage_artifact_destroy)>("autosage_artifact_destroy")(
      bytes);
}
EXPORT autosage_compiler_status autosage_compiler_compile_artifact(
    const autosage_kernel_spec *spec, const autosage_artifact_options *options,
    void **bytes, size_t *size) {
  const char *spared = std::getenv("SLOW_COMPILER_SPARES");
  if (!spared || !spec->schedule || std::strcmp(spec->schedule, spared) != 0)
    std::this_thread::sleep_for(
        std::chrono::milliseconds(std::atoi(std::getenv("SLOW_COMPILER_MS"))));
  return real<decltype(&autosage_compiler_compile_artifact)>(
      "autosage_compiler_compile_artifact")(spec, options, bytes, size);
}
