// RUN: autosage-opt %s --pass-pipeline='builtin.module(func.func(convert-autosage-to-cpu,canonicalize,cse))' | FileCheck %s

// Parts of equal length, found by bisection in the row positions; what a part
// has of a cut row goes to the slot of the part and is merged afterwards, in
// the order of the parts.
// CHECK-LABEL: func @spmm
// CHECK-SAME:    %[[RP:.*]]: memref<?xi32>, %[[CI:.*]]: memref<?xi32>, %{{.*}}: index, %{{.*}}: memref<?x16xf32>, %[[Y:.*]]: memref<?x16xf32>
func.func @spmm(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %x: memref<?x16xf32>, %y: memref<?x16xf32>) {
  // CHECK-DAG:   %[[PARTS:.*]] = arith.constant 24 : index
  // CHECK-DAG:   %[[PLACES:.*]] = memref.alloc() : memref<25x2xindex>
  // CHECK-DAG:   %[[PARTIALS:.*]] = memref.alloc() : memref<48x16xf32>
  // CHECK:       scf.parallel (%[[PART:.*]]) = {{.*}} to (%[[PARTS]])
  // CHECK:         scf.while
  // CHECK:           memref.load %[[RP]]
  // CHECK:         scf.for
  // CHECK:           %[[CUT:.*]] = arith.ori
  // CHECK:           scf.for {{.*}} -> (vector<16xf32>)
  // CHECK:             memref.load %[[CI]]
  // CHECK:           scf.if %[[CUT]] {
  // CHECK-NEXT:        vector.store %{{.*}}, %[[PARTIALS]]
  // CHECK-NEXT:      } else {
  // CHECK-NEXT:        vector.store %{{.*}}, %[[Y]]
  // So few parts are merged by one thread.
  // CHECK:       scf.for {{.*}} to %[[PARTS]]
  // CHECK:         scf.for {{.*}} -> (vector<16xf32>)
  // CHECK:           vector.load %[[PARTIALS]]
  // CHECK:         vector.store %{{.*}}, %[[Y]]
  // CHECK-NOT:   atomic
  // CHECK-DAG:   memref.dealloc %[[PARTIALS]]
  // CHECK-DAG:   memref.dealloc %[[PLACES]]
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) schedule<nnz_parallel, parts = 24, tile = 16, vec = 16> : memref<?x16xf32>, memref<?x16xf32>
  return
}

// The number of parts follows from the work, up to a limit. An edge has its own
// output in sddmm: nothing to merge.
// CHECK-LABEL: func @sddmm
func.func @sddmm(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %q: memref<?x64xf32>, %k: memref<?x64xf32>, %s: memref<?xf32>) {
  // CHECK-DAG:   %[[ENOUGH:.*]] = arith.constant 65536 : index
  // CHECK-DAG:   %[[MOST:.*]] = arith.constant 1024 : index
  // CHECK:       arith.divui %{{.*}}, %[[ENOUGH]]
  // CHECK:       %[[PARTS:.*]] = arith.minsi %{{.*}}, %[[MOST]]
  // CHECK:       scf.parallel (%{{.*}}) = {{.*}} to (%[[PARTS]])
  // CHECK-NOT:   scf.parallel
  autosage.sddmm dot on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %k
      outs(%s) schedule<nnz_parallel> : memref<?x64xf32>, memref<?x64xf32>, memref<?xf32>
  return
}

// Softmax walks over cut rows again, with the row's maximum and sum.
// CHECK-LABEL: func @row_softmax
func.func @row_softmax(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %s: memref<?xf32>, %a: memref<?xf32>) {
  // CHECK:         %[[STATS:.*]] = memref.alloc(%{{.*}}) : memref<?x2x1xf32>
  // CHECK-COUNT-3: scf.parallel
  // CHECK-NOT:     scf.parallel
  // CHECK:         memref.dealloc %[[STATS]]
  autosage.row_softmax on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%s : memref<?xf32>]
      outs(%a) schedule<nnz_parallel> : memref<?xf32>
  return
}
