// Kernels read positions and coordinates as plain arrays: a strided one is
// copied first, in whichever form it comes.
//
// RUN: autosage-opt %s --one-shot-bufferize -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @strided_colind
// CHECK-SAME: %[[BASE:[^:]*]]: memref<?xi32, strided<[?], offset: ?>>
// CHECK: %[[N:.*]] = memref.dim %[[BASE]]
// CHECK: %[[COPY:.*]] = memref.alloc(%[[N]]) {{.*}} : memref<?xi32>
// CHECK: memref.copy %[[BASE]], %[[COPY]]
// CHECK: autosage.spmm sum on(%{{.*}}, %[[COPY]], %{{.*}} : memref<?xi32, strided<[1], offset: ?>>, memref<?xi32>, index)
func.func @strided_colind(%base: memref<?xi32, strided<[?], offset: ?>>, %rowptr: memref<?xi32, strided<[1], offset: ?>>, %n: index,
                          %xb: memref<?x8xf32, strided<[?, ?], offset: ?>>, %yb: memref<?x8xf32>) -> tensor<?x8xf32> {
  %ci = bufferization.to_tensor %base restrict : memref<?xi32, strided<[?], offset: ?>> to tensor<?xi32>
  %rp = bufferization.to_tensor %rowptr restrict : memref<?xi32, strided<[1], offset: ?>> to tensor<?xi32>
  %x = bufferization.to_tensor %xb restrict : memref<?x8xf32, strided<[?, ?], offset: ?>> to tensor<?x8xf32>
  %y0 = bufferization.to_tensor %yb restrict writable : memref<?x8xf32> to tensor<?x8xf32>
  %y = autosage.spmm sum on(%rp, %ci, %n : tensor<?xi32>, tensor<?xi32>, index), %x outs(%y0) : tensor<?x8xf32> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

// CHECK-LABEL: func.func @strided_rowptr
// CHECK: %[[COPY:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?xi32>
// CHECK: memref.copy %{{.*}}, %[[COPY]] : memref<?xi32, strided<[?], offset: ?>> to memref<?xi32>
// CHECK: autosage.count_tasks %[[COPY]] {chunk = 4 : i64} : memref<?xi32>
func.func @strided_rowptr(%base: memref<?xi32, strided<[?], offset: ?>>) -> index {
  %rp = bufferization.to_tensor %base restrict : memref<?xi32, strided<[?], offset: ?>> to tensor<?xi32>
  %0 = autosage.count_tasks %rp {chunk = 4 : i64} : tensor<?xi32>
  return %0 : index
}

// -----

// A strided output is written into a plain array, and copied back.
// CHECK-LABEL: func.func @strided_outs
// CHECK-SAME: %[[OUT:[^:]*]]: memref<?x4xi32, strided<[?, ?], offset: ?>>
// CHECK: %[[PLAIN:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?x4xi32>
// CHECK: autosage.build_tasks stored on({{.*}}) outs(%[[PLAIN]])
// CHECK: memref.copy %[[PLAIN]], %[[OUT]]
func.func @strided_outs(%out: memref<?x4xi32, strided<[?, ?], offset: ?>>, %rowptr: memref<?xi32>, %n: index) -> tensor<?x4xi32> {
  %t0 = bufferization.to_tensor %out restrict writable : memref<?x4xi32, strided<[?, ?], offset: ?>> to tensor<?x4xi32>
  %rp = bufferization.to_tensor %rowptr restrict : memref<?xi32> to tensor<?xi32>
  %t = autosage.build_tasks stored on(%rp, %rp, %n : tensor<?xi32>, tensor<?xi32>, index) outs(%t0) {chunk = 4 : i64} : -> tensor<?x4xi32>
  return %t : tensor<?x4xi32>
}
