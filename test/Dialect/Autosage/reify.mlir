// Sizes of results in terms of operands.
//
// RUN: autosage-opt %s --resolve-ranked-shaped-type-result-dims --cse --canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @spmm
// CHECK-SAME: %[[Y0:[^:]*]]: tensor<?x?x8xf32>
// CHECK-NOT: autosage.spmm
// CHECK-DAG: %[[R:.*]] = tensor.dim %[[Y0]], %c0
// CHECK-DAG: %[[H:.*]] = tensor.dim %[[Y0]], %c1
// CHECK: return %[[R]], %[[H]]
func.func @spmm(%y0: tensor<?x?x8xf32>, %p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x?x8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x?x8xf32> -> tensor<?x?x8xf32>
  %0 = tensor.dim %y, %c0 : tensor<?x?x8xf32>
  %1 = tensor.dim %y, %c1 : tensor<?x?x8xf32>
  return %0, %1 : index, index
}

// -----

// CHECK-LABEL: func.func @attention
// CHECK-SAME: %{{.*}}: tensor<?x8xf32>, %[[L0:[^:]*]]: tensor<?xf32>
// CHECK-NOT: autosage.attention
// CHECK: %[[R:.*]] = tensor.dim %[[L0]], %c0
// CHECK: return %[[R]]
func.func @attention(%o0: tensor<?x8xf32>, %l0: tensor<?xf32>, %p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>) -> index {
  %c0 = arith.constant 0 : index
  %o, %l = autosage.attention dot %p, %x, %x, %x outs(%o0, %l0)
      : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?x8xf32>, tensor<?xf32>
  %0 = tensor.dim %l, %c0 : tensor<?xf32>
  return %0 : index
}

// -----

// The permutation of a transposed pattern has one entry for each nonzero.
// CHECK-LABEL: func.func @transpose
// CHECK-SAME: %[[P:[^:]*]]:
// CHECK-NEXT: %[[NNZ:.*]] = autosage.dim nnz %[[P]]
// CHECK-NEXT: return %[[NNZ]]
func.func @transpose(%p: !autosage.pattern<?x?, i32, i32>) -> index {
  %c0 = arith.constant 0 : index
  %t, %perm = autosage.transpose %p : !autosage.pattern<?x?, i32, i32>
  %0 = tensor.dim %perm, %c0 : tensor<?xi32>
  return %0 : index
}

// -----

// CHECK-LABEL: func.func @build_tasks
// CHECK-SAME: %[[T0:[^:]*]]: tensor<?x4xi32>
// CHECK-NOT: autosage.build_tasks
// CHECK: %[[N:.*]] = tensor.dim %[[T0]], %c0
// CHECK: return %[[N]]
func.func @build_tasks(%t0: tensor<?x4xi32>, %rp: tensor<?xi32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %t = autosage.build_tasks stored on(%rp, %rp, %n : tensor<?xi32>, tensor<?xi32>, index) outs(%t0) {chunk = 4 : i64} : -> tensor<?x4xi32>
  %0 = tensor.dim %t, %c0 : tensor<?x4xi32>
  return %0 : index
}
