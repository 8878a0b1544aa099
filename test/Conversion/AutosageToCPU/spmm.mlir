// RUN: autosage-opt %s --pass-pipeline='builtin.module(func.func(convert-autosage-to-cpu,canonicalize,cse))' | FileCheck %s

// Rows in parallel blocks of `grain`, accumulators carried over the edges of a
// row, weight and column loaded once an edge; no mask for whole vectors.
// CHECK-LABEL: func @sum_static
// CHECK-SAME:    %[[RP:.*]]: memref<?xi32>, %[[CI:.*]]: memref<?xi64>, %{{.*}}: index, %[[W:.*]]: memref<?xf32>, %[[X:.*]]: memref<?x32xf32>, %[[Y:.*]]: memref<?x32xf32>
func.func @sum_static(%rp: memref<?xi32>, %ci: memref<?xi64>, %n: index, %w: memref<?xf32>,
                      %x: memref<?x32xf32>, %y: memref<?x32xf32>) {
  // CHECK-DAG:   %[[GRAIN:.*]] = arith.constant 8 : index
  // CHECK:       scf.parallel {{.*}} step (%[[GRAIN]])
  // CHECK:         scf.for %[[ROW:[a-z0-9]+]] =
  // CHECK:           %[[SUMS:.*]]:2 = scf.for %[[EDGE:[a-z0-9]+]] = {{.*}} iter_args(%[[S0:.*]] = {{.*}}, %[[S1:.*]] = {{.*}}) -> (vector<16xf32>, vector<16xf32>)
  // CHECK-NEXT:        %[[CRD:.*]] = memref.load %[[CI]][%[[EDGE]]] : memref<?xi64>
  // CHECK-NEXT:        %[[COL:.*]] = arith.index_cast %[[CRD]] : i64 to index
  // CHECK-NEXT:        %[[VALUE:.*]] = memref.load %[[W]][%[[EDGE]]]
  // CHECK-NEXT:        %[[WEIGHT:.*]] = vector.broadcast %[[VALUE]]
  // CHECK-NEXT:        %[[X0:.*]] = vector.load %[[X]][%[[COL]], %{{.*}}] {alignment = 4 : i64}
  // CHECK-NEXT:        %[[N0:.*]] = vector.fma %[[WEIGHT]], %[[X0]], %[[S0]]
  // CHECK-NEXT:        %[[X1:.*]] = vector.load %[[X]][%[[COL]], %{{.*}}] {alignment = 4 : i64}
  // CHECK-NEXT:        %[[N1:.*]] = vector.fma %[[WEIGHT]], %[[X1]], %[[S1]]
  // CHECK-NEXT:        scf.yield %[[N0]], %[[N1]]
  // CHECK:           vector.store %[[SUMS]]#0, %[[Y]][%[[ROW]], %{{.*}}] {alignment = 4 : i64}
  // CHECK-NEXT:      vector.store %[[SUMS]]#1, %[[Y]]
  // CHECK-NOT:   mask
  // CHECK:       return
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi64>, index)[%w : memref<?xf32>], %x
      outs(%y) schedule<row_parallel, grain = 8, tile = 32, vec = 16> : memref<?x32xf32>, memref<?x32xf32>
  return
}

// A static rest shares one walk with the last full vectors; only a width that
// is no power of two needs a mask.
// CHECK-LABEL: func @static_rest
func.func @static_rest(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index,
                       %x: memref<?x13xf32>, %y: memref<?x13xf32>) {
  // CHECK-DAG:   %[[MASK:.*]] = vector.constant_mask [5] : vector<8xi1>
  // CHECK:       scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>)
  // CHECK:         vector.load
  // CHECK:         arith.addf
  // CHECK:         vector.maskedload %{{.*}}[%{{.*}}, %{{.*}}], %[[MASK]]
  // CHECK:         arith.addf
  // CHECK:       vector.store
  // CHECK:       vector.maskedstore %{{.*}}[%{{.*}}, %{{.*}}], %[[MASK]]
  // CHECK-NOT:   scf.for
  // CHECK:       return
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) schedule<row_parallel, tile = 32, vec = 8> : memref<?x13xf32>, memref<?x13xf32>
  return
}

