//===- CacheFolder.cpp - folders of what is kept between runs -------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/CacheFolder.h"

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <sys/stat.h>

using namespace autosage;

std::string autosage::defaultCacheFolder() {
  if (const char *own = std::getenv("AUTOSAGE_CACHE_DIR"))
    return own;
  // The XDG specification: a relative path is to be ignored.
  const char *xdg = std::getenv("XDG_CACHE_HOME");
  if (xdg && xdg[0] == '/')
    return std::string(xdg) + "/autosage";
  const char *home = std::getenv("HOME");
  if (home && home[0] == '/')
    return std::string(home) + "/.cache/autosage";
  return "";
}

bool autosage::makeFolders(const std::string &path) {
  for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    std::string part = path.substr(0, slash);
    if (mkdir(part.c_str(), 0700) != 0 && errno != EEXIST) {
      // Above there may be what is read-only and has the folder already.
      struct stat info;
      int error = errno;
      if (stat(part.c_str(), &info) != 0) {
        errno = error;
        return false;
      }
    }
    if (slash == std::string::npos)
      return true;
  }
}

NoSizeSignal::NoSizeSignal() {
  sigemptyset(&signals);
  sigaddset(&signals, SIGXFSZ);
  blocked = pthread_sigmask(SIG_BLOCK, &signals, &before) == 0;
}

NoSizeSignal::~NoSizeSignal() {
  if (!blocked || sigismember(&before, SIGXFSZ))
    return;
  // Also the one that a write has raised.
  const timespec none = {};
  while (sigtimedwait(&signals, nullptr, &none) > 0)
    continue;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}
