//===- CompilerC.cpp - C ABI of the compile service -----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Translates versioned C structs to Compiler.h, and everything that may be
// thrown to status codes.
//
//===----------------------------------------------------------------------===//

#include "autosage/Compiler/CompilerC.h"

#include "autosage/Compiler/Compiler.h"
#include "autosage/Core/KernelSpecC.h"

#include <cstring>
#include <new>

using namespace autosage;
using namespace autosage::compiler;

struct autosage_compiled_kernel {
  std::unique_ptr<CompiledKernel> kernel;
  std::string schedule;
};

static std::string &lastError() {
  thread_local std::string message;
  return message;
}

static autosage_compiler_status fail(autosage_compiler_status code,
                                     const std::string &message) {
  lastError() = message;
  return code;
}

/// Runs `fn` and turns what it throws into a code.
template <typename Fn> static autosage_compiler_status guarded(Fn &&fn) {
  try {
    lastError().clear();
    return fn();
  } catch (const std::bad_alloc &) {
    return fail(AUTOSAGE_COMPILER_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception &e) {
    return fail(AUTOSAGE_COMPILER_INTERNAL, e.what());
  } catch (...) {
    return fail(AUTOSAGE_COMPILER_INTERNAL, "unknown failure");
  }
}

//===----------------------------------------------------------------------===//
// Specs
//===----------------------------------------------------------------------===//

static CompileOptions readOptions(const autosage_kernel_spec &c) {
  CompileOptions options;
  if (c.cpu)
    options.cpu = c.cpu;
  if (c.cpu_features)
    options.features = c.cpu_features;
  return options;
}

void autosage_kernel_spec_init(autosage_kernel_spec *spec, size_t struct_size) {
  initSpec(spec, struct_size, AUTOSAGE_COMPILER_VERSION);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

uint32_t autosage_compiler_version(void) { return AUTOSAGE_COMPILER_VERSION; }

const char *autosage_compiler_last_error(void) { return lastError().c_str(); }

static autosage_compiler_status checkVersion(uint32_t version) {
  if (version == 0 || version > AUTOSAGE_COMPILER_VERSION)
    return fail(AUTOSAGE_COMPILER_UNSUPPORTED_VERSION,
                "expects version 1 to " +
                    std::to_string(AUTOSAGE_COMPILER_VERSION) + ", got " +
                    std::to_string(version));
  return AUTOSAGE_COMPILER_OK;
}

static autosage_compiler_status readVerified(const autosage_kernel_spec &c,
                                             Target target, KernelSpec &spec) {
  if (autosage_compiler_status status = checkVersion(c.version))
    return status;
  Status status = readSpec(c, spec);
  if (status)
    status = verify(spec, target);
  if (!status)
    return fail(AUTOSAGE_COMPILER_INVALID_ARGUMENT, status.error());
  return AUTOSAGE_COMPILER_OK;
}

static autosage_compiler_status
finish(Result<std::unique_ptr<CompiledKernel>> compiled,
       autosage_compiled_kernel **kernel) {
  if (!compiled)
    return fail(AUTOSAGE_COMPILER_COMPILATION_FAILED, compiled.error());
  auto handle = std::make_unique<autosage_compiled_kernel>();
  handle->kernel = std::move(*compiled);
  if (!handle->kernel->selections().empty())
    handle->schedule = handle->kernel->selections().front().schedule.str();
  *kernel = handle.release();
  return AUTOSAGE_COMPILER_OK;
}

autosage_compiler_status
autosage_compiler_compile(const autosage_kernel_spec *spec,
                          autosage_compiled_kernel **kernel) {
  return guarded([&]() -> autosage_compiler_status {
    if (!kernel)
      return fail(AUTOSAGE_COMPILER_INVALID_ARGUMENT,
                  "expects kernel to point to a handle, got null");
    *kernel = nullptr;
    if (!spec)
      return fail(AUTOSAGE_COMPILER_INVALID_ARGUMENT,
                  "expects spec to point to a spec, got null");
    KernelSpec read;
    if (autosage_compiler_status status =
            readVerified(*spec, Target::cpu, read))
      return status;
    return finish(compileCpu(read, readOptions(*spec)), kernel);
  });
}

autosage_compiler_status
autosage_compiler_compile_mlir(const char *text, size_t length,
                               autosage_compiled_kernel **kernel) {
  return guarded([&]() -> autosage_compiler_status {
    if (!kernel)
      return fail(AUTOSAGE_COMPILER_INVALID_ARGUMENT,
                  "expects kernel to point to a handle, got null");
    *kernel = nullptr;
    if (!text)
      return fail(AUTOSAGE_COMPILER_INVALID_ARGUMENT,
                  "expects text to point to MLIR, got null");
    return finish(compileCpu(std::string(text, length), "module"), kernel);
  });
}

autosage_compiler_status
autosage_compiled_kernel_invoke(const autosage_compiled_kernel *kernel,
                                void **args, size_t count) {
  return guarded([&]() -> autosage_compiler_status {
    if (!kernel || !args)
      return fail(AUTOSAGE_COMPILER_INVALID_ARGUMENT,
                  std::string("expects ") + (kernel ? "args" : "kernel") +
                      " to be given, got null");
    if (Status status = kernel->kernel->invoke(args, count); !status)
      return fail(AUTOSAGE_COMPILER_INVALID_ARGUMENT, status.error());
    return AUTOSAGE_COMPILER_OK;
  });
}

const char *
autosage_compiled_kernel_schedule(const autosage_compiled_kernel *kernel) {
  return kernel ? kernel->schedule.c_str() : "";
}

void autosage_compiled_kernel_destroy(autosage_compiled_kernel *kernel) {
  delete kernel;
}

/// Checks what the structs of options have in common, and reads the target.
template <typename Options>
static autosage_compiler_status readTarget(const Options &options,
                                           Target &target) {
  if (autosage_compiler_status status = checkVersion(options.version))
    return status;
  if (options.struct_size < sizeof options)
    return fail(AUTOSAGE_COMPILER_INVALID_ARGUMENT,
                "expects struct_size of at least " +
                    std::to_string(sizeof options) + ", got " +
                    std::to_string(options.struct_size));
  std::string name = options.target ? options.target : "";
  std::optional<Target> parsed = parseTarget(name);
  if (!parsed)
    return fail(AUTOSAGE_COMPILER_INVALID_ARGUMENT,
                "expects target cpu, simt or nvptx, got '" + name + "'");
  target = *parsed;
  return AUTOSAGE_COMPILER_OK;
}

autosage_compiler_status
autosage_compiler_compile_artifact(const autosage_kernel_spec *spec,
                                   const autosage_artifact_options *options,
                                   void **bytes, size_t *size) {
  return guarded([&]() -> autosage_compiler_status {
    if (!spec || !options || !bytes || !size)
      return fail(AUTOSAGE_COMPILER_INVALID_ARGUMENT,
                  "expects spec, options, bytes and size to be given, got "
                  "null");
    *bytes = nullptr;
    *size = 0;
    Target target;
    if (autosage_compiler_status status = readTarget(*options, target))
      return status;
    KernelSpec read;
    if (autosage_compiler_status status = readVerified(*spec, target, read))
      return status;
    NvptxOptions nvptx;
    if (options->chip)
      nvptx.chip = options->chip;
    Result<std::string> artifact =
        compileArtifact(read, target, readOptions(*spec), nvptx);
    if (!artifact)
      return fail(AUTOSAGE_COMPILER_COMPILATION_FAILED, artifact.error());
    auto copy = std::make_unique<char[]>(artifact->size());
    std::memcpy(copy.get(), artifact->data(), artifact->size());
    *size = artifact->size();
    *bytes = copy.release();
    return AUTOSAGE_COMPILER_OK;
  });
}

void autosage_artifact_destroy(void *bytes) {
  delete[] static_cast<char *>(bytes);
}

autosage_compiler_status
autosage_compiler_compile_program(const char *text, size_t length,
                                  const autosage_program_options *options,
                                  autosage_compiled_kernel **kernel) {
  return guarded([&]() -> autosage_compiler_status {
    if (!text || !options || !kernel)
      return fail(AUTOSAGE_COMPILER_INVALID_ARGUMENT,
                  "expects text, options and kernel to be given, got null");
    *kernel = nullptr;
    Target target;
    if (autosage_compiler_status status = readTarget(*options, target))
      return status;
    CompileOptions host;
    host.cpu = options->cpu ? options->cpu : "";
    host.features = options->cpu_features ? options->cpu_features : "";
    NvptxOptions nvptx;
    if (options->chip)
      nvptx.chip = options->chip;
    return finish(compileProgram(std::string(text, length), "module", target,
                                 host, SimtOptions(), nvptx),
                  kernel);
  });
}
