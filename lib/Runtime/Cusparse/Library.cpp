//===- Library.cpp - cuSPARSE, loaded when first needed -------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Library.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace autosage;
using namespace autosage::runtime;

/// Of CUDA 12.2.1: until then CSR_ALG3 silently took another algorithm for what
/// it did not cover, which need not be deterministic.
static constexpr int oldestVersion = 12102;

std::string cusparse::versionText(int version) {
  return std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 100) + "." +
         std::to_string(version % 100);
}

std::string cusparse::Library::describe(Code code, const char *what) const {
  const char *name = getErrorName(code), *text = getErrorString(code);
  return std::string("cusparse: ") + (text ? text : "no description") + " (" +
         (name ? name : "unknown error") + ") in " + what;
}

static constexpr const char *names[] = {"libcusparse.so.12",
                                        "libcusparse.so.13"};

/// The order: what the process has (a framework's own copy, whose handles and
/// streams it shares), the loader's paths, the toolkit.
static void *open() {
  for (int flags : {RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD, RTLD_NOW | RTLD_LOCAL})
    for (const char *name : names)
      if (void *library = dlopen(name, flags))
        return library;
  for (const char *variable :
       {"AUTOSAGE_CUDA_TOOLKIT", "CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"}) {
    const char *root = std::getenv(variable);
    if (!root || !*root)
      continue;
    for (const char *folder :
         {"lib64", "lib", "targets/x86_64-linux/lib", "lib/x86_64-linux-gnu"})
      for (const char *name : names) {
        std::string file = std::string(root) + "/" + folder + "/" + name;
        if (void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL))
          return library;
      }
    break; // the first that is set, as for the rest of the toolkit
  }
  return nullptr;
}

static Result<cusparse::Library> load() {
  void *handle = open();
  if (!handle)
    return Error{"expects cuSPARSE, got none (libcusparse.so.12 is not found)"};

  cusparse::Library library;
  const char *missing = nullptr;
#define AUTOSAGE_CUSPARSE_BIND(member, symbol, ...)                            \
  if (void *address = dlsym(handle, symbol))                                   \
    library.member = reinterpret_cast<decltype(library.member)>(address);      \
  else                                                                         \
    missing = symbol;
  AUTOSAGE_CUSPARSE_FUNCTIONS(AUTOSAGE_CUSPARSE_BIND)
#undef AUTOSAGE_CUSPARSE_BIND

  // Needs no handle and no device, unlike cusparseGetVersion.
  int parts[3] = {};
  if (library.getProperty)
    for (int part = 0; part < 3; ++part)
      library.getProperty(part, &parts[part]);
  library.version = parts[0] * 1000 + parts[1] * 100 + parts[2];
  if (library.version < oldestVersion)
    return Error{"expects cuSPARSE " + cusparse::versionText(oldestVersion) +
                 " or newer, got " + cusparse::versionText(library.version)};
  if (missing)
    return Error{std::string("expects cuSPARSE with '") + missing + "', got " +
                 cusparse::versionText(library.version) + " without it"};
  Dl_info info;
  if (dladdr(reinterpret_cast<void *>(library.spmm), &info) && info.dli_fname)
    library.path = info.dli_fname;
  return library;
}

const Result<cusparse::Library> &cusparse::library() {
  static const Result<Library> loaded = load();
  return loaded;
}
