// RUN: autosage-opt %s --convert-autosage-to-gpu --canonicalize --cse | FileCheck %s

// Features of q are loaded once a row. For four edges: all loads before the
// first product; two, one and two shuffles sum up and share out, where four
// sums over 16 lanes one by one would take sixteen; one store.
// CHECK-LABEL: func @dot
// CHECK:         gpu.launch_func @autosage_kernels::@score_dot blocks
// CHECK:       gpu.func @score_dot(
// CHECK:         llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK:         scf.for
// CHECK-COUNT-4:   llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK:           llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-COUNT-4:   llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NOT:       llvm.load
// CHECK-COUNT-16:  llvm.intr.fma
// CHECK-COUNT-5:   nvvm.shfl.sync
// CHECK-NOT:       nvvm.shfl.sync
// CHECK:           scf.if
// CHECK-NEXT:        llvm.store
// CHECK-NOT:       nvvm.shfl.sync
// CHECK:         } {loop_annotation
func.func @dot(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %w: memref<?xf32>,
               %q: memref<?x64xf32>, %k: memref<?x64xf32>, %s: memref<?xf32>) {
  autosage.sddmm dot on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%w : memref<?xf32>], %q, %k
      outs(%s) schedule<row_group> : memref<?x64xf32>, memref<?x64xf32>, memref<?xf32>
  return
}
