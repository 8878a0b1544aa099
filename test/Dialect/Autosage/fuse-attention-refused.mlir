// What would change a result, or take an intermediate from another user, stays;
// a remark says why.
// RUN: autosage-opt %s --autosage-fuse-attention --remarks-filter=autosage --remark-format=emitRemark 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t

// CHECK-NOT: autosage.attention

!p = !autosage.pattern<?x?, i32, i32>

// CHECK-LABEL: func @other_use(
// REMARK: fuse-attention-refused.mlir:[[#@LINE+5]]:8: remark: [Missed] AttentionNotFused
// REMARK-SAME: autosage.sddmm has another use
func.func @other_use(%p: !p, %o: !p, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %y: tensor<?x8xf32>, %e: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?x8xf32>, tensor<?xf32>) {
  %s = autosage.sddmm dot %p, %q, %k outs(%e) : !p, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?xf32>
  %w = autosage.row_softmax %p[%s : tensor<?xf32>] outs(%e) : !p -> tensor<?xf32>
  %r = autosage.spmm sum %p[%w : tensor<?xf32>], %k outs(%y) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  return %r, %s : tensor<?x8xf32>, tensor<?xf32>
}

// CHECK-LABEL: func @other_use_of_weights(
// REMARK: fuse-attention-refused.mlir:[[#@LINE+5]]:8: remark: [Missed] AttentionNotFused
// REMARK-SAME: autosage.row_softmax has another use
func.func @other_use_of_weights(%p: !p, %o: !p, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %y: tensor<?x8xf32>, %e: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?x8xf32>, tensor<?xf32>) {
  %s = autosage.sddmm dot %p, %q, %k outs(%e) : !p, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?xf32>
  %w = autosage.row_softmax %p[%s : tensor<?xf32>] outs(%e) : !p -> tensor<?xf32>
  %r = autosage.spmm sum %p[%w : tensor<?xf32>], %k outs(%y) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  return %r, %w : tensor<?x8xf32>, tensor<?xf32>
}

