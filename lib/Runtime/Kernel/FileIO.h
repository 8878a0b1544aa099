//===- FileIO.h - whole files, with care ------------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_KERNEL_FILEIO_H
#define AUTOSAGE_LIB_RUNTIME_KERNEL_FILEIO_H

#include <string>

namespace autosage::runtime {

enum class ReadResult { read, missing, refused };

/// Reads a regular file of this user that no other one may write to; a symbolic
/// link is refused. `problem` is set where the file is refused.
ReadResult readOwnFile(const std::string &path, std::string &bytes,
                       std::string &problem);

/// Writes a file that does not exist yet, for this user alone; 0 or an errno. A
/// limit on file sizes (RLIMIT_FSIZE) is an error like a full disk, not a
/// signal that ends the process.
int writeNewFile(const std::string &path, const std::string &bytes);

/// Sets the time of modification to now, where that is allowed.
void markUsed(const std::string &path);

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_KERNEL_FILEIO_H
