// RUN: autosage-opt %s --pass-pipeline='builtin.module(func.func(convert-autosage-to-cpu,canonicalize,cse))' | FileCheck %s

// The row of x that the edge eight further on gathers, one prefetch a line of
// 64 bytes; past the end of the row, but not of the pattern.
// CHECK-LABEL: func @spmm
// CHECK-SAME:    %{{.*}}: memref<?xi32>, %[[CI:.*]]: memref<?xi32>, %{{.*}}: index, %[[X:.*]]: memref<?x48xf32>, %{{.*}}: memref<?x48xf32>
func.func @spmm(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %x: memref<?x48xf32>, %y: memref<?x48xf32>) {
  // CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG:   %[[C8:.*]] = arith.constant 8 : index
  // CHECK-DAG:   %[[C16:.*]] = arith.constant 16 : index
  // CHECK-DAG:   %[[C32:.*]] = arith.constant 32 : index
  // CHECK-DAG:   %[[LESS:.*]] = arith.constant -1 : index
  // CHECK:       %[[LAST:.*]] = arith.addi %{{.*}}, %[[LESS]] : index
  // CHECK:       scf.for %[[EDGE:[a-z0-9]+]] = {{.*}} iter_args
  // CHECK:         %[[LATER:.*]] = arith.addi %[[EDGE]], %[[C8]] : index
  // CHECK-NEXT:    %[[IN:.*]] = arith.minsi %[[LATER]], %[[LAST]] : index
  // CHECK-NEXT:    %[[CRD:.*]] = memref.load %[[CI]][%[[IN]]]
  // CHECK-NEXT:    %[[COL:.*]] = arith.index_cast %[[CRD]]
  // CHECK-NEXT:    memref.prefetch %[[X]][%[[COL]], %[[C0]]], read, locality<3>, data
  // CHECK-NEXT:    memref.prefetch %[[X]][%[[COL]], %[[C16]]]
  // CHECK-NEXT:    memref.prefetch %[[X]][%[[COL]], %[[C32]]]
  // CHECK-NEXT:    vector.load
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) schedule<row_parallel, prefetch = 8, tile = 64, vec = 8> : memref<?x48xf32>, memref<?x48xf32>
  return
}

// Both gathered operands of attention, each in its own walk; the queries are
// no gather.
// CHECK-LABEL: func @attention
// CHECK-SAME:    %[[Q:[a-z0-9]+]]: memref<?x16xf32>, %[[K:[a-z0-9]+]]: memref<?x16xf32>, %[[V:[a-z0-9]+]]: memref<?x16xf32>
func.func @attention(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %q: memref<?x16xf32>, %k: memref<?x16xf32>,
                     %v: memref<?x16xf32>, %o: memref<?x16xf32>) {
  // CHECK-NOT:   memref.prefetch %[[Q]]
  // CHECK:       memref.prefetch %[[K]]
  // CHECK-NOT:   memref.prefetch
  // CHECK:       memref.prefetch %[[V]]
  // CHECK-NOT:   memref.prefetch
  // CHECK:       return
  autosage.attention dot on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %k, %v
      outs(%o) schedule<nnz_parallel, prefetch = 4> : memref<?x16xf32>, memref<?x16xf32>, memref<?x16xf32>, memref<?x16xf32>
  return
}

// CHECK-LABEL: func @none
func.func @none(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %x: memref<?x48xf32>, %y: memref<?x48xf32>) {
  // CHECK-NOT:   memref.prefetch
  // CHECK:       return
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) schedule<row_parallel, prefetch = 0> : memref<?x48xf32>, memref<?x48xf32>
  return
}
