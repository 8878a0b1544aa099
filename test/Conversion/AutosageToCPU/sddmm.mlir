// RUN: autosage-opt %s --pass-pipeline='builtin.module(func.func(convert-autosage-to-cpu,canonicalize,cse))' | FileCheck %s

// The row of q stays in registers over the edges; sums reduce at the end.
// CHECK-LABEL: func @dot_static
// CHECK-SAME:    %[[Q:[a-z0-9]+]]: memref<?x32xf32>, %[[K:[a-z0-9]+]]: memref<?x32xf32>, %[[S:[a-z0-9]+]]: memref<?xf32>
func.func @dot_static(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %w: memref<?xf32>,
                      %q: memref<?x32xf32>, %k: memref<?x32xf32>, %s: memref<?xf32>) {
  // CHECK-DAG:   %[[SCALE:.*]] = arith.constant 1.250000e-01 : f32
  // CHECK:       %[[Q0:.*]] = vector.load %[[Q]]
  // CHECK:       %[[Q1:.*]] = vector.load %[[Q]]
  // CHECK:       scf.for %[[EDGE:[a-z0-9]+]] =
  // CHECK-NOT:     vector.load %[[Q]]
  // CHECK:         %[[K0:.*]] = vector.load %[[K]]
  // CHECK:         %[[F0:.*]] = arith.mulf %[[Q0]], %[[K0]]
  // CHECK:         %[[K1:.*]] = vector.load %[[K]]
  // CHECK:         %[[F1:.*]] = arith.mulf %[[Q1]], %[[K1]]
  // CHECK:         %[[SUM:.*]] = arith.addf %[[F0]], %[[F1]]
  // CHECK:         %[[DOT:.*]] = vector.reduction <add>, %[[SUM]] fastmath<reassoc>
  // CHECK:         %[[SCALED:.*]] = arith.mulf %[[DOT]], %[[SCALE]]
  // CHECK:         %[[RESULT:.*]] = arith.mulf %{{.*}}, %[[SCALED]]
  // CHECK:         memref.store %[[RESULT]], %[[S]][%[[EDGE]]]
  // CHECK-NOT:   mask
  // CHECK:       return
  autosage.sddmm dot on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%w : memref<?xf32>], %q, %k
      outs(%s) schedule<row_parallel, vec = 16> {scale = 0.125 : f32}
      : memref<?x32xf32>, memref<?x32xf32>, memref<?xf32>
  return
}

// A dynamic width walks tiles, vectors and a masked tail at every edge.
// CHECK-LABEL: func @dot_dynamic
func.func @dot_dynamic(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index,
                       %q: memref<?x?xf32>, %k: memref<?x?xf32>, %s: memref<?xf32>) {
  // CHECK:       %[[MASK:.*]] = vector.create_mask
  // CHECK:       scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>)
  // CHECK-COUNT-2: vector.fma
  // CHECK:       scf.for {{.*}} -> (vector<8xf32>)
  // CHECK:       scf.if {{.*}} -> (vector<8xf32>)
  // CHECK-COUNT-2: vector.maskedload {{.*}}, %[[MASK]]
  // CHECK:       vector.reduction <add>, %{{.*}} fastmath<reassoc>
  autosage.sddmm dot on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %k
      outs(%s) schedule<row_parallel, tile = 16, vec = 8> : memref<?x?xf32>, memref<?x?xf32>, memref<?xf32>
  return
}

// CHECK-LABEL: func @add
// CHECK-SAME:    %[[Q:[a-z0-9]+]]: memref<?x4xf64>, %[[K:[a-z0-9]+]]: memref<?x4xf64>, %[[S:[a-z0-9]+]]: memref<?x4xf64>
func.func @add(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index,
               %q: memref<?x4xf64>, %k: memref<?x4xf64>, %s: memref<?x4xf64>) {
  // CHECK:       scf.parallel
  // CHECK:       scf.for
  // CHECK:       scf.for %[[HEAD:[a-z0-9]+]] =
  // CHECK:         %[[LEFT:.*]] = memref.load %[[Q]][%{{.*}}, %[[HEAD]]]
  // CHECK:         scf.for %[[EDGE:[a-z0-9]+]] =
  // CHECK:           %[[RIGHT:.*]] = memref.load %[[K]][%{{.*}}, %[[HEAD]]]
  // CHECK:           %[[SUM:.*]] = arith.addf %[[LEFT]], %[[RIGHT]] : f64
  // CHECK:           memref.store %[[SUM]], %[[S]][%[[EDGE]], %[[HEAD]]]
  autosage.sddmm add on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %k
      outs(%s) : memref<?x4xf64>, memref<?x4xf64>, memref<?x4xf64>
  return
}
