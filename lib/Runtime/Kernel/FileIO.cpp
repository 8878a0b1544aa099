//===- FileIO.cpp - whole files, with care --------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileIO.h"

#include "autosage/Core/CacheFolder.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace autosage::runtime;

namespace {
class Descriptor {
public:
  explicit Descriptor(int number) : number(number) {}
  ~Descriptor() {
    if (number >= 0)
      close(number);
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  operator int() const { return number; }

private:
  const int number;
};
} // namespace

ReadResult autosage::runtime::readOwnFile(const std::string &path,
                                          std::string &bytes,
                                          std::string &problem) {
  Descriptor file(
      open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (file < 0) {
    if (errno == ENOENT)
      return ReadResult::missing;
    problem = std::string("cannot be opened (") + std::strerror(errno) + ")";
    return ReadResult::refused;
  }
  struct stat info;
  if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode) ||
      info.st_uid != geteuid() || (info.st_mode & (S_IWGRP | S_IWOTH))) {
    problem = "is not a file of this user alone";
    return ReadResult::refused;
  }
  bytes.resize(static_cast<size_t>(info.st_size));
  size_t done = 0;
  while (done < bytes.size()) {
    ssize_t count = read(file, &bytes[done], bytes.size() - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      break;
    done += static_cast<size_t>(count);
  }
  bytes.resize(done);
  return ReadResult::read;
}

int autosage::runtime::writeNewFile(const std::string &path,
                                    const std::string &bytes) {
  NoSizeSignal guard;
  Descriptor file(
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (file < 0)
    return errno;
  for (size_t done = 0; done < bytes.size();) {
    ssize_t count = write(file, &bytes[done], bytes.size() - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return count < 0 ? errno : ENOSPC;
    done += static_cast<size_t>(count);
  }
  return 0;
}

void autosage::runtime::markUsed(const std::string &path) {
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
}
