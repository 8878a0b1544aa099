// RUN: autosage-opt %s --convert-autosage-to-gpu --canonicalize --cse | FileCheck %s

// A lane for every edge and head: no exchange between lanes.
// CHECK-LABEL: func @add
// CHECK:         gpu.launch_func @autosage_kernels::@score_gat blocks
// CHECK-LABEL: gpu.func @score_gat(
// CHECK-NOT:     shfl
// CHECK:         arith.addf
// CHECK-NOT:     cmpf
// CHECK:         llvm.store
// CHECK-NOT:     shfl
// CHECK:         gpu.return
func.func @add(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index,
               %q: memref<?x4xf64>, %k: memref<?x4xf64>, %s: memref<?x4xf64>) {
  autosage.sddmm add on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %k
      outs(%s) : memref<?x4xf64>, memref<?x4xf64>, memref<?x4xf64>
  return
}
