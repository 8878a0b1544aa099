// Operands of compute ops that change nothing.
//
// RUN: autosage-opt %s --canonicalize -split-input-file | FileCheck %s

// An edge value of 1 is none; any other stays.
// CHECK-LABEL: func.func @values_one
// CHECK: autosage.spmm mean %{{[^ ,\[]*}}, %{{.*}} outs(%{{.*}}) :
// CHECK: autosage.sddmm dot %{{[^ ,\[]*}}, %{{.*}} outs(%{{.*}}) :
func.func @values_one(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>, %s0: tensor<9xf32>)
    -> (tensor<?x8xf32>, tensor<9xf32>) {
  %w = arith.constant dense<1.0> : tensor<9xf32>
  %0 = autosage.spmm mean %p[%w : tensor<9xf32>], %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  %1 = autosage.sddmm dot %p[%w : tensor<9xf32>], %0, %0 outs(%s0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<9xf32>
  return %0, %1 : tensor<?x8xf32>, tensor<9xf32>
}

// -----

// CHECK-LABEL: func.func @values_filled_with_one
// CHECK: autosage.spmm sum on(%{{.*}}, %{{.*}}, %{{.*}} : tensor<?xi32>, tensor<?xi32>, index), %{{.*}} outs(%{{.*}}) :
func.func @values_filled_with_one(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %nnz: index, %x: tensor<?x8xf64>, %y0: tensor<?x8xf64>) -> tensor<?x8xf64> {
  %one = arith.constant 1.0 : f64
  %empty = tensor.empty(%nnz) : tensor<?xf64>
  %w = linalg.fill ins(%one : f64) outs(%empty : tensor<?xf64>) -> tensor<?xf64>
  %0 = autosage.spmm sum on(%rp, %ci, %n : tensor<?xi32>, tensor<?xi32>, index)[%w : tensor<?xf64>], %x outs(%y0) : tensor<?x8xf64> -> tensor<?x8xf64>
  return %0 : tensor<?x8xf64>
}

// -----

// CHECK-LABEL: func.func @values_other
// CHECK: autosage.spmm sum %{{[^,]*}}[%
// CHECK: autosage.spmm max %{{[^,]*}}[%
func.func @values_other(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %two = arith.constant dense<2.0> : tensor<9xf32>
  %mixed = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = autosage.spmm sum %p[%two : tensor<9xf32>], %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  %1 = autosage.spmm max %p[%mixed : tensor<2xf32>], %0 outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}

// -----

// For a bias the neutral number is 0, not 1; logits have none.
// CHECK-LABEL: func.func @bias
// CHECK: autosage.attention dot %{{[^ ,\[]*}}, %{{.*}} outs(%{{.*}}) :
// CHECK: autosage.attention dot %{{[^,]*}}[%
// CHECK: autosage.row_softmax %{{[^,]*}}[%
func.func @bias(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>, %a0: tensor<9xf32>) -> (tensor<?x8xf32>, tensor<9xf32>) {
  %zero = arith.constant dense<0.0> : tensor<9xf32>
  %one = arith.constant dense<1.0> : tensor<9xf32>
  %0 = autosage.attention dot %p[%zero : tensor<9xf32>], %x, %x, %x outs(%y0)
      : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?x8xf32>
  %1 = autosage.attention dot %p[%one : tensor<9xf32>], %0, %0, %0 outs(%y0)
      : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?x8xf32>
  %2 = autosage.row_softmax %p[%zero : tensor<9xf32>] outs(%a0) : !autosage.pattern<?x?, i32, i32> -> tensor<9xf32>
  return %1, %2 : tensor<?x8xf32>, tensor<9xf32>
}

// -----

// A scale of 1 is none, whatever its type.
// CHECK-LABEL: func.func @scale
// CHECK: autosage.sddmm
// CHECK-NOT: scale
// CHECK: autosage.row_softmax
// CHECK-NOT: scale
// CHECK: autosage.attention
// CHECK-NOT: scale
// CHECK: autosage.row_softmax {{.*}} {scale = 2.000000e+00 : f32}
func.func @scale(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>, %s0: tensor<?xf32>) -> (tensor<?x8xf32>, tensor<?xf32>) {
  %0 = autosage.sddmm dot %p, %x, %x outs(%s0) {scale = 1.0 : f32} : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?xf32>
  %1 = autosage.row_softmax %p[%0 : tensor<?xf32>] outs(%s0) {scale = 1.0 : f64} : !autosage.pattern<?x?, i32, i32> -> tensor<?xf32>
  %2 = autosage.attention dot %p[%1 : tensor<?xf32>], %x, %x, %x outs(%y0) {scale = 1.0 : f32}
      : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?x8xf32>
  %3 = autosage.row_softmax %p[%1 : tensor<?xf32>] outs(%s0) {scale = 2.0 : f32} : !autosage.pattern<?x?, i32, i32> -> tensor<?xf32>
  return %2, %3 : tensor<?x8xf32>, tensor<?xf32>
}

// -----

// What is overwritten needs no fill.
// CHECK-LABEL: func.func @dead_fill
// CHECK-SAME: %{{.*}}: tensor<?x8xf32>, %[[Y0:[^:]*]]: tensor<?x8xf32>
// CHECK-NOT: linalg.fill
// CHECK: autosage.spmm sum %{{.*}} outs(%[[Y0]])
func.func @dead_fill(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %zero = arith.constant 0.0 : f32
  %filled = linalg.fill ins(%zero : f32) outs(%y0 : tensor<?x8xf32>) -> tensor<?x8xf32>
  %0 = autosage.spmm sum %p, %x outs(%filled) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// What is added to needs it.
// CHECK-LABEL: func.func @live_fill
// CHECK: %[[FILLED:.*]] = linalg.fill
// CHECK: autosage.spmm sum %{{.*}} outs(%[[FILLED]]) {accumulate}
func.func @live_fill(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %zero = arith.constant 0.0 : f32
  %filled = linalg.fill ins(%zero : f32) outs(%y0 : tensor<?x8xf32>) -> tensor<?x8xf32>
  %0 = autosage.spmm sum %p, %x outs(%filled) {accumulate} : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// Both outputs of attention.
// CHECK-LABEL: func.func @dead_fill_of_two
// CHECK-NOT: linalg.fill
func.func @dead_fill_of_two(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>, %l0: tensor<?xf32>) -> (tensor<?x8xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<?x8xf32>) -> tensor<?x8xf32>
  %l1 = linalg.fill ins(%zero : f32) outs(%l0 : tensor<?xf32>) -> tensor<?xf32>
  %0:2 = autosage.attention dot %p, %x, %x, %x outs(%y1, %l1)
      : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?x8xf32>, tensor<?xf32>
  return %0#0, %0#1 : tensor<?x8xf32>, tensor<?xf32>
}
