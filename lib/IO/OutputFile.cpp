//===- OutputFile.cpp - a file being written ------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace autosage::io {

constexpr size_t bufferBytes = size_t(1) << 20;

OutputFile::OutputFile(const std::string &path) : path(path) {
  descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    failure = errno;
    return;
  }
  // Never remove what is not an ordinary file, /dev/stdout for one.
  struct stat info;
  removable = ::fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
  buffer.reserve(bufferBytes);
}

OutputFile::~OutputFile() {
  if (descriptor < 0)
    return;
  ::close(descriptor);
  if (removable)
    ::unlink(path.c_str());
}

void OutputFile::append(std::string_view bytes) {
  if (buffer.size() + bytes.size() > bufferBytes)
    flush();
  if (bytes.size() > bufferBytes)
    writeAll(bytes.data(), bytes.size());
  else
    buffer.append(bytes);
}

void OutputFile::flush() {
  writeAll(buffer.data(), buffer.size());
  buffer.clear();
}

void OutputFile::writeAll(const char *data, size_t size) {
  while (failure == 0 && size > 0) {
    ssize_t wrote = ::write(descriptor, data, size);
    if (wrote < 0 && errno == EINTR)
      continue;
    if (wrote < 0) {
      failure = errno;
      return;
    }
    data += wrote;
    size -= static_cast<size_t>(wrote);
  }
}

Status OutputFile::finish() {
  flush();
  if (descriptor >= 0) {
    int open = descriptor;
    descriptor = -1;
    if (::close(open) != 0 && failure == 0)
      failure = errno;
    if (failure != 0 && removable)
      ::unlink(path.c_str());
  }
  if (failure == 0)
    return Status::success();
  return Error{path + ": cannot write: " + std::strerror(failure)};
}

} // namespace autosage::io
