//===- OpenMPHost.h - a host with an OpenMP runtime -------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads a runtime as a framework's libraries do and runs parallel regions as
// compiled code would.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_RUNTIME_OPENMPHOST_H
#define AUTOSAGE_TEST_RUNTIME_OPENMPHOST_H

#include <atomic>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace autosage::test {

inline constexpr const char *libgomp = "libgomp.so.1";
inline constexpr const char *libomp = "libomp.so.5";

class OpenMPHost {
public:
  OpenMPHost(const char *name, int flags) {
    void *handle = dlopen(name, flags);
    if (!handle)
      return;
    run = reinterpret_cast<decltype(run)>(dlsym(handle, "GOMP_parallel"));
    set = reinterpret_cast<decltype(set)>(dlsym(handle, "omp_set_num_threads"));
  }
  explicit operator bool() const { return run && set; }

  void parallel(void (*region)(void *), void *data, unsigned threads) {
    run(region, data, threads, 0);
  }
  void setNumThreads(int count) { set(count); }

  /// Whether a region gets that many threads.
  bool runThreads(unsigned threads) {
    // Static, so that ThreadSanitizer, which does not see the order that a
    // region brings, has no construction to complain of.
    static std::atomic<unsigned> seen;
    seen = 0;
    parallel([](void *) { ++seen; }, nullptr, threads);
    return seen == threads;
  }

private:
  void (*run)(void (*)(void *), void *, unsigned, unsigned) = nullptr;
  void (*set)(int) = nullptr;
};

/// OpenMP libraries in this process.
inline int countRuntimes() {
  int count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *data) {
        for (const char *name : {"/libgomp", "/libomp", "/libiomp"})
          *static_cast<int *>(data) +=
              std::strstr(info->dlpi_name, name) != nullptr;
        return 0;
      },
      &count);
  return count;
}

/// The file that the name stands for; empty where there is none. It is a fork
/// that loads it: not every runtime leaves a process again.
inline std::string pathOf(const char *name) {
  int ends[2];
  if (pipe(ends) != 0)
    return "";
  pid_t child = fork();
  if (child == 0) {
    Dl_info info;
    void *handle = dlopen(name, RTLD_LAZY);
    bool found = handle && dladdr(dlsym(handle, "GOMP_parallel"), &info);
    if (found &&
        write(ends[1], info.dli_fname, std::strlen(info.dli_fname)) < 0)
      _exit(1);
    _exit(0);
  }
  close(ends[1]);
  std::string path;
  char buffer[256];
  for (ssize_t size; (size = read(ends[0], buffer, sizeof buffer)) > 0;)
    path.append(buffer, size);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return path;
}

inline bool isAvailable(const char *name) { return !pathOf(name).empty(); }

} // namespace autosage::test

#endif // AUTOSAGE_TEST_RUNTIME_OPENMPHOST_H
