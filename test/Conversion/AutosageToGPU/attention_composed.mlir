// RUN: autosage-opt %s --convert-autosage-to-gpu --canonicalize --cse | FileCheck %s

// Composed: scores in the accumulator's type, their softmax in place, sums of rows of v.
// Log-sum-exp in f16 cannot tell a row without weight: a second one in f32.
// CHECK-LABEL: func @dot
// CHECK:         %[[SCORES:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK:         gpu.launch_func @autosage_kernels::@score_dot blocks
// CHECK:         %[[LSE:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK:         gpu.launch_func @autosage_kernels::@row_softmax blocks
// CHECK:         gpu.launch_func @autosage_kernels::@spmm_sum blocks
// CHECK-DAG:     memref.dealloc %[[SCORES]]
// CHECK-DAG:     memref.dealloc %[[LSE]]
func.func @dot(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %q: memref<?x64xf16>,
               %k: memref<?x64xf16>, %v: memref<?x64xf16>, %o: memref<?x64xf16>, %l: memref<?xf16>) {
  autosage.attention dot on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %k, %v
      outs(%o, %l) schedule<row_group, attention = composed> {scale = 0.125 : f32}
      : memref<?x64xf16>, memref<?x64xf16>, memref<?x64xf16>, memref<?x64xf16>, memref<?xf16>
  return
}

// One task list for all three; log-sum-exp of the caller serves.
// CHECK-LABEL: func @gatv2
// CHECK-COUNT-1: call @autosage_build_tasks(
// CHECK-NOT:     call @autosage_build_tasks(
// CHECK:         gpu.launch_func @autosage_kernels::@score_gatv2 blocks
// CHECK:         gpu.launch_func @autosage_kernels::@row_softmax_1 blocks
// CHECK:         gpu.launch_func @autosage_kernels::@spmm_sum_{{[0-9]+}} blocks
func.func @gatv2(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %q: memref<?x4x32xf32>,
                 %k: memref<?x4x32xf32>, %v: memref<?x4x32xf32>, %a: memref<4x32xf32>,
                 %o: memref<?x4x32xf32>, %l: memref<?x4xf32>) {
  autosage.attention gatv2 on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %k, %v
      vec(%a : memref<4x32xf32>) outs(%o, %l) schedule<row_tasks, attention = composed>
      : memref<?x4x32xf32>, memref<?x4x32xf32>, memref<?x4x32xf32>, memref<?x4x32xf32>, memref<?x4xf32>
  return
}
