//===- StorePlace.cpp - the store's files and their folder ----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StorePlace.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <thread>
#include <unistd.h>

using namespace autosage;
using namespace autosage::oracle;

FileState oracle::stateOf(const std::string &path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0)
    return {};
  return {{info.st_dev, info.st_ino},
          info.st_mtim.tv_sec,
          info.st_mtim.tv_nsec,
          info.st_size};
}

FileIdentity oracle::identityOf(const std::string &path) {
  return stateOf(path).identity;
}

std::string oracle::folderOf(const std::string &path) {
  size_t slash = path.rfind('/');
  if (slash == std::string::npos)
    return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

//===----------------------------------------------------------------------===//
// Whose it is
//===----------------------------------------------------------------------===//

static std::string problemOfFile(const std::string &path) {
  struct stat info;
  if (!path.empty() && path.back() == '/')
    return "is a folder"; // or would be one
  if (lstat(path.c_str(), &info) != 0)
    return errno == ENOENT ? "" : std::strerror(errno);
  if (S_ISDIR(info.st_mode))
    return "is a folder";
  if (S_ISLNK(info.st_mode))
    return "is a symbolic link";
  if (!S_ISREG(info.st_mode))
    return "is not a regular file";
  if (info.st_uid != geteuid())
    return "belongs to another user";
  if (info.st_mode & (S_IWGRP | S_IWOTH))
    return "may be written by other users";
  return "";
}

static std::string problemOfFolder(const std::string &folder) {
  struct stat info;
  if (lstat(folder.c_str(), &info) != 0)
    return "";
  if (S_ISLNK(info.st_mode))
    return "is in a folder that is a symbolic link";
  if (!S_ISDIR(info.st_mode))
    return "is not in a folder";
  if (info.st_uid != geteuid())
    return "is in a folder of another user";
  if (info.st_mode & (S_IWGRP | S_IWOTH))
    return "is in a folder that other users may write to";
  return "";
}

std::string oracle::problemOfPlace(const std::string &path, bool strict) {
  if (strict)
    if (std::string problem = problemOfFolder(folderOf(path)); !problem.empty())
      return problem;
  // Someone else's log would be read as ours.
  for (const char *ending : {"", "-wal", "-shm", "-journal"})
    if (std::string problem = problemOfFile(path + ending); !problem.empty())
      return *ending ? "has a file " + path + ending + " that " + problem
                     : problem;
  return "";
}

int oracle::makeFile(const std::string &path) {
  for (const char *ending : {"-wal", "-shm", "-journal"})
    unlink((path + ending).c_str());
  int file = open(path.c_str(),
                  O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0)
    return errno == EEXIST ? 0 : errno;
  close(file);
  return 0;
}

bool oracle::isOnNetwork(const std::string &path) {
  // From the system's magic.h and the file systems' own headers.
  static constexpr uint32_t types[] = {
      0x6969,     // NFS
      0x517b,     // SMB
      0xff534d42, // CIFS
      0xfe534d42, // SMB 2
      0x01021997, // 9P
      0x5346414f, // AFS
      0x00c36400, // Ceph
      0x0bd00bd0, // Lustre
      0x47504653, // GPFS
      0x19830326, // BeeGFS
      0x65735546, // FUSE: sshfs, GlusterFS and others
  };
  struct statfs info;
  if (statfs(folderOf(path).c_str(), &info) != 0)
    return false;
  return std::find(std::begin(types), std::end(types),
                   static_cast<uint32_t>(info.f_type)) != std::end(types);
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

FolderLock::FolderLock(const std::string &folder, bool exclusive,
                       int64_t milliseconds) {
  file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) {
    held = true;
    return;
  }
  for (int64_t waited = 0;; ++waited) {
    if (flock(file, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0) {
      held = true;
      return;
    }
    if (errno != EWOULDBLOCK && errno != EINTR) {
      held = true; // cannot be locked at all
      return;
    }
    if (waited >= milliseconds)
      return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

FolderLock::~FolderLock() {
  if (file >= 0)
    close(file);
}

int oracle::moveAside(const std::string &path, const FileIdentity &judged) {
  if (identityOf(path) != judged)
    return 0;
  std::string aside = path + damagedEnding;
  // The log goes first: left beside a new store, it would be played into that.
  for (const char *ending : {"-wal", "-journal", ""}) {
    unlink((aside + ending).c_str());
    if (rename((path + ending).c_str(), (aside + ending).c_str()) != 0 &&
        errno != ENOENT)
      return errno;
  }
  unlink((path + "-shm").c_str());
  return 0;
}
