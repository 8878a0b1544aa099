// Every form of autosage.spmm, in text, in generic form and in bytecode.
//
// RUN: autosage-opt %s --verify-roundtrip | FileCheck %s
// RUN: autosage-opt %s | autosage-opt | FileCheck %s
// RUN: autosage-opt %s | not grep -E '[^ ]  '
// RUN: autosage-opt %s --mlir-print-op-generic | autosage-opt | FileCheck %s
// RUN: autosage-opt %s --emit-bytecode | autosage-opt | FileCheck %s

!p = !autosage.pattern<?x?, i32, i32>

// CHECK-LABEL: func.func @reductions
// CHECK-SAME: %[[P:[^:]*]]: !autosage.pattern<?x?, i32, i32>, %[[X:[^:]*]]: tensor<?x?xf32>, %[[Y0:[^:]*]]: tensor<?x?xf32>
func.func @reductions(%p: !p, %x: tensor<?x?xf32>, %y0: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // CHECK: %[[A:.*]] = autosage.spmm sum %[[P]], %[[X]] outs(%[[Y0]]) : !autosage.pattern<?x?, i32, i32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %a = autosage.spmm sum %p, %x outs(%y0) : !p, tensor<?x?xf32> -> tensor<?x?xf32>
  // CHECK: %[[B:.*]] = autosage.spmm mean %[[P]], %[[A]] outs(%[[Y0]]) :
  %b = autosage.spmm mean %p, %a outs(%y0) : !p, tensor<?x?xf32> -> tensor<?x?xf32>
  // CHECK: %[[C:.*]] = autosage.spmm max %[[P]], %[[B]] outs(%[[Y0]]) :
  %c = autosage.spmm max %p, %b outs(%y0) : !p, tensor<?x?xf32> -> tensor<?x?xf32>
  // CHECK: %[[D:.*]] = autosage.spmm min %[[P]], %[[C]] outs(%[[Y0]]) :
  %d = autosage.spmm min %p, %c outs(%y0) : !p, tensor<?x?xf32> -> tensor<?x?xf32>
  // CHECK: return %[[D]]
  return %d : tensor<?x?xf32>
}

// Heads, one edge value for all of them or one for each, and every clause.
// CHECK-LABEL: func.func @clauses
func.func @clauses(%p: !autosage.pattern<4x5, i64, i32>, %w: tensor<?x1xf64>, %wh: tensor<?x2xf64>,
                   %x: tensor<4x2x8xf64>, %y0: tensor<5x2x8xf64>, %z: tensor<5x2x8xf64>, %z0: tensor<4x2x8xf64>)
    -> (tensor<5x2x8xf64>, tensor<4x2x8xf64>) {
  // CHECK: autosage.spmm mean %{{.*}}[%{{.*}} : tensor<?x1xf64>], %{{.*}} outs(%{{.*}})
  // CHECK-SAME: stats<nnz = 9, rows = 4>
  // CHECK-SAME: schedule<row_parallel, grain = 8, tile = 16, vec = 8>
  // CHECK-SAME: decision<user, why = "tuned by hand">
  // CHECK-SAME: {accumulate, transpose} : !autosage.pattern<4x5, i64, i32>, tensor<4x2x8xf64> -> tensor<5x2x8xf64>
  %0 = autosage.spmm mean %p[%w : tensor<?x1xf64>], %x outs(%y0) stats<rows = 4, nnz = 9>
      schedule<row_parallel, vec = 8, tile = 16, grain = 8> decision<user, why = "tuned by hand"> {accumulate, transpose}
      : !autosage.pattern<4x5, i64, i32>, tensor<4x2x8xf64> -> tensor<5x2x8xf64>
  // CHECK: autosage.spmm max %{{.*}}[%{{.*}} : tensor<?x2xf64>]
  %1 = autosage.spmm max %p[%wh : tensor<?x2xf64>], %z outs(%z0) : !autosage.pattern<4x5, i64, i32>, tensor<5x2x8xf64> -> tensor<4x2x8xf64>
  return %0, %1 : tensor<5x2x8xf64>, tensor<4x2x8xf64>
}

// Component arrays on tensors; csr is not written.
// CHECK-LABEL: func.func @arrays
func.func @arrays(%rp: tensor<5xi32>, %ci: tensor<9xi64>, %tasks: tensor<?x4xi32>, %n: index, %w: tensor<9xf16>,
                  %x: tensor<?x3xf16>, %y0: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  // CHECK: autosage.spmm sum on(%{{.*}}, %{{.*}}, %{{.*}} : tensor<5xi32>, tensor<9xi64>, index)[%{{.*}} : tensor<9xf16>], %{{.*}} outs(%{{.*}}) : tensor<?x3xf16> -> tensor<4x3xf32>
  %0 = autosage.spmm sum on(%rp, %ci, %n : tensor<5xi32>, tensor<9xi64>, index)[%w : tensor<9xf16>], %x outs(%y0)
      : tensor<?x3xf16> -> tensor<4x3xf32>
  // CHECK: autosage.spmm sum on(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<5xi32>, tensor<9xi64>, tensor<?x4xi32>, index), %{{.*}} outs(%{{.*}}) layout<tasks<64, locality>> : tensor<?x3xf16> -> tensor<4x3xf32>
  %1 = autosage.spmm sum on(%rp, %ci, %tasks, %n : tensor<5xi32>, tensor<9xi64>, tensor<?x4xi32>, index), %x outs(%y0)
      layout<tasks<64, locality>> : tensor<?x3xf16> -> tensor<4x3xf32>
  return %0, %1 : tensor<4x3xf32>, tensor<4x3xf32>
}

// Buffers; without results the type of outs ends the list.
// CHECK-LABEL: func.func @buffers
func.func @buffers(%rp: memref<?xindex>, %ci: memref<?xindex, strided<[1], offset: ?>>, %n: index, %w: memref<?xbf16, strided<[?]>>,
                   %x: memref<?x8xbf16, strided<[?, 1], offset: ?>>, %y: memref<?x8xbf16>) {
  // CHECK: autosage.spmm min on(%{{.*}}, %{{.*}}, %{{.*}} : memref<?xindex>, memref<?xindex, strided<[1], offset: ?>>, index)[%{{.*}} : memref<?xbf16, strided<[?]>>], %{{.*}} outs(%{{.*}}) : memref<?x8xbf16, strided<[?, 1], offset: ?>>, memref<?x8xbf16>
  autosage.spmm min on(%rp, %ci, %n : memref<?xindex>, memref<?xindex, strided<[1], offset: ?>>, index)[%w : memref<?xbf16, strided<[?]>>], %x
      outs(%y) : memref<?x8xbf16, strided<[?, 1], offset: ?>>, memref<?x8xbf16>
  return
}

// The form that other tools write.
// CHECK-LABEL: func.func @generic
func.func @generic(%rp: memref<5xi32>, %ci: memref<9xi32>, %n: index, %x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  // CHECK: autosage.spmm sum on(%{{.*}}, %{{.*}}, %{{.*}} : memref<5xi32>, memref<9xi32>, index), %{{.*}} outs(%{{.*}}) schedule<row_parallel, vec = 4> {accumulate} : memref<4x8xf32>, memref<4x8xf32>
  "autosage.spmm"(%rp, %ci, %n, %x, %y) <{accumulate, operandSegmentSizes = array<i32: 0, 3, 0, 1, 1>, reduction = #autosage<reduction sum>,
      schedule = #autosage.schedule<row_parallel, vec = 4>}> : (memref<5xi32>, memref<9xi32>, index, memref<4x8xf32>, memref<4x8xf32>) -> ()
  return
}
