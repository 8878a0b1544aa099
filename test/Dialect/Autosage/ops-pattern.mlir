// Ops that make, describe and prepare patterns, in text, in generic form and in
// bytecode.
//
// RUN: autosage-opt %s --verify-roundtrip | FileCheck %s
// RUN: autosage-opt %s | autosage-opt | FileCheck %s
// RUN: autosage-opt %s | not grep -E '[^ ]  '
// RUN: autosage-opt %s --mlir-print-op-generic | autosage-opt | FileCheck %s
// RUN: autosage-opt %s --emit-bytecode | autosage-opt | FileCheck %s

!p = !autosage.pattern<?x?, i32, i32>
#CSR = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 64, crdWidth = 32}>
#CSR8 = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 8, crdWidth = 16}>
#CSR0 = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>

// CHECK-LABEL: func.func @pattern
func.func @pattern(%rp: tensor<5xi64>, %ci: tensor<?xi32>, %n: index) -> (!autosage.pattern<4x?, i64, i32>, !autosage.pattern<4x9, i64, i32>) {
  // CHECK: autosage.pattern %{{.*}}, %{{.*}}, %{{.*}} : tensor<5xi64>, tensor<?xi32> -> <4x?, i64, i32>
  %0 = autosage.pattern %rp, %ci, %n : tensor<5xi64>, tensor<?xi32> -> <4x?, i64, i32>
  // CHECK: autosage.pattern %{{.*}}, %{{.*}}, %{{.*}} stats<mean = 2.250000e+00, nnz = 9> : tensor<5xi64>, tensor<?xi32> -> <4x9, i64, i32>
  %1 = autosage.pattern %rp, %ci, %n stats<nnz = 9, mean = 2.25> : tensor<5xi64>, tensor<?xi32> -> <4x9, i64, i32>
  return %0, %1 : !autosage.pattern<4x?, i64, i32>, !autosage.pattern<4x9, i64, i32>
}

