// RUN: autosage-opt %s --convert-autosage-to-runtime --canonicalize --cse | FileCheck %s

// CHECK: func.func private @autosage_vendor_sddmm(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, i64, f64, i32, i32, i32, i32, i32, i32)

// CHECK-LABEL: func @dot
// CHECK-DAG:     %[[C16:.*]] = arith.constant 16 : i64
// CHECK-DAG:     %[[SCALE:.*]] = arith.constant 2.500000e-01 : f64
// CHECK:         call @autosage_vendor_sddmm({{.*}}, %[[C16]], %[[C16]], %[[C16]], %[[SCALE]],
// CHECK-NOT:     autosage.sddmm
func.func @dot(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %q: memref<?x16xf32>, %k: memref<?x16xf32>,
               %s: memref<?xf32>) {
  autosage.sddmm dot on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %k
      outs(%s) schedule<vendor> {scale = 0.25 : f32} : memref<?x16xf32>, memref<?x16xf32>, memref<?xf32>
  return
}
