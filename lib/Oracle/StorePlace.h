//===- StorePlace.h - the store's files and their folder --------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing here opens the store itself: closing any descriptor of a file drops
// all locks that the process holds on it, SQLite's included.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_ORACLE_STOREPLACE_H
#define AUTOSAGE_LIB_ORACLE_STOREPLACE_H

#include <cstdint>
#include <string>

namespace autosage::oracle {

/// Which file a path leads to; all zero: none.
struct FileIdentity {
  uint64_t device = 0, node = 0;
  bool exists() const { return node != 0; }
  bool operator==(const FileIdentity &o) const {
    return device == o.device && node == o.node;
  }
  bool operator!=(const FileIdentity &o) const { return !(*this == o); }
};
FileIdentity identityOf(const std::string &path);

/// The same and when it was written last, from one look.
struct FileState {
  FileIdentity identity;
  int64_t seconds = 0, nanoseconds = 0, size = 0;
  bool operator==(const FileState &o) const {
    return identity == o.identity && seconds == o.seconds &&
           nanoseconds == o.nanoseconds && size == o.size;
  }
};
FileState stateOf(const std::string &path);

std::string folderOf(const std::string &path);

/// Why the files at this path are not ours to use, or empty: a link, no regular
/// file, of another user, open to others' writes. Where the folder is the
/// project's own (`strict`), it has to be this user's alone too, and no link.
std::string problemOfPlace(const std::string &path, bool strict);

/// Makes an empty file for this user alone, and removes what another file at
/// this path has left beside it: a process that still has that one open must
/// not share memory with users of the new one. 0 or an errno. Expects the
/// exclusive lock.
int makeFile(const std::string &path);

/// On file systems of a network, memory is not shared between machines, which
/// SQLite's write-ahead log needs.
bool isOnNetwork(const std::string &path);

/// Held while a store is opened (shared), and while one is made or moved aside
/// (exclusive): without it a process could open the old file and then the new
/// one's log. A lock on the folder leaves no file behind. Where folders cannot
/// be locked, it does nothing.
class FolderLock {
public:
  FolderLock(const std::string &folder, bool exclusive, int64_t milliseconds);
  ~FolderLock();
  FolderLock(const FolderLock &) = delete;
  FolderLock &operator=(const FolderLock &) = delete;
  /// False where others held it for all of the time.
  bool isHeld() const { return held; }

private:
  int file = -1;
  bool held = false;
};

/// Renames the store and what belongs to it to `<path>.damaged`, whose former
/// contents are lost: one such copy is enough. Expects the exclusive lock. Does
/// nothing where the path leads to another file by now. 0 or an errno.
int moveAside(const std::string &path, const FileIdentity &judged);
inline constexpr const char *damagedEnding = ".damaged";

} // namespace autosage::oracle

#endif // AUTOSAGE_LIB_ORACLE_STOREPLACE_H
