// RUN: autosage-opt %s --autosage-decompose-attention --remarks-filter=autosage --remark-format=emitRemark 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t

!p = !autosage.pattern<?x?, i32, i32>

// CHECK-LABEL: func @dot(
// CHECK:         %[[N:.*]] = autosage.dim nnz
// CHECK:         %[[E:.*]] = tensor.empty(%[[N]]) : tensor<?xf32>
// CHECK:         %[[S:.*]] = autosage.sddmm dot {{.*}} outs(%[[E]]) schedule<row_tasks> {scale = 1.250000e-01 : f32}
// CHECK-NEXT:    %[[W:.*]] = autosage.row_softmax %{{.*}}[%[[S]] : tensor<?xf32>] outs(%[[S]]) schedule<row_tasks>
// CHECK-NEXT:    autosage.spmm sum %{{.*}}[%[[W]] : tensor<?xf32>], %{{.*}} schedule<row_tasks>
func.func @dot(%p: !p, %q: tensor<?x64xf32>, %k: tensor<?x64xf32>, %v: tensor<?x32xf32>, %y: tensor<?x32xf32>) -> tensor<?x32xf32> {
  %r = autosage.attention dot %p, %q, %k, %v outs(%y) schedule<row_tasks> {scale = 0.125 : f32}
      : !p, tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x32xf32> -> tensor<?x32xf32>
  return %r : tensor<?x32xf32>
}

// The slope that is not given is 0.2; a column of biases serves all heads.
// CHECK-LABEL: func @gat(
// CHECK:         %[[S:.*]] = autosage.sddmm add
// CHECK:         %[[L:.*]] = linalg.generic {{.*}} ins(%[[S]], %{{.*}} : tensor<?x3xf64>, tensor<?x1xf64>) outs(%[[S]] : tensor<?x3xf64>)
// CHECK-NEXT:    ^bb0(%[[X:.*]]: f64, %[[B:.*]]: f64, %{{.*}}: f64):
// CHECK:           %[[IS:.*]] = arith.cmpf oge, %[[X]], %{{.*}}
// CHECK:           %[[LESS:.*]] = arith.mulf %[[X]], %{{.*}}
// CHECK:           %[[LEAKY:.*]] = arith.select %[[IS]], %[[X]], %[[LESS]]
// CHECK:           %[[SCALED:.*]] = arith.mulf %[[LEAKY]], %{{.*}}
// CHECK:           %[[Z:.*]] = arith.addf %[[SCALED]], %[[B]]
// CHECK:           linalg.yield %[[Z]]
// CHECK:         autosage.row_softmax %{{.*}}[%[[L]] : tensor<?x3xf64>] outs(%[[L]])
func.func @gat(%p: !p, %q: tensor<?x3xf64>, %k: tensor<?x3xf64>, %v: tensor<?x3x8xf64>, %b: tensor<?x1xf64>, %y: tensor<?x3x8xf64>) -> tensor<?x3x8xf64> {
  %r = autosage.attention gat %p[%b : tensor<?x1xf64>], %q, %k, %v outs(%y) {scale = 2.0 : f64}
      : !p, tensor<?x3xf64>, tensor<?x3xf64>, tensor<?x3x8xf64> -> tensor<?x3x8xf64>
  return %r : tensor<?x3x8xf64>
}

// CHECK-LABEL: func @refused(
// CHECK:         autosage.attention gatv2
// CHECK:         autosage.attention dot
// REMARK:      decompose-attention.mlir:[[#@LINE+6]]:8: remark: [Missed] AttentionNotDecomposed | Category:autosage
// REMARK-SAME: no sampled product has the score gatv2
// REMARK:      decompose-attention.mlir:[[#@LINE+6]]:12: remark: [Missed] AttentionNotDecomposed | Category:autosage
// REMARK-SAME: no softmax gives the log-sum-exp
// REMARK-NOT:  remark
func.func @refused(%p: !p, %q: tensor<?x8xf32>, %a: tensor<1x8xf32>, %y: tensor<?x8xf32>, %l0: tensor<?xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?xf32>) {
  %0 = autosage.attention gatv2 %p, %q, %q, %q vec(%a : tensor<1x8xf32>) outs(%y)
      : !p, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?x8xf32>
  %1, %l = autosage.attention dot %p, %q, %q, %q outs(%y, %l0)
      : !p, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?x8xf32>, tensor<?xf32>
  return %0, %1, %l : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?xf32>
}
