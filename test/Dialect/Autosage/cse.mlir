// Preparations are values: equal ones merge.
//
// RUN: autosage-opt %s --cse | FileCheck %s

!p = !autosage.pattern<?x?, i32, i32>
!t = !autosage.pattern<?x?, i32, i32, tasks<64, stored>>

// CHECK-LABEL: func.func @equal
// CHECK-COUNT-1: autosage.prepare
// CHECK-NOT: autosage.prepare
// CHECK-COUNT-1: autosage.transpose
// CHECK-NOT: autosage.transpose
// CHECK: return
func.func @equal(%p: !p) -> (!t, !t, !p, tensor<?xi32>) {
  %0 = autosage.prepare %p layout<tasks<64, stored>> : !p
  %1 = autosage.prepare %p layout<tasks<64, stored>> : !p
  %2, %perm = autosage.transpose %p : !p
  %3, %perm3 = autosage.transpose %p : !p
  return %0, %1, %2, %perm3 : !t, !t, !p, tensor<?xi32>
}

// CHECK-LABEL: func.func @different
// CHECK: autosage.prepare {{.*}} layout<tasks<64, stored>>
// CHECK: autosage.prepare {{.*}} layout<tasks<64, length>>
func.func @different(%p: !p) -> (!t, !autosage.pattern<?x?, i32, i32, tasks<64, length>>) {
  %0 = autosage.prepare %p layout<tasks<64, stored>> : !p
  %1 = autosage.prepare %p layout<tasks<64, length>> : !p
  return %0, %1 : !t, !autosage.pattern<?x?, i32, i32, tasks<64, length>>
}

// On tensors compute ops are values, too.
// CHECK-LABEL: func.func @compute
// CHECK-COUNT-1: autosage.spmm
// CHECK-NOT: autosage.spmm
// CHECK-LABEL: func.func @buffers
func.func @compute(%p: !p, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %0 = autosage.spmm sum %p, %x outs(%y0) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  %1 = autosage.spmm sum %p, %x outs(%y0) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  return %0, %1 : tensor<?x8xf32>, tensor<?x8xf32>
}

// On buffers they are not: the second adds again.
// CHECK-COUNT-2: {accumulate}
// CHECK: autosage.count_tasks
// CHECK: memref.store
// CHECK: autosage.count_tasks
func.func @buffers(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %x: memref<?x8xf32>, %y: memref<?x8xf32>, %v: i32) -> (index, index) {
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x outs(%y) {accumulate} : memref<?x8xf32>, memref<?x8xf32>
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x outs(%y) {accumulate} : memref<?x8xf32>, memref<?x8xf32>
  %0 = autosage.count_tasks %rp {chunk = 4 : i64} : memref<?xi32>
  memref.store %v, %rp[%n] : memref<?xi32>
  %1 = autosage.count_tasks %rp {chunk = 4 : i64} : memref<?xi32>
  return %0, %1 : index, index
}
