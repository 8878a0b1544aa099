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

// The size of the struct in version 1; later versions only grow.
static constexpr uint32_t sizeOfVersion1 =
    offsetof(autosage_kernel_spec, cpu_features) + sizeof(const char *);

/// Reads one word of the spec; `count` is the number of its enumerators.
template <typename Enum>
static Status readWord(const char *name, uint32_t word, uint32_t count,
                       Enum &value) {
  if (word >= count)
    return Error{"expects " + std::string(name) + " below " +
                 std::to_string(count) + ", got " + std::to_string(word)};
  value = static_cast<Enum>(word);
  return Status::success();
}

static Status readSpec(const autosage_kernel_spec &c, KernelSpec &spec) {
  Status words[] = {readWord("op", c.op, 4, spec.op),
                    readWord("reduction", c.reduction, 4, spec.reduction),
                    readWord("combine", c.combine, 2, spec.combine),
                    readWord("score", c.score, 3, spec.score),
                    readWord("dtype", c.dtype, 4, spec.dtype),
                    readWord("rowptr_type", c.rowptr_type, 2, spec.rowptrType),
                    readWord("colind_type", c.colind_type, 2, spec.colindType),
                    readWord("edge_values", c.edge_values, 4, spec.edgeValues)};
  for (Status &status : words)
    if (!status)
      return status;
  if (c.flags >= 64)
    return Error{"expects flags below 64, got " + std::to_string(c.flags)};
  if (c.reserved != 0)
    return Error{"expects reserved to be 0, got " + std::to_string(c.reserved)};
  spec.transpose = c.flags & AUTOSAGE_FLAG_TRANSPOSE;
  spec.accumulate = c.flags & AUTOSAGE_FLAG_ACCUMULATE;
  spec.lse = c.flags & AUTOSAGE_FLAG_LSE;
  spec.composed = c.flags & AUTOSAGE_FLAG_COMPOSED;
  spec.strided = c.flags & AUTOSAGE_FLAG_STRIDED;
  spec.f32Out = c.flags & AUTOSAGE_FLAG_F32_OUT;
  spec.features = c.features;
  spec.valueFeatures = c.value_features;
  spec.heads = c.heads;
  spec.scale = c.scale;
  spec.negativeSlope = c.negative_slope;
  if (c.schedule) {
    Result<Schedule> schedule = parseSchedule(c.schedule);
    if (!schedule)
      return Error{schedule.error()};
    spec.schedule = std::move(*schedule);
  }
  return verify(spec);
}

static CompileOptions readOptions(const autosage_kernel_spec &c) {
  CompileOptions options;
  if (c.cpu)
    options.cpu = c.cpu;
  if (c.cpu_features)
    options.features = c.cpu_features;
  return options;
}

void autosage_kernel_spec_init(autosage_kernel_spec *spec, size_t struct_size) {
  if (!spec)
    return;
  autosage_kernel_spec full = {};
  full.struct_size = static_cast<uint32_t>(struct_size);
  full.version = AUTOSAGE_COMPILER_VERSION;
  full.features = full.value_features = dynamic;
  full.scale = 1.0;
  full.negative_slope = KernelSpec().negativeSlope;
  // The caller's struct may be one of a shorter or a longer header.
  std::memset(spec, 0, struct_size);
  std::memcpy(spec, &full, std::min(struct_size, sizeof full));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

uint32_t autosage_compiler_version(void) { return AUTOSAGE_COMPILER_VERSION; }

const char *autosage_compiler_last_error(void) { return lastError().c_str(); }

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
    if (spec->version == 0 || spec->version > AUTOSAGE_COMPILER_VERSION)
      return fail(AUTOSAGE_COMPILER_UNSUPPORTED_VERSION,
                  "expects version 1 to " +
                      std::to_string(AUTOSAGE_COMPILER_VERSION) + ", got " +
                      std::to_string(spec->version));
    if (spec->struct_size < sizeOfVersion1)
      return fail(AUTOSAGE_COMPILER_INVALID_ARGUMENT,
                  "expects struct_size of at least " +
                      std::to_string(sizeOfVersion1) + ", got " +
                      std::to_string(spec->struct_size));
    KernelSpec read;
    if (Status status = readSpec(*spec, read); !status)
      return fail(AUTOSAGE_COMPILER_INVALID_ARGUMENT, status.error());
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
