// RUN: autosage-opt %s --pass-pipeline='builtin.module(func.func(convert-autosage-to-cpu,canonicalize,cse))' | FileCheck %s

// Two edges a pass, added one after another, then what is left.
// CHECK-LABEL: func @spmm
func.func @spmm(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %x: memref<?x8xf32>, %y: memref<?x8xf32>) {
  // CHECK-DAG:   %[[C1:.*]] = arith.constant 1 : index
  // CHECK-DAG:   %[[C2:.*]] = arith.constant 2 : index
  // CHECK:       %[[ODD:.*]] = arith.remui %{{.*}}, %[[C2]]
  // CHECK:       %[[PAIRS:.*]] = scf.for %[[E0:[a-z0-9]+]] = {{.*}} step %[[C2]] iter_args(%[[S:.*]] = %{{.*}})
  // CHECK-NEXT:    arith.addi %[[E0]], %[[C1]]
  // CHECK:         %[[SA:.*]] = arith.addf %[[S]], %{{.*}} : vector<8xf32>
  // CHECK:         %[[SB:.*]] = arith.addf %[[SA]], %{{.*}} : vector<8xf32>
  // CHECK-NEXT:    scf.yield %[[SB]]
  // CHECK:       scf.for {{.*}} step %[[C1]] iter_args(%{{.*}} = %[[PAIRS]])
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) schedule<row_parallel, tile = 8, unroll = 2, vec = 8> : memref<?x8xf32>, memref<?x8xf32>
  return
}

// Four edges share the sums across lanes: 4 vectors of 8 become 2 with 3
// shuffled additions, then one with the sums. Results and edge values are
// vectors. A single edge is added up in the same order.
// CHECK-LABEL: func @sddmm
// CHECK-SAME:    %[[W:[a-z0-9]+]]: memref<?xf32>, %{{.*}}: memref<?x8xf32>, %{{.*}}: memref<?x8xf32>, %[[O:[a-z0-9]+]]: memref<?xf32>
func.func @sddmm(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %w: memref<?xf32>, %q: memref<?x8xf32>,
                 %k: memref<?x8xf32>, %o: memref<?xf32>) {
  // CHECK:       scf.for {{.*}} step %c4
  // CHECK-COUNT-4: arith.mulf {{.*}} : vector<8xf32>
  // CHECK:         vector.shuffle %[[A:.*]], %[[B:.*]] [0, 1, 2, 3, 8, 9, 10, 11]
  // CHECK-NEXT:    vector.shuffle %[[A]], %[[B]] [4, 5, 6, 7, 12, 13, 14, 15]
  // CHECK-NEXT:    arith.addf
  // CHECK:         vector.shuffle {{.*}} [0, 1, 4, 5, 8, 9, 12, 13]
  // CHECK-NEXT:    vector.shuffle {{.*}} [2, 3, 6, 7, 10, 11, 14, 15]
  // CHECK-NEXT:    arith.addf
  // CHECK:         vector.shuffle {{.*}} [0, 2, 4, 6]
  // CHECK-NEXT:    vector.shuffle {{.*}} [1, 3, 5, 7]
  // CHECK-NEXT:    %[[SUMS:.*]] = arith.addf {{.*}} : vector<4xf32>
  // CHECK:         %[[WS:.*]] = vector.load %[[W]]
  // CHECK-NEXT:    %[[R:.*]] = arith.mulf %[[WS]], %[[SUMS]]
  // CHECK-NEXT:    vector.store %[[R]], %[[O]]
  // CHECK:       scf.for {{.*}} step %c1
  // CHECK-NOT:     vector.reduction
  // CHECK:         memref.store
  autosage.sddmm dot on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%w : memref<?xf32>], %q, %k
      outs(%o) schedule<row_parallel, tile = 8, unroll = 4, vec = 8> : memref<?x8xf32>, memref<?x8xf32>, memref<?xf32>
  return
}