// Narrow positions and coordinates become i32, width 0 is index.
// CHECK-LABEL: func.func @pattern_of
// CHECK-SAME: -> (!autosage.pattern<4x?, i64, i32>, tensor<?xf32>, !autosage.pattern<4x4, i32, i32>, !autosage.pattern<4x4, index, index>)
func.func @pattern_of(%a: tensor<4x?xf32, #CSR>, %b: tensor<4x4xf16, #CSR8>, %c: tensor<4x4xf64, #CSR0>)
    -> (!autosage.pattern<4x?, i64, i32>, tensor<?xf32>, !autosage.pattern<4x4, i32, i32>, !autosage.pattern<4x4, index, index>) {
  // CHECK: %[[P:.*]], %[[V:.*]] = autosage.pattern_of %{{.*}} : tensor<4x?xf32, #
  %p, %v = autosage.pattern_of %a : tensor<4x?xf32, #CSR>
  %p8, %v8 = autosage.pattern_of %b : tensor<4x4xf16, #CSR8>
  %p0, %v0 = autosage.pattern_of %c : tensor<4x4xf64, #CSR0>
  // CHECK: return %[[P]], %[[V]]
  return %p, %v, %p8, %p0 : !autosage.pattern<4x?, i64, i32>, tensor<?xf32>, !autosage.pattern<4x4, i32, i32>, !autosage.pattern<4x4, index, index>
}

// CHECK-LABEL: func.func @describe
// CHECK-SAME: %{{.*}}: !autosage.pattern<?x?, i32, i32> {autosage.stats = #autosage.stats<nnz = 9, rows = 4>}
func.func @describe(%p: !p {autosage.stats = #autosage.stats<rows = 4, nnz = 9>}) -> (!p, index, index, index) {
  // CHECK: autosage.assume_stats %{{.*}} stats<empty_rows = 2> : !autosage.pattern<?x?, i32, i32>
  %0 = autosage.assume_stats %p stats<empty_rows = 2> : !p
  // CHECK: autosage.dim rows %{{.*}} : !autosage.pattern<?x?, i32, i32>
  %1 = autosage.dim rows %p : !p
  // CHECK: autosage.dim cols %{{.*}} : !autosage.pattern<?x?, i32, i32>
  %2 = autosage.dim cols %p : !p
  // CHECK: autosage.dim nnz %{{.*}} : !autosage.pattern<?x?, i32, i32>
  %3 = autosage.dim nnz %p : !p
  return %0, %1, %2, %3 : !p, index, index, index
}

// CHECK-LABEL: func.func @derive
// CHECK-SAME: -> (!autosage.pattern<8x?, i64, i32>, tensor<?xi64>, !autosage.pattern<?x8, i64, i32, tasks<512, length>>)
func.func @derive(%p: !autosage.pattern<?x8, i64, i32>) -> (!autosage.pattern<8x?, i64, i32>, tensor<?xi64>, !autosage.pattern<?x8, i64, i32, tasks<512, length>>) {
  // CHECK: %{{.*}}, %{{.*}} = autosage.transpose %{{.*}} : !autosage.pattern<?x8, i64, i32>
  %t, %perm = autosage.transpose %p : !autosage.pattern<?x8, i64, i32>
  // CHECK: autosage.prepare %{{.*}} layout<tasks<512, length>> : !autosage.pattern<?x8, i64, i32>
  %q = autosage.prepare %p layout<tasks<512, length>> : !autosage.pattern<?x8, i64, i32>
  return %t, %perm, %q : !autosage.pattern<8x?, i64, i32>, tensor<?xi64>, !autosage.pattern<?x8, i64, i32, tasks<512, length>>
}

// CHECK-LABEL: func.func @build_tensors
func.func @build_tensors(%rp: tensor<?xi64>, %ci: tensor<?xi32>, %n: index, %r0: tensor<?xi64>, %c0: tensor<?xi32>, %e0: tensor<?xi64>, %t0: tensor<?x4xi64>)
    -> (tensor<?xi64>, tensor<?xi32>, tensor<?xi64>, tensor<?x4xi64>) {
  // CHECK: %{{.*}}:3 = autosage.build_transpose on(%{{.*}}, %{{.*}}, %{{.*}} : tensor<?xi64>, tensor<?xi32>, index) outs(%{{.*}}, %{{.*}}, %{{.*}}) : -> tensor<?xi64>, tensor<?xi32>, tensor<?xi64>
  %0:3 = autosage.build_transpose on(%rp, %ci, %n : tensor<?xi64>, tensor<?xi32>, index) outs(%r0, %c0, %e0)
      : -> tensor<?xi64>, tensor<?xi32>, tensor<?xi64>
  // CHECK: autosage.count_tasks %{{.*}} {chunk = 512 : i64} : tensor<?xi64>
  %n_tasks = autosage.count_tasks %rp {chunk = 512 : i64} : tensor<?xi64>
  // CHECK: autosage.build_tasks locality on(%{{.*}}, %{{.*}}, %{{.*}} : tensor<?xi64>, tensor<?xi32>, index) outs(%{{.*}}) {chunk = 512 : i64} : -> tensor<?x4xi64>
  %1 = autosage.build_tasks locality on(%rp, %ci, %n : tensor<?xi64>, tensor<?xi32>, index) outs(%t0) {chunk = 512 : i64} : -> tensor<?x4xi64>
  return %0#0, %0#1, %0#2, %1 : tensor<?xi64>, tensor<?xi32>, tensor<?xi64>, tensor<?x4xi64>
}

// CHECK-LABEL: func.func @build_buffers
func.func @build_buffers(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %r: memref<?xi32>, %c: memref<?xi32>, %e: memref<?xi32>, %t: memref<?x4xi32>) {
  // CHECK: autosage.build_transpose on(%{{.*}}, %{{.*}}, %{{.*}} : memref<?xi32>, memref<?xi32>, index) outs(%{{.*}}, %{{.*}}, %{{.*}}) : memref<?xi32>, memref<?xi32>, memref<?xi32>
  autosage.build_transpose on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index) outs(%r, %c, %e) : memref<?xi32>, memref<?xi32>, memref<?xi32>
  // CHECK: autosage.count_tasks %{{.*}} {chunk = 1 : i64} : memref<?xi32>
  %n_tasks = autosage.count_tasks %rp {chunk = 1 : i64} : memref<?xi32>
  // CHECK: autosage.build_tasks stored on(%{{.*}}, %{{.*}}, %{{.*}} : memref<?xi32>, memref<?xi32>, index) outs(%{{.*}}) {chunk = 1 : i64} : memref<?x4xi32>
  autosage.build_tasks stored on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index) outs(%t) {chunk = 1 : i64} : memref<?x4xi32>
  // CHECK: autosage.build_tasks length on
  autosage.build_tasks length on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index) outs(%t) {chunk = 1 : i64} : memref<?x4xi32>
  return
}

// CHECK-LABEL: func.func @arrays_of
func.func @arrays_of(%p: !autosage.pattern<4x?, i64, i32, tasks<64, stored>>) -> (tensor<5xi64>, tensor<?xi32>) {
  // CHECK: %{{.*}}, %{{.*}} = autosage.arrays_of %{{.*}} : !autosage.pattern<4x?, i64, i32, tasks<64, stored>>
  %rowptr, %colind = autosage.arrays_of %p : !autosage.pattern<4x?, i64, i32, tasks<64, stored>>
  return %rowptr, %colind : tensor<5xi64>, tensor<?xi32>
}
