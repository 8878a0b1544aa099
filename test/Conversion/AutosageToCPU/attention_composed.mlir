// RUN: autosage-opt %s --pass-pipeline='builtin.module(func.func(convert-autosage-to-cpu,canonicalize,cse))' | FileCheck %s

// Three loops over all rows, with a logit of every edge and head between them,
// and the maximum and the sum of every row and head.
// CHECK-LABEL: func @composed
// CHECK-SAME:    %[[CI:[a-z0-9]+]]: memref<?xi32>, %[[N:[a-z0-9]+]]: index, %[[Q:[a-z0-9]+]]: memref<?x2x16xf16>
func.func @composed(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %q: memref<?x2x16xf16>,
                    %k: memref<?x2x16xf16>, %v: memref<?x2x16xf16>, %o: memref<?x2x16xf16>) {
  // CHECK:       %[[EDGES:.*]] = memref.dim %[[CI]]
  // CHECK:       %[[SIZE:.*]] = arith.muli %[[EDGES]], %c2
  // CHECK:       %[[WEIGHTS:.*]] = memref.alloc(%[[SIZE]]) : memref<?xf32>
  // CHECK:       %[[ROWS:.*]] = memref.alloc({{.*}}) : memref<?x2x2xf32>
  // CHECK:       scf.parallel
  // CHECK:         memref.store %{{.*}}, %[[WEIGHTS]]
  // CHECK:         scf.reduce
  // CHECK:       scf.parallel
  // CHECK:         math.exp
  // CHECK:         vector.store %{{.*}}, %[[WEIGHTS]]
  // CHECK:         memref.store %{{.*}}, %[[ROWS]]
  // CHECK:         scf.reduce
  // CHECK:       scf.parallel
  // CHECK:         memref.load %[[WEIGHTS]]
  // CHECK:         memref.load %[[ROWS]]
  // CHECK:         scf.reduce
  // CHECK:       memref.dealloc %[[ROWS]]
  // CHECK:       memref.dealloc %[[WEIGHTS]]
  autosage.attention dot on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %k, %v
      outs(%o) schedule<row_parallel, attention = composed>
      : memref<?x2x16xf16>, memref<?x2x16xf16>, memref<?x2x16xf16>, memref<?x2x16xf16>
  return
}
