//===- KernelCache.h - compiled kernels on disk -----------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file a kernel, named by the hash of its key. Files hold code that will be
// run: a folder that others may write to is not used. Whatever goes wrong is a
// miss with one warning. Any number of processes may use one folder: files
// appear whole, by renaming, and are checked when they are read.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_KERNEL_KERNELCACHE_H
#define AUTOSAGE_LIB_RUNTIME_KERNEL_KERNELCACHE_H

#include "Warn.h"

#include <cstdint>
#include <optional>
#include <string>

namespace autosage::runtime {

class KernelCache {
public:
  /// `folder` empty: nothing is stored.
  KernelCache(std::string folder, int64_t mostBytes, Warnings &warnings)
      : folder(std::move(folder)), mostBytes(mostBytes), warnings(warnings) {}

  /// What was stored under exactly this key; counts as a use.
  std::optional<std::string> load(const std::string &key);
  /// Then removes what was not used for longest until `mostBytes` are kept.
  void store(const std::string &key, const std::string &value);

  const std::string &getFolder() const { return folder; }

  /// Where kernels are kept by default: from AUTOSAGE_CACHE_DIR,
  /// XDG_CACHE_HOME or HOME; empty where none says.
  static std::string defaultFolder();
  /// From AUTOSAGE_KERNEL_CACHE_BYTES, else 256 MiB.
  static int64_t defaultBytes(Warnings &warnings);

private:
  const std::string folder;
  const int64_t mostBytes;
  Warnings &warnings;

  /// Makes the folder where `create`; false where it cannot be used.
  bool isUsable(bool create);
  std::string pathOf(const std::string &key) const;
  bool write(const std::string &path, const std::string &bytes);
  void evict();
};

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_KERNEL_KERNELCACHE_H
