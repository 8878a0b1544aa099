// RUN: autosage-opt %s --convert-autosage-to-runtime --canonicalize --cse | FileCheck %s

// CHECK: func.func private @autosage_vendor_spmm(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, i64, i32, i32, i32, i32, i32, i32)

// Addresses, sizes of the pattern, columns, strides; then bytes of the indices,
// types, algorithm and flags.
// CHECK-LABEL: func @plain
// CHECK-SAME:    (%[[RP:.*]]: memref<?xi32>, %[[CI:.*]]: memref<?xi32>, %[[N:.*]]: index, %[[X:.*]]: memref<?x64xf32>, %[[Y:.*]]: memref<?x64xf32>)
// CHECK-DAG:     %[[C3:.*]] = arith.constant 3 : i32
// CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : i32
// CHECK-DAG:     %[[C64:.*]] = arith.constant 64 : i64
// CHECK-DAG:     %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK-DAG:     %[[COLS:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK:         call @autosage_vendor_spmm(%{{.*}}, %{{.*}}, %[[NULL]], %{{.*}}, %{{.*}}, %{{.*}}, %[[COLS]], %{{.*}}, %[[C64]]
// CHECK-NOT:     autosage.spmm
func.func @plain(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %x: memref<?x64xf32>, %y: memref<?x64xf32>) {
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) schedule<vendor> : memref<?x64xf32>, memref<?x64xf32>
  return
}

// Everything that a call may say: 64-bit indices (8), f16 (2) to f32 (0),
// algorithm 2, flags 1 + 4 + 8.
// CHECK-LABEL: func @forms
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : i32
// CHECK-DAG:     %[[C8:.*]] = arith.constant 8 : i32
// CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : i32
// CHECK-DAG:     %[[C13:.*]] = arith.constant 13 : i32
// CHECK:         call @autosage_vendor_spmm(
// CHECK-SAME:      %[[C8]], %[[C8]], %[[C2]], %[[C0]], %[[C2]], %[[C13]])
func.func @forms(%rp: memref<?xi64>, %ci: memref<?xi64>, %n: index, %w: memref<?x1xf16>,
                 %x: memref<?x?xf16, strided<[?, 1], offset: ?>>, %y: memref<?x?xf32, strided<[?, 1]>>) {
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi64>, memref<?xi64>, index)[%w : memref<?x1xf16>], %x
      outs(%y) schedule<vendor, alg = 2, deterministic = false> {accumulate}
      : memref<?x?xf16, strided<[?, 1], offset: ?>>, memref<?x?xf32, strided<[?, 1]>>
  return
}

// Heads that share the edge values are columns.
// CHECK-LABEL: func @heads
// CHECK-DAG:     %[[C32:.*]] = arith.constant 32 : i64
// CHECK:         call @autosage_vendor_spmm({{.*}}, %[[C32]], %[[C32]], %[[C32]],
func.func @heads(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %w: memref<?xf32>,
                 %x: memref<?x4x8xf32>, %y: memref<?x4x8xf32>) {
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%w : memref<?xf32>], %x
      outs(%y) schedule<vendor> : memref<?x4x8xf32>, memref<?x4x8xf32>
  return
}

// Flags 1 + 2.
// CHECK-LABEL: func @transposed
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : i32
// CHECK-DAG:     %[[C3:.*]] = arith.constant 3 : i32
// CHECK:         call @autosage_vendor_spmm({{.*}}, %[[C1]], %[[C3]])
func.func @transposed(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %x: memref<?x64xf32>, %y: memref<?x64xf32>) {
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) schedule<vendor, alg = 1, deterministic = false> {transpose} : memref<?x64xf32>, memref<?x64xf32>
  return
}
