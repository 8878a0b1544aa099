// Every form of autosage.row_softmax, in text, in generic form and in bytecode.
//
// RUN: autosage-opt %s --verify-roundtrip | FileCheck %s
// RUN: autosage-opt %s | autosage-opt | FileCheck %s
// RUN: autosage-opt %s | not grep -E '[^ ]  '
// RUN: autosage-opt %s --mlir-print-op-generic | autosage-opt | FileCheck %s
// RUN: autosage-opt %s --emit-bytecode | autosage-opt | FileCheck %s

// CHECK-LABEL: func.func @pattern
func.func @pattern(%p: !autosage.pattern<?x?, i32, i32>, %s: tensor<?xf32>, %a0: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK: autosage.row_softmax %{{.*}}[%{{.*}} : tensor<?xf32>] outs(%{{.*}}) stats<max = 3> schedule<row_parallel, vec = 8> decision<probe, ms = 2.500000e-01, runs = 3> {scale = 5.000000e-01 : f32} : !autosage.pattern<?x?, i32, i32> -> tensor<?xf32>
  %0 = autosage.row_softmax %p[%s : tensor<?xf32>] outs(%a0) stats<max = 3> schedule<row_parallel, vec = 8>
      decision<probe, runs = 3, ms = 0.25> {scale = 0.5 : f32} : !autosage.pattern<?x?, i32, i32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// On arrays nothing stands between the colon and the arrow.
// CHECK-LABEL: func.func @arrays
func.func @arrays(%rp: tensor<?xi64>, %ci: tensor<?xi32>, %tasks: tensor<?x4xi64>, %n: index, %s: tensor<?x2xf16>, %a0: tensor<?x2xf32>) -> tensor<?x2xf32> {
  // CHECK: autosage.row_softmax on(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<?xi64>, tensor<?xi32>, tensor<?x4xi64>, index)[%{{.*}} : tensor<?x2xf16>] outs(%{{.*}}) layout<tasks<64, stored>> : -> tensor<?x2xf32>
  %0 = autosage.row_softmax on(%rp, %ci, %tasks, %n : tensor<?xi64>, tensor<?xi32>, tensor<?x4xi64>, index)[%s : tensor<?x2xf16>]
      outs(%a0) layout<tasks<64, stored>> : -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// The output may be exactly the logits.
// CHECK-LABEL: func.func @in_place
// CHECK-SAME: %[[S:[^:]*]]: memref<?xf64>
func.func @in_place(%s: memref<?xf64>, %rp: memref<?xi32>, %ci: memref<?xi32>, %n: index) {
  // CHECK: autosage.row_softmax on(%{{.*}}, %{{.*}}, %{{.*}} : memref<?xi32>, memref<?xi32>, index)[%[[S]] : memref<?xf64>] outs(%[[S]]) : memref<?xf64>
  autosage.row_softmax on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%s : memref<?xf64>] outs(%s) : memref<?xf64>
  return
}
