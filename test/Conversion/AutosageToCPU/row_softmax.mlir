// RUN: autosage-opt %s --pass-pipeline='builtin.module(func.func(convert-autosage-to-cpu,canonicalize,cse))' | FileCheck %s

// One value an edge: vectors run along the edges. A maximum of -inf is not
// subtracted, and its row gets the factor 0.
// CHECK-LABEL: func @edges
// CHECK-SAME:    %[[S:[a-z0-9]+]]: memref<?xf32>, %[[A:[a-z0-9]+]]: memref<?xf32>
func.func @edges(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %s: memref<?xf32>, %a: memref<?xf32>) {
  // CHECK-DAG:   %[[LOWEST:.*]] = arith.constant 0xFF800000 : f32
  // CHECK-DAG:   %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK:       vector.load %[[S]]
  // CHECK:       arith.maximumf
  // CHECK:       vector.maskedload %[[S]]
  // CHECK:       %[[MAX:.*]] = vector.reduction <maximumf>
  // CHECK:       %[[DEAD:.*]] = arith.cmpf oeq, %[[MAX]], %[[LOWEST]]
  // CHECK:       %[[SHIFT:.*]] = arith.select %[[DEAD]], %[[ZERO]], %[[MAX]]
  // CHECK:       vector.broadcast %[[SHIFT]]
  // CHECK:       math.exp {{.*}} : vector<16xf32>
  // CHECK:       vector.store %{{.*}}, %[[A]]
  // CHECK:       vector.reduction <add>
  // CHECK:       arith.select %[[DEAD]], %[[ZERO]],
  // CHECK:       vector.load %[[A]]
  // CHECK-NEXT:  arith.mulf
  // CHECK-NEXT:  vector.store %{{.*}}, %[[A]]
  autosage.row_softmax on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%s : memref<?xf32>]
      outs(%a) : memref<?xf32>
  return
}

// Several heads: vectors run along the heads.
// CHECK-LABEL: func @heads
func.func @heads(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %s: memref<?x8xf32>, %a: memref<?x8xf32>) {
  // CHECK-NOT:   mask
  // CHECK:       arith.maximumf {{.*}} : vector<8xf32>
  // CHECK:       math.exp {{.*}} : vector<8xf32>
  // CHECK-NOT:   vector.reduction
  // CHECK:       return
  autosage.row_softmax on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%s : memref<?x8xf32>]
      outs(%a) : memref<?x8xf32>
  return
}

// Exponentials that f16 would round are computed again instead of parked.
// CHECK-LABEL: func @half
func.func @half(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %s: memref<?x8xf16>, %a: memref<?x8xf16>) {
  // CHECK:         math.exp
  // CHECK-NEXT:    arith.addf
  // CHECK-NEXT:    scf.yield
  // CHECK:         math.exp
  // CHECK-NEXT:    arith.mulf
  // CHECK-NEXT:    arith.truncf
  // CHECK-NEXT:    vector.store
  autosage.row_softmax on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%s : memref<?x8xf16>]
      outs(%a) : memref<?x8xf16>
  return
}
