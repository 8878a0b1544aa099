// Casts that only forget sizes or strides fold into the ops that use them.
//
// RUN: autosage-opt %s --canonicalize -split-input-file | FileCheck %s

// The result gets the size, too.
// CHECK-LABEL: func.func @tensors
// CHECK-SAME: %[[RP:[^:]*]]: tensor<5xi32>, %[[CI:[^:]*]]: tensor<9xi32>, %[[N:[^:]*]]: index, %[[X:[^:]*]]: tensor<4x8xf32>, %[[Y0:[^:]*]]: tensor<4x8xf32>
// CHECK: %[[Y:.*]] = autosage.spmm sum on(%[[RP]], %[[CI]], %[[N]] : tensor<5xi32>, tensor<9xi32>, index), %[[X]] outs(%[[Y0]]) : tensor<4x8xf32> -> tensor<4x8xf32>
// CHECK: tensor.cast %[[Y]] : tensor<4x8xf32> to tensor<?x8xf32>
func.func @tensors(%rp: tensor<5xi32>, %ci: tensor<9xi32>, %n: index, %x: tensor<4x8xf32>, %y0: tensor<4x8xf32>) -> tensor<?x8xf32> {
  %0 = tensor.cast %rp : tensor<5xi32> to tensor<?xi32>
  %1 = tensor.cast %ci : tensor<9xi32> to tensor<?xi32>
  %2 = tensor.cast %x : tensor<4x8xf32> to tensor<?x8xf32>
  %3 = tensor.cast %y0 : tensor<4x8xf32> to tensor<?x8xf32>
  %4 = autosage.spmm sum on(%0, %1, %n : tensor<?xi32>, tensor<?xi32>, index), %2 outs(%3) : tensor<?x8xf32> -> tensor<?x8xf32>
  return %4 : tensor<?x8xf32>
}

// -----

// A cast that adds a size stays: the op relies on it.
// CHECK-LABEL: func.func @tensors_that_gain
// CHECK: %[[X:.*]] = tensor.cast %{{.*}} : tensor<?x?xf32> to tensor<?x8xf32>
// CHECK: autosage.spmm sum %{{.*}}, %[[X]] outs
func.func @tensors_that_gain(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x?xf32>, %y0: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = tensor.cast %x : tensor<?x?xf32> to tensor<?x8xf32>
  %1 = autosage.spmm sum %p, %0 outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}

// -----

// CHECK-LABEL: func.func @buffers
// CHECK-NOT: memref.cast
// CHECK: autosage.spmm sum on(%{{.*}}, %{{.*}}, %{{.*}} : memref<5xi32>, memref<9xi32>, index), %{{.*}} outs(%{{.*}}) : memref<4x8xf32>, memref<4x8xf32>
func.func @buffers(%rp: memref<5xi32>, %ci: memref<9xi32>, %n: index, %x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  %0 = memref.cast %rp : memref<5xi32> to memref<?xi32>
  %1 = memref.cast %ci : memref<9xi32> to memref<?xi32>
  %2 = memref.cast %x : memref<4x8xf32> to memref<?x8xf32, strided<[?, 1], offset: ?>>
  %3 = memref.cast %y : memref<4x8xf32> to memref<?x8xf32>
  autosage.spmm sum on(%0, %1, %n : memref<?xi32>, memref<?xi32>, index), %2 outs(%3) : memref<?x8xf32, strided<[?, 1], offset: ?>>, memref<?x8xf32>
  return
}

// -----

// Casts that promise what their source does not say stay: here that the arrays
// are contiguous, without which the op is invalid.
// CHECK-LABEL: func.func @buffers_that_gain_strides
// CHECK: %[[RP:.*]] = memref.cast %{{.*}} : memref<?xi32, strided<[?], offset: ?>> to memref<?xi32>
// CHECK: %[[CI:.*]] = memref.cast %{{.*}} : memref<?xi32, strided<[?], offset: ?>> to memref<?xi32, strided<[1], offset: ?>>
// CHECK: autosage.spmm sum on(%[[RP]], %[[CI]], %{{.*}} : memref<?xi32>, memref<?xi32, strided<[1], offset: ?>>, index)
func.func @buffers_that_gain_strides(%rp: memref<?xi32, strided<[?], offset: ?>>, %ci: memref<?xi32, strided<[?], offset: ?>>, %n: index,
                                     %x: memref<?x8xf32>, %y: memref<?x8xf32>) {
  %0 = memref.cast %rp : memref<?xi32, strided<[?], offset: ?>> to memref<?xi32>
  %1 = memref.cast %ci : memref<?xi32, strided<[?], offset: ?>> to memref<?xi32, strided<[1], offset: ?>>
  autosage.spmm sum on(%0, %1, %n : memref<?xi32>, memref<?xi32, strided<[1], offset: ?>>, index), %x outs(%y) : memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

// CHECK-LABEL: func.func @tasks
// CHECK: %[[T:.*]] = memref.cast %{{.*}} : memref<?x?xi32> to memref<?x4xi32>
// CHECK: autosage.build_tasks stored on(%{{.*}}, %{{.*}}, %{{.*}} : memref<5xi32>, memref<9xi32>, index) outs(%[[T]])
func.func @tasks(%rp: memref<5xi32>, %ci: memref<9xi32>, %n: index, %tasks: memref<?x?xi32>) {
  %0 = memref.cast %rp : memref<5xi32> to memref<?xi32>
  %1 = memref.cast %ci : memref<9xi32> to memref<?xi32>
  %2 = memref.cast %tasks : memref<?x?xi32> to memref<?x4xi32>
  autosage.build_tasks stored on(%0, %1, %n : memref<?xi32>, memref<?xi32>, index) outs(%2) {chunk = 4 : i64} : memref<?x4xi32>
  return
}
