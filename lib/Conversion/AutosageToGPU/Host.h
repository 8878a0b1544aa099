//===- Host.h - from buffers to launches ------------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host side of a kernel: memrefs of device memory become pointers, sizes
// and strides; a KernelBuilder makes the kernel (once for equal keys) together
// with the list of its parameters and launches it in pieces that fit the
// device's grid.
//
// A size or stride is a constant of the kernel where the memref's type has it,
// else a parameter: `Extent` hides which.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_HOST_H
#define AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_HOST_H

#include "Emitter.h"

#include "autosage/Core/Schedule.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <optional>

namespace mlir::autosage::device {

/// A number that is known to the compiler or an i64 of the host code.
struct Extent {
  std::optional<int64_t> fixed;
  Value host; // i64, always there
  bool is(int64_t value) const { return fixed && *fixed == value; }
};

/// What a kernel does through a pointer that no other one overlaps; `aliased`:
/// reads and writes, perhaps what another pointer of the kernel points to.
enum class Access { read, write, readWrite, aliased };

/// A buffer on the host: address of the first element, sizes and strides in
/// elements.
struct Buffer {
  Value memref;
  Value address; // i64
  Type element;  // index counts as i64
  SmallVector<Extent> sizes, strides;
  explicit operator bool() const { return static_cast<bool>(memref); }
  int64_t rank() const { return static_cast<int64_t>(sizes.size()); }
};

/// Integers of the host code and what it calls.
class HostEmitter : public Emitter {
public:
  using Emitter::Emitter;

  Extent fixed(int64_t value) { return {value, i64(value)}; }
  Extent extent(Value value);
  Buffer buffer(Value memref);
  /// The product, a constant where both are.
  Extent product(const Extent &lhs, const Extent &rhs);
  Value ceilDiv(Value lhs, Value rhs);
  /// How many tiles of `size` cover `extent`, a constant where that is one.
  Extent tilesOf(const Extent &extent, int64_t size);

  /// Device memory of `count` elements (i64), which `free` gives back.
  Value alloc(Value count, Type element);
  void free(Value memref);

  /// i1: whether the address is a multiple of `bytes`, at most 16; null where
  /// the IR says so: device memory that was allocated, memref.assume_alignment.
  Value isAligned(const Buffer &buffer, int64_t bytes);
  /// i1: whether the number is a multiple of `factor`; null where it is known
  /// to be.
  Value isMultiple(const Extent &extent, int64_t factor);
  /// The conjunction of those that are not null; null of none.
  Value allOf(ArrayRef<Value> conditions);

  /// The first body where the condition, which `allOf` gave, holds, else the
  /// second; without a condition the first alone.
  void choose(Value condition, function_ref<void()> body,
              function_ref<void()> otherwise);

  /// Calls a function of include/autosage/Runtime/Device.h, which is declared
  /// in the module. Index values travel as i64.
  Value call(StringRef function, Type result, ValueRange operands);
  /// The address of a buffer as a pointer of the host.
  Value pointer(const Buffer &buffer);
};

/// The kernels of a module, those that are equal once.
class KernelModule {
public:
  struct Limits {
    int64_t gridX = 2147483647;
    int64_t gridY = 65535;
  };

  /// Kernels go into the gpu.module `name` of `module`, made when the first one
  /// is asked for, with `target`.
  KernelModule(ModuleOp module, StringRef name, Attribute target, Limits limits)
      : module(module), name(name), target(target), limits(limits) {}

  mlir::gpu::GPUModuleOp getGPUModule();
  Limits getLimits() const { return limits; }

  /// The kernel of this key, null when there is none yet.
  mlir::gpu::GPUFuncOp lookUp(StringRef key) const { return byKey.lookup(key); }
  mlir::gpu::GPUFuncOp add(StringRef key, StringRef name, FunctionType type);

private:
  ModuleOp module;
  std::string name;
  Attribute target;
  Limits limits;
  mlir::gpu::GPUModuleOp gpuModule;
  llvm::StringMap<mlir::gpu::GPUFuncOp> byKey;
};

/// The target of kernels for `chip`; null, with an error at `module`, where
/// there is no such chip.
Attribute targetOfChip(ModuleOp module, const std::string &chip);

/// Grid and block of a launch.
struct Geometry {
  Value blocksX;         // i64 on the host
  Extent blocksY;        // of the host
  int64_t threads = 128; // of a block
  int64_t minBlocks = 0; // per multiprocessor; 0 leaves it open
};

/// One kernel in the making. First all parameters are declared, in the order in
/// which they are launched; then `launch` emits the body, unless a kernel of
/// the same key exists, and the host code that launches it. All that the body
/// depends on besides its parameters has to be part of the key.
class KernelBuilder {
public:
  KernelBuilder(HostEmitter &host, KernelModule &kernels, StringRef name)
      : host(host), kernels(kernels), name(name.str()), key(name.str()) {}

  /// A handle on a parameter, or a constant.
  class Param {
    friend class KernelBuilder;
    std::optional<int64_t> fixed;
    unsigned number = 0;

  public:
    bool is(int64_t value) const { return fixed && *fixed == value; }
    std::optional<int64_t> getFixed() const { return fixed; }
  };

  /// A buffer as the kernel sees it.
  struct View {
    Param pointer;
    Type element;
    int64_t alignment; // of the pointer in bytes, as promised by the host
    SmallVector<Param> strides;
    explicit operator bool() const { return static_cast<bool>(element); }
  };

  Param scalar(const Extent &extent);
  /// A number of any type that is known on the host alone.
  Param number(Value host);
  /// A null buffer gives a null view. `alignment` 0 is that of an element.
  View view(const Buffer &buffer, Access access, int64_t alignment = 0);
  /// Adds to the key.
  void distinguish(StringRef fact);
  void distinguish(StringRef fact, int64_t value);

  /// What the body of the kernel gets.
  class Body {
  public:
    Body(OpBuilder &builder, Location loc, mlir::gpu::GPUFuncOp function)
        : e(builder, loc), function(function) {}
    Emitter e;
    /// The value, a pointer or an i64.
    Value operator()(const Param &param);
    Value pointer(const View &view) { return (*this)(view.pointer); }
    /// Offset in elements of `indices` (i64) along the first dimensions.
    Value offset(const View &view, ValueRange indices);
    /// The address of the element at `indices`.
    Value at(const View &view, ValueRange indices);
    /// Block numbers in the whole grid, which may take several launches; i64.
    Value blockX, blockY;
    /// The address of numbers (a tensor of one dimension) in the GPU module.
    Value constant(DenseElementsAttr elements);
    /// Shared memory of `count` elements, its address.
    Value shared(Type element, int64_t count);

  private:
    mlir::gpu::GPUFuncOp function;
    unsigned numShared = 0, numConstants = 0;
  };

  void launch(const Geometry &geometry, function_ref<void(Body &)> body);

private:
  struct Parameter {
    Value host;
    Type type;
    Access access;
    int64_t alignment;
  };

  HostEmitter &host;
  KernelModule &kernels;
  std::string name, key;
  SmallVector<Parameter> parameters;
};

} // namespace mlir::autosage::device

#endif // AUTOSAGE_LIB_CONVERSION_AUTOSAGETOGPU_HOST_H
