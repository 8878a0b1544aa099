//===- ForkGuard.h - closes what must not be forked -------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_ORACLE_FORKGUARD_H
#define AUTOSAGE_LIB_ORACLE_FORKGUARD_H

#include <mutex>

namespace autosage::oracle {

/// That of warnOnce, which no fork may inherit locked.
std::mutex &warningsMutex();

/// What SQLite knows of a file's locks is the process's, and a fork inherits it
/// without the locks. So connections are closed before a fork, and nothing is
/// opened until it is over.
class ForkGuarded {
public:
  ForkGuarded();
  virtual ~ForkGuarded();
  ForkGuarded(const ForkGuarded &) = delete;
  ForkGuarded &operator=(const ForkGuarded &) = delete;

  /// Waits for calls under way, closes, and keeps others out.
  virtual void beforeFork() = 0;
  /// In parent and child, on the thread that forked.
  virtual void afterFork() = 0;

protected:
  /// To be called by the destructor of the derived class, first of all.
  void leave();
};

} // namespace autosage::oracle

#endif // AUTOSAGE_LIB_ORACLE_FORKGUARD_H
