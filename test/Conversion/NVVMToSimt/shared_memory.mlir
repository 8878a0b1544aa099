// RUN: autosage-opt %s --pass-pipeline='builtin.module(convert-nvvm-to-simt{checks=none},canonicalize)' | FileCheck %s

// Kernels without common variables share the space; variables of one kernel
// have a gap between them. The bytes of a kernel are those of its variables,
// also where a function uses them.

gpu.module @m {
  llvm.mlir.global internal @a() {addr_space = 3 : i32} : !llvm.array<10 x f32>
  llvm.mlir.global internal @b() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x f32>
  llvm.mlir.global internal @c() {addr_space = 3 : i32} : !llvm.array<100 x f32>
  // CHECK-LABEL: llvm.func internal @m_use_b(
  llvm.func @use_b() -> !llvm.ptr<3> {
    // CHECK-DAG:   %[[B:.*]] = llvm.mlir.constant(112 : i64)
    // CHECK-DAG:   %[[BYTES:.*]] = llvm.mlir.constant(16 : i64)
    // CHECK:       llvm.call @autosage_simt_shared(%[[B]], %[[BYTES]],
    %b = llvm.mlir.addressof @b : !llvm.ptr<3>
    llvm.return %b : !llvm.ptr<3>
  }
  // CHECK-LABEL: llvm.func internal @m_first(
  llvm.func @first(%v: f32) attributes {nvvm.kernel} {
    // CHECK-DAG:   %[[A:.*]] = llvm.mlir.constant(0 : i64)
    // CHECK-DAG:   %[[BYTES:.*]] = llvm.mlir.constant(40 : i64)
    // CHECK:       llvm.call @autosage_simt_shared(%[[A]], %[[BYTES]],
    %a = llvm.mlir.addressof @a : !llvm.ptr<3>
    %b = llvm.call @use_b() : () -> !llvm.ptr<3>
    llvm.store %v, %a : f32, !llvm.ptr<3>
    llvm.store %v, %b : f32, !llvm.ptr<3>
    llvm.return
  }
  // CHECK-LABEL: llvm.func internal @m_second(
  llvm.func @second(%v: f32) attributes {nvvm.kernel} {
    // CHECK-DAG:   %[[C:.*]] = llvm.mlir.constant(0 : i64)
    // CHECK-DAG:   %[[BYTES:.*]] = llvm.mlir.constant(400 : i64)
    // CHECK:       llvm.call @autosage_simt_shared(%[[C]], %[[BYTES]],
    %c = llvm.mlir.addressof @c : !llvm.ptr<3>
    llvm.store %v, %c : f32, !llvm.ptr<3>
    llvm.return
  }
}
// CHECK-LABEL: @m_kernels()
// 40 bytes, rounded up for the alignment of @b, and 16.
// CHECK-DAG:     llvm.mlir.constant(64 : i64)
// CHECK-DAG:     llvm.mlir.constant(400 : i64)