// CHECK-LABEL: func @static_rest_power_of_two
func.func @static_rest_power_of_two(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index,
                                    %x: memref<?x12xf64>, %y: memref<?x12xf64>) {
  // CHECK-NOT:   mask
  // CHECK:       scf.for {{.*}} -> (vector<8xf64>, vector<4xf64>)
  // CHECK:         vector.load {{.*}} {alignment = 8 : i64}
  // CHECK-NOT:   mask
  // CHECK:       return
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) schedule<row_parallel, tile = 32, vec = 8> : memref<?x12xf64>, memref<?x12xf64>
  return
}

// A dynamic width: tiles, single vectors, one masked tail under a condition.
// CHECK-LABEL: func @max_dynamic
func.func @max_dynamic(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %w: memref<?xf32>,
                       %x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  // CHECK-DAG:   %[[LOWEST:.*]] = arith.constant dense<0xFF800000> : vector<8xf32>
  // CHECK-DAG:   %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<8xf32>
  // CHECK:       %[[MASK:.*]] = vector.create_mask
  // CHECK:       %[[MAX:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[LOWEST]], %{{.*}} = %[[LOWEST]])
  // CHECK:         arith.mulf
  // CHECK:         arith.maximumf
  // CHECK:       %[[EMPTY:.*]] = arith.cmpi eq
  // CHECK:       %[[RESULT:.*]] = arith.select %[[EMPTY]], %[[ZERO]], %[[MAX]]#0
  // CHECK:       vector.store %[[RESULT]]
  // CHECK:       scf.for {{.*}} -> (vector<8xf32>)
  // CHECK:         vector.load
  // CHECK:       scf.if
  // CHECK:         vector.maskedload {{.*}}, %[[MASK]]
  // CHECK:         arith.maximumf
  // CHECK:         vector.maskedstore {{.*}}, %[[MASK]]
  autosage.spmm max on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%w : memref<?xf32>], %x
      outs(%y) schedule<row_parallel, tile = 16, vec = 8> : memref<?x?xf32>, memref<?x?xf32>
  return
}

// CHECK-LABEL: func @min
func.func @min(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %x: memref<?x4xf32>, %y: memref<?x4xf32>) {
  // CHECK:       arith.constant dense<0x7F800000> : vector<4xf32>
  // CHECK:       arith.minimumf
  autosage.spmm min on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) : memref<?x4xf32>, memref<?x4xf32>
  return
}

// CHECK-LABEL: func @mean_accumulate
// CHECK-SAME:    %[[Y:[a-z0-9]+]]: memref<?x4xf32>) {
func.func @mean_accumulate(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %x: memref<?x4xf32>,
                           %y: memref<?x4xf32>) {
  // CHECK:       arith.maxsi
  // CHECK:       %[[MEAN:.*]] = arith.divf
  // CHECK:       %[[OLD:.*]] = vector.load %[[Y]]
  // CHECK:       %[[NEW:.*]] = arith.addf %[[OLD]], %[[MEAN]]
  // CHECK:       vector.store %[[NEW]], %[[Y]]
  autosage.spmm mean on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) {accumulate} : memref<?x4xf32>, memref<?x4xf32>
  return
}

// Without a unit inner stride: scalar loads, no vector memory access.
// CHECK-LABEL: func @strided
func.func @strided(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index,
                   %x: memref<?x4xf32, strided<[?, ?]>>, %y: memref<?x4xf32>) {
  // CHECK-NOT:   vector.load
  // CHECK:       memref.load {{.*}} : memref<?x4xf32, strided<[?, ?]>>
  // CHECK-NOT:   vector.load
  // CHECK-NOT:   vector.store
  // CHECK:       return
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) : memref<?x4xf32, strided<[?, ?]>>, memref<?x4xf32>
  return
}

