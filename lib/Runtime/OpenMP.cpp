//===- OpenMP.cpp - the OpenMP runtime of the process ---------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpenMP.h"

#include "Fork.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <string>
#include <vector>

using namespace autosage::runtime;

/// All functions through one handle; false where one is missing.
static bool bind(void *handle, OpenMP &omp) {
  auto find = [&](auto &function, const char *name) {
    function =
        reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(handle, name));
    return function != nullptr;
  };
  return find(omp.parallel, "GOMP_parallel") &&
         find(omp.maxThreads, "omp_get_max_threads") &&
         find(omp.inParallel, "omp_in_parallel");
}

/// Libraries that are loaded but not in the global scope, as those of Python's
/// extension modules are. Wheels rename theirs (libgomp-1a2b3c.so.1).
static std::vector<std::string> loadedRuntimes() {
  std::vector<std::string> paths;
  auto visit = [](dl_phdr_info *info, size_t, void *data) {
    const char *slash = std::strrchr(info->dlpi_name, '/');
    const char *name = slash ? slash + 1 : info->dlpi_name;
    for (const char *prefix : {"libgomp", "libomp", "libiomp5"}) {
      size_t length = std::strlen(prefix);
      if (std::strncmp(name, prefix, length) == 0 &&
          std::strchr(".-", name[length]) && name[length])
        static_cast<std::vector<std::string> *>(data)->push_back(
            info->dlpi_name);
    }
    return 0;
  };
  dl_iterate_phdr(visit, &paths);
  return paths;
}

/// What the process has. Handles are not closed: a runtime must not go while
/// its threads sleep in it.
static bool bindLoaded(OpenMP &omp) {
  if (bind(RTLD_DEFAULT, omp))
    return true;
  for (const std::string &path : loadedRuntimes())
    if (void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD))
      if (bind(handle, omp))
        return true;
  return false;
}

static bool bindNew(OpenMP &omp) {
  // libgomp first: it is on every system with GCC's run-time libraries.
  for (const char *name :
       {"libgomp.so.1", "libomp.so.5", "libomp.so", "libiomp5.so"})
    if (void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL))
      if (bind(handle, omp))
        return true;
  return false;
}

const OpenMP *autosage::runtime::openMP() {
  static const OpenMP *const found = []() -> const OpenMP * {
    static OpenMP omp;
    if (bindLoaded(omp))
      // It may have had threads before the fork.
      return isForkOfParent() ? nullptr : &omp;
    if (bindNew(omp))
      return &omp;
    std::fputs("warning: no OpenMP runtime found (libgomp.so.1, libomp.so.5, "
               "libiomp5.so); kernels run on one thread\n",
               stderr);
    return nullptr;
  }();
  return found;
}
