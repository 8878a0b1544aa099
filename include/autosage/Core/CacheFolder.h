//===- CacheFolder.h - folders of what is kept between runs -----*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where caches are, and how a process that must not end over a cache writes to
// them. Needs POSIX.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_CORE_CACHEFOLDER_H
#define AUTOSAGE_CORE_CACHEFOLDER_H

#include <csignal>
#include <string>

namespace autosage {

/// From AUTOSAGE_CACHE_DIR (empty: keep nothing), else `autosage` in
/// XDG_CACHE_HOME or in .cache of HOME; empty where none says.
std::string defaultCacheFolder();

/// Makes a folder and those above it, for this user alone; false with errno.
bool makeFolders(const std::string &path);

/// While it lives, a limit on file sizes (RLIMIT_FSIZE) is an error like a full
/// disk to this thread, not a signal that ends the process.
class NoSizeSignal {
public:
  NoSizeSignal();
  ~NoSizeSignal();
  NoSizeSignal(const NoSizeSignal &) = delete;
  NoSizeSignal &operator=(const NoSizeSignal &) = delete;

private:
  sigset_t signals, before;
  bool blocked;
};

} // namespace autosage

#endif // AUTOSAGE_CORE_CACHEFOLDER_H