// f16 widens to f32 accumulators and narrows once.
// CHECK-LABEL: func @half
func.func @half(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %w: memref<?xf16>,
                %x: memref<?x8xf16>, %y: memref<?x8xf16>) {
  // CHECK:       vector.load {{.*}} {alignment = 2 : i64} : memref<?x8xf16>, vector<8xf16>
  // CHECK-NEXT:  arith.extf {{.*}} : vector<8xf16> to vector<8xf32>
  // CHECK-NEXT:  vector.fma {{.*}} : vector<8xf32>
  // CHECK:       arith.truncf {{.*}} : vector<8xf32> to vector<8xf16>
  // CHECK-NEXT:  vector.store
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%w : memref<?xf16>], %x
      outs(%y) : memref<?x8xf16>, memref<?x8xf16>
  return
}

// Edge values of a dynamic number of heads: one or all, decided at run time.
// CHECK-LABEL: func @heads
// CHECK-SAME:    %[[W:[a-z0-9]+]]: memref<?x?xf32>, %{{.*}}: memref<?x3x8xf32>
func.func @heads(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %w: memref<?x?xf32>,
                 %x: memref<?x3x8xf32>, %y: memref<?x3x8xf32>) {
  // CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG:   %[[C3:.*]] = arith.constant 3 : index
  // CHECK:       scf.for %[[HEAD:[a-z0-9]+]] = %[[C0]] to %[[C3]]
  // CHECK:         %[[SINGLE:.*]] = arith.cmpi eq
  // CHECK-NEXT:    %[[COLUMN:.*]] = arith.select %[[SINGLE]], %[[C0]], %[[HEAD]]
  // CHECK:         scf.for %[[EDGE:[a-z0-9]+]] =
  // CHECK:           memref.load %[[W]][%[[EDGE]], %[[COLUMN]]]
  // CHECK:           vector.load %{{.*}}[%{{.*}}, %[[HEAD]], %[[C0]]]
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%w : memref<?x?xf32>], %x
      outs(%y) : memref<?x3x8xf32>, memref<?x3x8xf32>
  return
}

// The transposed product gathers through transposed arrays; no atomics.
// CHECK-LABEL: func @transpose
// CHECK-SAME:    %[[N:[a-z0-9]+]]: index, %[[W:[a-z0-9]+]]: memref<?xf32>, %[[X:[a-z0-9]+]]: memref<?x8xf32>
func.func @transpose(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %w: memref<?xf32>,
                     %x: memref<?x8xf32>, %y: memref<?x8xf32>) {
  // CHECK:       %[[TRP:.*]] = memref.alloc(%{{.*}}) : memref<?xi32>
  // CHECK:       %[[TCI:.*]] = memref.alloc(%{{.*}}) : memref<?xindex>
  // CHECK:       %[[PERM:.*]] = memref.alloc(%{{.*}}) : memref<?xi32>
  // CHECK-NOT:   atomic
  // CHECK:       scf.parallel (%{{.*}}) = (%{{.*}}) to (%[[N]])
  // CHECK:         %[[ROW:.*]] = memref.load %[[TCI]]
  // CHECK:         %[[PLACE32:.*]] = memref.load %[[PERM]]
  // CHECK:         %[[PLACE:.*]] = arith.index_cast %[[PLACE32]]
  // CHECK:         memref.load %[[W]][%[[PLACE]]]
  // CHECK:         vector.load %[[X]][%[[ROW]],
  // CHECK-DAG:   memref.dealloc %[[TRP]]
  // CHECK-DAG:   memref.dealloc %[[TCI]]
  // CHECK-DAG:   memref.dealloc %[[PERM]]
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%w : memref<?xf32>], %x
      outs(%y) {transpose} : memref<?x8xf32>, memref<?x8xf32>
  return
}
