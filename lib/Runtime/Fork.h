//===- Fork.h - whether this process is a fork ------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fork has one thread; the books of its OpenMP runtime still list the
// parent's. libgomp then waits for threads that do not exist: a parallel region
// hangs where the parent's forking thread had run one before.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_FORK_H
#define AUTOSAGE_LIB_RUNTIME_FORK_H

namespace autosage::runtime {

/// Whether the process was forked off after this library was loaded.
bool isForkedSinceLoad();

/// Whether the process is a fork of its parent that has not run a program since
/// (execve), as far as can be told: false where the parent has ended. Reads
/// /proc; not for hot paths.
bool isForkOfParent();

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_FORK_H
