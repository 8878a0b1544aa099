//===- EmittedKernel.cpp - kernels of the emitter, run --------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmittedKernel.h"

#include "autosage/Compiler/Compiler.h"
#include "autosage/Emulation/Simt.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <array>

using namespace autosage;
using namespace autosage::test;
using namespace mlir;

static const char *const frame = R"mlir(
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %out: !llvm.ptr<1>) kernel {
      gpu.return
    }
  }
  func.func private @pointer(%m: memref<?xi8>) -> !llvm.ptr<1> {
    %index = memref.extract_aligned_pointer_as_index %m : memref<?xi8> -> index
    %i = arith.index_cast %index : index to i64
    %p = llvm.inttoptr %i : i64 to !llvm.ptr<1>
    return %p : !llvm.ptr<1>
  }
  func.func @main(%x: memref<?xi8>, %y: memref<?xi8>, %out: memref<?xi8>, %threads: index)
      attributes {llvm.emit_c_interface} {
    %c1 = arith.constant 1 : index
    %px = call @pointer(%x) : (memref<?xi8>) -> !llvm.ptr<1>
    %py = call @pointer(%y) : (memref<?xi8>) -> !llvm.ptr<1>
    %po = call @pointer(%out) : (memref<?xi8>) -> !llvm.ptr<1>
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1)
        args(%px : !llvm.ptr<1>, %py : !llvm.ptr<1>, %po : !llvm.ptr<1>)
    return
  }
}
)mlir";

static std::string textOf(const EmitBody &emit) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context
      .loadDialect<arith::ArithDialect, func::FuncDialect, gpu::GPUDialect,
                   LLVM::LLVMDialect, memref::MemRefDialect, NVVM::NVVMDialect,
                   scf::SCFDialect, vector::VectorDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(frame, &context);
  EXPECT_TRUE(module);
  module->walk([&](gpu::GPUFuncOp kernel) {
    OpBuilder builder(kernel.getBody().front().getTerminator());
    mlir::autosage::device::Emitter e(builder, kernel.getLoc());
    Value thread = e.toI64(e.threadX());
    emit(e, {kernel.getArgument(0), kernel.getArgument(1),
             kernel.getArgument(2), thread});
  });
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  return text;
}

namespace {
/// A memref<?xi8> that kernels may access, for a scope.
struct Registered {
  Registered(Bytes bytes, const char *name, bool readOnly)
      : words{reinterpret_cast<intptr_t>(bytes.data),
              reinterpret_cast<intptr_t>(bytes.data), 0,
              static_cast<int64_t>(bytes.size), 1},
        data(bytes.data) {
    if (data)
      EXPECT_EQ(autosage_simt_register_buffer(
                    data, static_cast<int64_t>(bytes.size), name, readOnly),
                0);
  }
  ~Registered() {
    if (data)
      autosage_simt_unregister_buffer(data);
  }

  std::array<int64_t, 5> words;
  void *data;
};
} // namespace

Finding test::runEmitted(int64_t threads, Bytes x, Bytes y, Bytes out,
                         const EmitBody &emit) {
  auto kernel = ::autosage::compiler::compileSimt(::textOf(emit), "emitted");
  Finding finding;
  if (!kernel) {
    ADD_FAILURE() << kernel.error();
    return {-1, kernel.error()};
  }
  Registered bx(x, "x", true), by(y, "y", true), bo(out, "out", false);
  void *args[] = {bx.words.data(), by.words.data(), bo.words.data(), &threads};
  ::autosage::Status status = (*kernel)->invoke(args, 4);
  EXPECT_TRUE(status) << status.error();
  const char *message = nullptr;
  finding.code = autosage_simt_take_error(&message);
  finding.message = message;
  return finding;
}
