//===- KernelCache.cpp - compiled kernels on disk -------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file: a header (below), the key, the value. Formats: 1, the first.
//
//===----------------------------------------------------------------------===//

#include "KernelCache.h"

#include "FileIO.h"
#include "autosage/Core/CacheFolder.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace autosage;
using namespace autosage::runtime;

static constexpr int64_t standardBytes = int64_t{256} << 20;
static constexpr std::string_view ending = ".kernel", temporary = ".tmp-";
/// A process writes for milliseconds; what is older was left behind.
static constexpr int64_t staleSeconds = 3600;

namespace {
struct Hash {
  uint64_t low, high;
  bool operator==(const Hash &o) const {
    return low == o.low && high == o.high;
  }
};

struct Header {
  char magic[8];
  uint32_t format, reserved;
  uint64_t keyBytes, valueBytes;
  Hash hash; // of key and value
};
} // namespace

static constexpr char magic[8] = {'A', 'S', 'K', 'E', 'R', 'N', 'E', 'L'};
static constexpr uint32_t fileFormat = 1;

static Hash hashOf(std::string_view bytes) {
  XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

static std::string describe(int error) { return std::strerror(error); }

//===----------------------------------------------------------------------===//
// Settings
//===----------------------------------------------------------------------===//

std::string KernelCache::defaultFolder() { return defaultCacheFolder(); }

int64_t KernelCache::defaultBytes(Warnings &warnings) {
  const char *text = std::getenv("AUTOSAGE_KERNEL_CACHE_BYTES");
  if (!text)
    return standardBytes;
  int64_t value = 0;
  const char *end = text + std::strlen(text);
  auto [stop, error] = std::from_chars(text, end, value);
  if (error == std::errc() && stop == end && value > 0)
    return value;
  warnings.once("AUTOSAGE_KERNEL_CACHE_BYTES",
                std::string("expects AUTOSAGE_KERNEL_CACHE_BYTES to be a "
                            "positive integer, got '") +
                    text + "'; the default is used");
  return standardBytes;
}

//===----------------------------------------------------------------------===//
// The folder
//===----------------------------------------------------------------------===//

bool KernelCache::isUsable(bool create) {
  if (folder.empty())
    return false;
  struct stat info;
  if (stat(folder.c_str(), &info) != 0) {
    if (!create)
      return false;
    if (!makeFolders(folder) || stat(folder.c_str(), &info) != 0) {
      warnings.once("folder", "kernel cache: cannot make '" + folder + "': " +
                                  describe(errno) + "; kernels are not kept");
      return false;
    }
  }
  std::string problem;
  if (!S_ISDIR(info.st_mode))
    problem = "is not a folder";
  else if (info.st_uid != geteuid())
    problem = "belongs to another user";
  else if (info.st_mode & (S_IWGRP | S_IWOTH))
    problem = "may be written by other users";
  if (problem.empty())
    return true;
  warnings.once("folder", "kernel cache: '" + folder + "' " + problem +
                              "; it is not used");
  return false;
}

std::string KernelCache::pathOf(const std::string &key) const {
  Hash hash = hashOf(key);
  char name[33];
  std::snprintf(name, sizeof name, "%016llx%016llx",
                static_cast<unsigned long long>(hash.high),
                static_cast<unsigned long long>(hash.low));
  return folder + "/" + name + std::string(ending);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The value of a file's bytes; empty with a reason where they are damaged.
static std::optional<std::string>
valueOf(std::string_view bytes, const std::string &key, std::string &problem) {
  Header header;
  if (bytes.size() < sizeof header) {
    problem = "is too short";
    return {};
  }
  std::memcpy(&header, bytes.data(), sizeof header);
  bytes.remove_prefix(sizeof header);
  if (std::memcmp(header.magic, magic, sizeof magic) != 0 ||
      header.format != fileFormat)
    problem = "is not of this format";
  else if (header.keyBytes > bytes.size() ||
           header.valueBytes != bytes.size() - header.keyBytes)
    problem = "has another length than it says";
  else if (!(hashOf(bytes) == header.hash))
    problem = "has other contents than it says";
  if (!problem.empty())
    return {};
  // Another key with the same name is not damage, just not ours.
  if (bytes.substr(0, header.keyBytes) != key)
    return {};
  return std::string(bytes.substr(header.keyBytes));
}

std::optional<std::string> KernelCache::load(const std::string &key) {
  if (!isUsable(/*create=*/false))
    return {};
  std::string path = pathOf(key), bytes, problem;
  ReadResult result = readOwnFile(path, bytes, problem);
  if (result == ReadResult::missing)
    return {};
  std::optional<std::string> value;
  if (result == ReadResult::read)
    value = valueOf(bytes, key, problem);
  if (!problem.empty()) {
    warnings.once("damaged", "kernel cache: '" + path + "' " + problem +
                                 "; the kernel is compiled again");
    unlink(path.c_str());
  }
  if (value)
    markUsed(path);
  return value;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

bool KernelCache::write(const std::string &path, const std::string &bytes) {
  static std::atomic<uint64_t> number{0};
  std::string name = folder + "/" + std::string(temporary) +
                     std::to_string(getpid()) + "-" + std::to_string(number++);
  int error = writeNewFile(name, bytes);
  if (!error && rename(name.c_str(), path.c_str()) != 0)
    error = errno;
  if (!error)
    return true;
  unlink(name.c_str());
  warnings.once("write", "kernel cache: cannot write to '" + folder + "': " +
                             describe(error) + "; kernels are not kept");
  return false;
}

void KernelCache::store(const std::string &key, const std::string &value) {
  auto size = static_cast<int64_t>(sizeof(Header) + key.size() + value.size());
  if (folder.empty() || size > mostBytes || !isUsable(/*create=*/true))
    return;
  Header header = {};
  std::memcpy(header.magic, magic, sizeof magic);
  header.format = fileFormat;
  header.keyBytes = key.size();
  header.valueBytes = value.size();
  std::string bytes = key + value;
  header.hash = hashOf(bytes);
  bytes.insert(0, reinterpret_cast<const char *>(&header), sizeof header);
  if (write(pathOf(key), bytes))
    evict();
}

void KernelCache::evict() {
  struct Entry {
    std::string path;
    int64_t bytes;
    timespec used;
  };
  std::vector<Entry> entries;
  int64_t sum = 0;
  DIR *dir = opendir(folder.c_str());
  if (!dir)
    return;
  const time_t now = time(nullptr);
  while (const dirent *item = readdir(dir)) {
    std::string_view name = item->d_name;
    bool isTemporary = name.substr(0, temporary.size()) == temporary;
    bool isKernel = name.size() > ending.size() &&
                    name.substr(name.size() - ending.size()) == ending;
    std::string path = folder + "/" + item->d_name;
    struct stat info;
    // Others remove files too: what is gone is no error, here and below.
    if ((!isTemporary && !isKernel) || lstat(path.c_str(), &info) != 0)
      continue;
    if (isTemporary) {
      if (now - info.st_mtim.tv_sec > staleSeconds)
        unlink(path.c_str());
      continue;
    }
    sum += info.st_size;
    entries.push_back({std::move(path), info.st_size, info.st_mtim});
  }
  closedir(dir);
  if (sum <= mostBytes)
    return;
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    return a.used.tv_sec != b.used.tv_sec ? a.used.tv_sec < b.used.tv_sec
                                          : a.used.tv_nsec < b.used.tv_nsec;
  });
  for (const Entry &entry : entries) {
    if (sum <= mostBytes)
      break;
    unlink(entry.path.c_str());
    sum -= entry.bytes;
  }
}
