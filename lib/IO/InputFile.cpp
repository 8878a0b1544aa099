//===- InputFile.cpp - bytes to read, from a file or memory ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InputFile.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace autosage::io {

Error fileError(std::string_view name, std::string_view message) {
  std::string text(name);
  text += ": ";
  text += message;
  return Error{std::move(text)};
}

Error offsetError(std::string_view name, int64_t offset,
                  std::string_view message) {
  std::string text = "offset " + std::to_string(offset) + ": ";
  text += message;
  return fileError(name, text);
}

std::string quoted(std::string_view text) {
  constexpr size_t longest = 32;
  std::string out = "'";
  for (char c : text.substr(0, longest))
    out += c >= ' ' && c <= '~' ? c : '?';
  if (text.size() > longest)
    out += "...";
  return out + "'";
}

static Error systemError(std::string_view name, std::string_view doing,
                         int code) {
  if (code == ENOENT)
    return fileError(name, "no such file");
  if (code == EISDIR)
    return fileError(name, "is a directory");
  std::string text(doing);
  text += ": ";
  text += std::strerror(code);
  return fileError(name, text);
}

Input &Input::operator=(Input &&other) noexcept {
  if (this == &other)
    return *this;
  if (descriptor >= 0)
    ::close(descriptor);
  name = std::move(other.name);
  descriptor = std::exchange(other.descriptor, -1);
  fileSize = other.fileSize;
  owned = std::move(other.owned);
  bytes = std::exchange(other.bytes, {});
  return *this;
}

Input::~Input() {
  if (descriptor >= 0)
    ::close(descriptor);
}

Result<Input> Input::open(const std::string &path) {
  Input input{std::string_view()};
  input.name = path;
  input.descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (input.descriptor < 0)
    return systemError(path, "cannot open", errno);

  struct stat info;
  if (::fstat(input.descriptor, &info) != 0)
    return systemError(path, "cannot read", errno);
  if (S_ISDIR(info.st_mode))
    return fileError(path, "is a directory");
  // A device such as /dev/zero never ends.
  if (!S_ISREG(info.st_mode) && !S_ISFIFO(info.st_mode))
    return fileError(path, "expects a regular file or a pipe");

  input.fileSize = info.st_size;
  // Files under /proc say that they have no bytes, and still have some.
  if (!S_ISREG(info.st_mode) || info.st_size == 0)
    if (Status read = input.readToEnd(); !read)
      return Error{read.error()};
  if (input.size() == 0)
    return fileError(path, "empty file");
  return input;
}

Result<std::string> Input::head(int64_t count) const {
  std::string out(static_cast<size_t>(std::min(count, size())), '\0');
  if (Status status = read(0, out.data(), static_cast<int64_t>(out.size()));
      !status)
    return Error{status.error()};
  return out;
}

Status Input::read(int64_t offset, void *target, int64_t count) const {
  if (!isFile()) {
    if (offset > size() || count > size() - offset)
      return offsetError(name, offset, "the file ends too early");
    if (count > 0)
      std::memcpy(target, bytes.data() + offset, static_cast<size_t>(count));
    return Status::success();
  }
  char *out = static_cast<char *>(target);
  while (count > 0) {
    ssize_t got = ::pread(descriptor, out, static_cast<size_t>(count), offset);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return systemError(name, "cannot read", errno);
    if (got == 0)
      return offsetError(name, offset, "the file ends too early");
    out += got;
    offset += got;
    count -= got;
  }
  return Status::success();
}

Result<std::string_view> Input::all() {
  if (isFile())
    if (Status status = readToEnd(); !status)
      return Error{status.error()};
  return bytes;
}

Status Input::readToEnd() {
  // One byte more than the file claims, so that its end shows in one round.
  size_t capacity = std::max<size_t>(static_cast<size_t>(fileSize) + 1, 65536);
  size_t used = 0;
  owned = {static_cast<char *>(std::malloc(capacity)), std::free};
  while (owned) {
    if (used == capacity) {
      capacity *= 2;
      char *larger = static_cast<char *>(std::realloc(owned.get(), capacity));
      if (!larger)
        break;
      owned.release();
      owned.reset(larger);
    }
    ssize_t got = ::read(descriptor, owned.get() + used, capacity - used);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return systemError(name, "cannot read", errno);
    if (got == 0) {
      ::close(std::exchange(descriptor, -1));
      bytes = std::string_view(owned.get(), used);
      return Status::success();
    }
    used += static_cast<size_t>(got);
  }
  return fileError(name, "not enough memory to hold its contents");
}

} // namespace autosage::io
