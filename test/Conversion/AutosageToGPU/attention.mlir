// RUN: autosage-opt %s --convert-autosage-to-gpu --canonicalize --cse | FileCheck %s

// One kernel, and nothing allocated.
// CHECK-LABEL: func @dot
// CHECK-NOT:     memref.alloc
// CHECK:         gpu.launch_func @autosage_kernels::@attention_dot blocks
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @dot(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %q: memref<?x64xf16>,
               %k: memref<?x64xf16>, %v: memref<?x64xf16>, %o: memref<?x64xf16>, %l: memref<?xf16>) {
  autosage.attention dot on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %k, %v
      outs(%o, %l) schedule<row_group> {scale = 0.125 : f32}
      : memref<?x64xf16>, memref<?x64xf16>, memref<?x64xf16>, memref<?x64xf16>, memref<?xf16>
  return
}

// Pieces of cut rows have a place for an output, a maximum and a sum each: 2
// nnz / chunk + 1 of them where any row is cut, else none.
// CHECK-LABEL: func @gatv2
// CHECK:         call @autosage_build_tasks(
// CHECK:         %[[TWICE:.*]] = arith.muli %{{.*}}, %c2{{.*}} overflow<nsw>
// CHECK:         %[[SLOTS:.*]] = arith.divui %[[TWICE]], %c256
// CHECK:         %[[MORE:.*]] = arith.addi %[[SLOTS]], %c1
// CHECK:         %[[COUNT:.*]] = arith.select %{{.*}}, %[[MORE]], %c0
// CHECK:         %[[OUT:.*]] = arith.muli %[[COUNT]], %c128
// CHECK:         memref.alloc
// CHECK:         %[[STATS:.*]] = arith.muli %[[COUNT]], %c8
// CHECK:         memref.alloc
// CHECK-NOT:     memref.alloc
// CHECK:         gpu.launch_func @autosage_kernels::@attention_gatv2 blocks
// CHECK:         scf.if
// CHECK:           gpu.launch_func @autosage_kernels::@attention_merge blocks
func.func @gatv2(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %q: memref<?x4x32xf32>,
                 %k: memref<?x4x32xf32>, %v: memref<?x4x32xf32>, %a: memref<4x32xf32>,
                 %o: memref<?x4x32xf32>, %l: memref<?x4xf32>) {
  autosage.attention gatv2 on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %k, %v
      vec(%a : memref<4x32xf32>) outs(%o, %l) schedule<row_tasks>
      : memref<?x4x32xf32>, memref<?x4x32xf32>, memref<?x4x32xf32>, memref<?x4x32xf32>, memref<?x4xf32>
  return
}
