// A thread takes a point, the last index changing fastest; constants of the
// body are the kernel's own, and an equal op launches the same kernel.
// RUN: autosage-opt %s --autosage-dense-to-gpu --canonicalize --cse | FileCheck %s

#rows = affine_map<(i, j) -> (i, j)>
#columns = affine_map<(i, j) -> (j)>

// CHECK-LABEL: func @twice
// CHECK-DAG:     %[[THREADS:.*]] = arith.constant 256 : index
// CHECK:         %[[POINTS:.*]] = arith.muli %[[ROWS:.*]], %{{.*}} overflow<nsw> : i64
// CHECK:         scf.for
// CHECK:           gpu.launch_func @autosage_dense::@generic
// CHECK-SAME:        threads in (%[[THREADS]],
// CHECK-SAME:        args(%{{.*}} : !llvm.ptr<1>, %{{.*}} : !llvm.ptr<1>, %{{.*}} : !llvm.ptr<1>, %[[ROWS]] : i64, %[[POINTS]] : i64,
// CHECK:         gpu.launch_func @autosage_dense::@generic blocks
// CHECK:       gpu.module @autosage_dense [#nvvm.target<O = 3, chip = "sm_90"
// CHECK:         gpu.func @generic(%[[X:.*]]: !llvm.ptr<1> {llvm.align = 4 : i64}, %[[B:[^:]*]]: {{.*}}, %[[Y:[^:]*]]: !llvm.ptr<1> {{{.*}}}, %{{.*}}: i64, %[[TOTAL:[^:]*]]: i64,
// CHECK-DAG:       %[[WIDTH:.*]] = arith.constant 16 : i64
// CHECK-DAG:       %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:           %[[INSIDE:.*]] = arith.cmpi slt, %[[POINT:.*]], %[[TOTAL]] : i64
// CHECK:           scf.if %[[INSIDE]]
// CHECK:             %[[J:.*]] = arith.remui %[[POINT]], %[[WIDTH]]
// CHECK:             %[[I:.*]] = arith.divui %[[POINT]], %[[WIDTH]]
// CHECK:             llvm.getelementptr inbounds %[[X]]
// CHECK:             llvm.getelementptr inbounds %[[B]][%[[J]]]
// CHECK:             arith.maximumf %{{.*}}, %[[ZERO]] : f32
// CHECK:             llvm.getelementptr inbounds %[[Y]]
// CHECK:             llvm.store
// CHECK-NOT:     gpu.func
func.func @twice(%x: memref<?x16xf32>, %b: memref<16xf32>, %y: memref<?x16xf32>, %z: memref<?x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#rows, #columns, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : memref<?x16xf32>, memref<16xf32>) outs(%y : memref<?x16xf32>) {
  ^bb0(%s: f32, %bias: f32, %unused: f32):
    %t = arith.addf %s, %bias : f32
    %r = arith.maximumf %t, %zero : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#rows, #columns, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%y, %b : memref<?x16xf32>, memref<16xf32>) outs(%z : memref<?x16xf32>) {
  ^bb0(%p: f32, %q: f32, %old: f32):
    %t = arith.addf %p, %q : f32
    %r = arith.maximumf %t, %zero : f32
    linalg.yield %r : f32
  }
  return
}