// CHECK-LABEL: func @mean(
// REMARK: fuse-attention-refused.mlir:[[#@LINE+5]]:8: remark: [Missed] AttentionNotFused
// REMARK-SAME: rows of v are not summed up
func.func @mean(%p: !p, %o: !p, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %y: tensor<?x8xf32>, %e: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?x8xf32> {
  %s = autosage.sddmm dot %p, %q, %k outs(%e) : !p, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?xf32>
  %w = autosage.row_softmax %p[%s : tensor<?xf32>] outs(%e) : !p -> tensor<?xf32>
  %r = autosage.spmm mean %p[%w : tensor<?xf32>], %k outs(%y) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// CHECK-LABEL: func @accumulate(
// REMARK: fuse-attention-refused.mlir:[[#@LINE+5]]:8: remark: [Missed] AttentionNotFused
// REMARK-SAME: the sum is added to its output
func.func @accumulate(%p: !p, %o: !p, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %y: tensor<?x8xf32>, %e: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?x8xf32> {
  %s = autosage.sddmm dot %p, %q, %k outs(%e) : !p, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?xf32>
  %w = autosage.row_softmax %p[%s : tensor<?xf32>] outs(%e) : !p -> tensor<?xf32>
  %r = autosage.spmm sum %p[%w : tensor<?xf32>], %k outs(%y) {accumulate} : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// CHECK-LABEL: func @transposed(
// REMARK: fuse-attention-refused.mlir:[[#@LINE+5]]:8: remark: [Missed] AttentionNotFused
// REMARK-SAME: the sum is transposed
func.func @transposed(%p: !p, %o: !p, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %y: tensor<?x8xf32>, %e: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?x8xf32> {
  %s = autosage.sddmm dot %p, %q, %k outs(%e) : !p, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?xf32>
  %w = autosage.row_softmax %p[%s : tensor<?xf32>] outs(%e) : !p -> tensor<?xf32>
  %r = autosage.spmm sum %p[%w : tensor<?xf32>], %k outs(%y) {transpose} : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// CHECK-LABEL: func @patterns_of_product(
// REMARK: fuse-attention-refused.mlir:[[#@LINE+5]]:8: remark: [Missed] AttentionNotFused
// REMARK-SAME: product and softmax have different patterns
func.func @patterns_of_product(%p: !p, %o: !p, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %y: tensor<?x8xf32>, %e: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?x8xf32> {
  %s = autosage.sddmm dot %o, %q, %k outs(%e) : !p, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?xf32>
  %w = autosage.row_softmax %p[%s : tensor<?xf32>] outs(%e) : !p -> tensor<?xf32>
  %r = autosage.spmm sum %p[%w : tensor<?xf32>], %k outs(%y) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// CHECK-LABEL: func @patterns_of_sum(
// REMARK: fuse-attention-refused.mlir:[[#@LINE+5]]:8: remark: [Missed] AttentionNotFused
// REMARK-SAME: softmax and sum have different patterns
func.func @patterns_of_sum(%p: !p, %o: !p, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %y: tensor<?x8xf32>, %e: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?x8xf32> {
  %s = autosage.sddmm dot %p, %q, %k outs(%e) : !p, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?xf32>
  %w = autosage.row_softmax %p[%s : tensor<?xf32>] outs(%e) : !p -> tensor<?xf32>
  %r = autosage.spmm sum %o[%w : tensor<?xf32>], %k outs(%y) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// CHECK-LABEL: func @weighted(
// REMARK: fuse-attention-refused.mlir:[[#@LINE+5]]:8: remark: [Missed] AttentionNotFused
// REMARK-SAME: the product is scaled by edge values
func.func @weighted(%p: !p, %o: !p, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %y: tensor<?x8xf32>, %e: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?x8xf32> {
  %s = autosage.sddmm dot %p[%b : tensor<?xf32>], %q, %k outs(%e) : !p, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?xf32>
  %w = autosage.row_softmax %p[%s : tensor<?xf32>] outs(%e) : !p -> tensor<?xf32>
  %r = autosage.spmm sum %p[%w : tensor<?xf32>], %k outs(%y) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// CHECK-LABEL: func @schedules(
// REMARK: fuse-attention-refused.mlir:[[#@LINE+5]]:8: remark: [Missed] AttentionNotFused
// REMARK-SAME: the ops have different schedules
func.func @schedules(%p: !p, %o: !p, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %y: tensor<?x8xf32>, %e: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?x8xf32> {
  %s = autosage.sddmm dot %p, %q, %k outs(%e) : !p, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?xf32>
  %w = autosage.row_softmax %p[%s : tensor<?xf32>] outs(%e) : !p -> tensor<?xf32>
  %r = autosage.spmm sum %p[%w : tensor<?xf32>], %k outs(%y) schedule<row_parallel> : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// CHECK-LABEL: func @two_biases(
// REMARK: fuse-attention-refused.mlir:[[#@LINE+7]]:8: remark: [Missed] AttentionNotFused
// REMARK-SAME: two tensors are added to scores
func.func @two_biases(%p: !p, %o: !p, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %y: tensor<?x8xf32>, %e: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?x8xf32> {
  %s = autosage.sddmm dot %p, %q, %k outs(%e) : !p, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?xf32>
  %l = arith.addf %s, %b : tensor<?xf32>
  %m = arith.addf %l, %b : tensor<?xf32>
  %w = autosage.row_softmax %p[%m : tensor<?xf32>] outs(%e) : !p -> tensor<?xf32>
  %r = autosage.spmm sum %p[%w : tensor<?xf32>], %k outs(%y) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// CHECK-LABEL: func @scaled_bias(
// REMARK: fuse-attention-refused.mlir:[[#@LINE+6]]:8: remark: [Missed] AttentionNotFused
// REMARK-SAME: the scale is one of scores and bias together
func.func @scaled_bias(%p: !p, %o: !p, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %y: tensor<?x8xf32>, %e: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?x8xf32> {
  %s = autosage.sddmm dot %p, %q, %k outs(%e) : !p, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?xf32>
  %l = arith.addf %s, %b : tensor<?xf32>
  %w = autosage.row_softmax %p[%l : tensor<?xf32>] outs(%e) {scale = 0.5 : f32} : !p -> tensor<?xf32>
  %r = autosage.spmm sum %p[%w : tensor<?xf32>], %k outs(%y) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// CHECK-LABEL: func @edge_factors(
// REMARK: fuse-attention-refused.mlir:[[#@LINE+6]]:8: remark: [Missed] AttentionNotFused
// REMARK-SAME: scores are multiplied by what is no constant
func.func @edge_factors(%p: !p, %o: !p, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %y: tensor<?x8xf32>, %e: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?x8xf32> {
  %s = autosage.sddmm dot %p, %q, %k outs(%e) : !p, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?xf32>
  %l = arith.mulf %s, %b : tensor<?xf32>
  %w = autosage.row_softmax %p[%l : tensor<?xf32>] outs(%e) : !p -> tensor<?xf32>
  %r = autosage.spmm sum %p[%w : tensor<?xf32>], %k outs(%y) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// CHECK-LABEL: func @squared(
// REMARK: fuse-attention-refused.mlir:[[#@LINE+6]]:8: remark: [Missed] AttentionNotFused
// REMARK-SAME: what lies between product and softmax is not scale, bias or leaky ReLU
func.func @squared(%p: !p, %o: !p, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %y: tensor<?x8xf32>, %e: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?x8xf32> {
  %s = autosage.sddmm dot %p, %q, %k outs(%e) : !p, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?xf32>
  %l = math.exp %s : tensor<?xf32>
  %w = autosage.row_softmax %p[%l : tensor<?xf32>] outs(%e) : !p -> tensor<?xf32>
  %r = autosage.spmm sum %p[%w : tensor<?xf32>], %k outs(%y) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// CHECK-LABEL: func @negative_factor(
// REMARK: fuse-attention-refused.mlir:[[#@LINE+10]]:8: remark: [Missed] AttentionNotFused
// REMARK-SAME: scores are multiplied by what is not positive before the leaky ReLU
func.func @negative_factor(%p: !p, %q: tensor<?x4xf32>, %v: tensor<?x4x8xf32>, %y: tensor<?x4x8xf32>, %e: tensor<16x4xf32>) -> tensor<?x4x8xf32> {
  %slope = arith.constant dense<0.25> : tensor<16x4xf32>
  %minus = arith.constant dense<-1.0> : tensor<16x4xf32>
  %s = autosage.sddmm add %p, %q, %q outs(%e) : !p, tensor<?x4xf32>, tensor<?x4xf32> -> tensor<16x4xf32>
  %m = arith.mulf %s, %minus : tensor<16x4xf32>
  %less = arith.mulf %m, %slope : tensor<16x4xf32>
  %l = arith.maximumf %less, %m : tensor<16x4xf32>
  %w = autosage.row_softmax %p[%l : tensor<16x4xf32>] outs(%e) : !p -> tensor<16x4xf32>
  %r = autosage.spmm sum %p[%w : tensor<16x4xf32>], %v outs(%y) : !p, tensor<?x4x8xf32> -> tensor<?x4x8xf32>
  return %r : tensor<?x4x8xf32>
}

// CHECK-LABEL: func @in_a_loop(
// REMARK: fuse-attention-refused.mlir:[[#@LINE+6]]:10: remark: [Missed] AttentionNotFused
// REMARK-SAME: is in another block
func.func @in_a_loop(%p: !p, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %y: tensor<?x8xf32>, %e: tensor<?xf32>, %lo: index, %hi: index, %step: index) -> tensor<?x8xf32> {
  %s = autosage.sddmm dot %p, %q, %k outs(%e) : !p, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?xf32>
  %w = autosage.row_softmax %p[%s : tensor<?xf32>] outs(%e) : !p -> tensor<?xf32>
  %z = scf.for %i = %lo to %hi step %step iter_args(%x = %y) -> tensor<?x8xf32> {
    %r = autosage.spmm sum %p[%w : tensor<?xf32>], %x outs(%y) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
    scf.yield %r : tensor<?x8xf32>
  }
  return %z : tensor<?x8xf32>
}

// Not attention, and nothing to say of it.
// CHECK-LABEL: func @of_weights(
// REMARK-NOT: remark
func.func @of_weights(%p: !p, %k: tensor<?x8xf32>, %y: tensor<?x8xf32>, %e: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?x8xf32> {
  %w = autosage.row_softmax %p[%b : tensor<?xf32>] outs(%e) : !p -> tensor<?xf32>
  %r = autosage.spmm sum %p[%w : tensor<?xf32>], %k outs(%y) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
