//===- ObjectImage.h - a relocatable object in memory -----------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a linker and a loader do, for the objects that the compile service
// writes: x86-64 ELF, position-independent, small. From bytes in memory rather
// than a file that dlopen would read again: what was checked is what runs.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_KERNEL_OBJECTIMAGE_H
#define AUTOSAGE_LIB_RUNTIME_KERNEL_OBJECTIMAGE_H

#include "autosage/Core/Result.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

namespace autosage::runtime {

class ObjectImage {
public:
  /// The address of a function that the object does not define; null where
  /// there is none.
  using Resolver = std::function<void *(const char *name)>;

  /// Copies the object's sections to memory of its own, code executable and
  /// not writable, and relocates them. Any bytes may be given.
  static Result<std::unique_ptr<ObjectImage>>
  load(std::string_view object, const Resolver &resolver, const char *entry);
  ~ObjectImage();
  ObjectImage(const ObjectImage &) = delete;
  ObjectImage &operator=(const ObjectImage &) = delete;

  void *entry() const { return entryAddress; }

private:
  friend class ObjectLoader;
  ObjectImage() = default;
  char *memory = nullptr;
  size_t size = 0;
  void *entryAddress = nullptr;
};

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_KERNEL_OBJECTIMAGE_H
