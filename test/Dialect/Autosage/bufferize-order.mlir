// Bufferization sees every read of rowptr and colind, so that no write and no
// free moves before the op that reads them.
//
// RUN: autosage-opt %s --autosage-expand-pattern --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --canonicalize -split-input-file | FileCheck %s

// A store into rowptr after the op: in place, and after it.
// CHECK-LABEL: func.func @store_after
// CHECK-SAME: %[[RP:[^:]*]]: memref<?xi32>
// CHECK-NOT: memref.alloc
// CHECK: autosage.spmm sum on(%[[RP]],
// CHECK-NEXT: memref.store %{{.*}}, %[[RP]]
// CHECK: return %{{.*}}, %[[RP]]
func.func @store_after(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>, %v: i32, %i: index)
    -> (tensor<?x8xf32>, tensor<?xi32>) {
  %p = autosage.pattern %rp, %ci, %n : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  %y = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  %stored = tensor.insert %v into %rp[%i] : tensor<?xi32>
  return %y, %stored : tensor<?x8xf32>, tensor<?xi32>
}

// -----

// A store before the op that the pattern does not see: into a copy.
// CHECK-LABEL: func.func @store_before
// CHECK-SAME: %[[RP:[^:]*]]: memref<?xi32>
// CHECK: %[[COPY:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?xi32>
// CHECK: memref.copy %[[RP]], %[[COPY]]
// CHECK: memref.store %{{.*}}, %[[COPY]]
// CHECK: autosage.spmm sum on(%[[RP]],
// CHECK: return %{{.*}}, %[[COPY]]
func.func @store_before(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>, %v: i32, %i: index)
    -> (tensor<?x8xf32>, tensor<?xi32>) {
  %p = autosage.pattern %rp, %ci, %n : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  %stored = tensor.insert %v into %rp[%i] : tensor<?xi32>
  %y = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return %y, %stored : tensor<?x8xf32>, tensor<?xi32>
}

// -----

// Between two ops on one pattern: the second still sees the old array.
// CHECK-LABEL: func.func @store_between
// CHECK-SAME: %[[RP:[^:]*]]: memref<?xi32>, %[[CI:[^:]*]]: memref<?xi32>
// CHECK: autosage.spmm sum on(%[[RP]], %[[CI]],
// CHECK: %[[COPY:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?xi32>
// CHECK: memref.copy %[[CI]], %[[COPY]]
// CHECK: memref.store %{{.*}}, %[[COPY]]
// CHECK: autosage.spmm max on(%[[RP]], %[[CI]],
func.func @store_between(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>, %z0: tensor<?x8xf32>, %v: i32, %i: index)
    -> (tensor<?x8xf32>, tensor<?xi32>) {
  %p = autosage.pattern %rp, %ci, %n : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  %y = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  %stored = tensor.insert %v into %ci[%i] : tensor<?xi32>
  %z = autosage.spmm max %p, %y outs(%z0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return %z, %stored : tensor<?x8xf32>, tensor<?xi32>
}

// -----

// The array is freed after the op that reads it, not before.
// CHECK-LABEL: func.func @free_after
// CHECK: %[[RP:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?xi32>
// CHECK: autosage.spmm sum on(%[[RP]],
// CHECK: memref.dealloc %[[RP]]
func.func @free_after(%positions: index, %v: i32, %ci: tensor<?xi32>, %n: index, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %empty = bufferization.alloc_tensor(%positions) : tensor<?xi32>
  %rp = linalg.fill ins(%v : i32) outs(%empty : tensor<?xi32>) -> tensor<?xi32>
  %p = autosage.pattern %rp, %ci, %n : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  %y = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  bufferization.dealloc_tensor %rp : tensor<?xi32>
  return %y : tensor<?x8xf32>
}
