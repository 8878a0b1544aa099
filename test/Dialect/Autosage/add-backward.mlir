// RUN: autosage-opt %s --autosage-add-backward=functions=layer,twice,pooled,declared --canonicalize | FileCheck %s

!p = !autosage.pattern<?x?, i32, i32>

// The attention of the gradients gives its log-sum-exp, the function's does not.
// CHECK-LABEL: func.func @layer(
// CHECK:         %{{.*}} = autosage.attention dot
// CHECK-LABEL: func.func @layer_backward(
// CHECK-SAME:    %[[P:[^:]*]]: !autosage.pattern<?x?, i32, i32> {autosage.stats = #autosage.stats<rows = 4>}, %[[X:[^:]*]]: tensor<?x8xf32>, %[[DY:[^:]*]]: tensor<?x8xf32>) -> tensor<?x8xf32>
// CHECK:         %[[O:.*]]:2 = autosage.attention dot %[[P]], %[[X]], %[[X]], %[[X]]
// CHECK:         %[[G:.*]]:3 = autosage.attention_backward dot %[[P]], %[[X]], %[[X]], %[[X]] from(%[[O]]#0, %[[O]]#1, %[[DY]])
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[G]]#0, %[[G]]#1 :
// CHECK:         linalg.generic {{.*}} ins(%[[SUM]], %[[G]]#2 :
func.func @layer(%p: !p {autosage.stats = #autosage.stats<rows = 4>}, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %y = autosage.attention dot %p, %x, %x, %x outs(%e) : !p, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// Two ops in a row; what no result depends on has a gradient of zeros.
// CHECK-LABEL: func.func @twice_backward(
// CHECK-SAME:    %[[P:[^:]*]]: !autosage.pattern<?x?, i32, i32>, %[[X:[^:]*]]: tensor<?x8xf32>, %[[E:[^:]*]]: tensor<?x8xf32>, %[[DY:[^:]*]]: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>)
// CHECK:         %[[H:.*]] = tensor.expand_shape %[[DY]] {{.*}} into tensor<?x1x8xf32>
// CHECK:         %[[T:.*]], %{{.*}} = autosage.transpose %[[P]]
// CHECK:         %[[D:.*]] = autosage.spmm sum %[[T]], %[[H]]
// CHECK:         %[[T2:.*]], %{{.*}} = autosage.transpose %[[P]]
// CHECK:         autosage.spmm sum %[[T2]], %{{.*}} outs
// CHECK:         linalg.fill
func.func @twice(%p: !p, %x: tensor<?x8xf32>, %e: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %h = autosage.spmm sum %p, %x outs(%e) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  %y = autosage.spmm sum %p, %h outs(%e) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// The first edge whose message is the result.
// CHECK-LABEL: func.func @pooled_backward(
// CHECK:         %[[Y:.*]] = autosage.spmm max
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<?x1x8xf32>) outs(%{{.*}} : tensor<?x1x8xi64>)
// CHECK:           scf.for
func.func @pooled(%p: !p, %x: tensor<?x8xf32>, %e: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %y = autosage.spmm max %p, %x outs(%e) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// A declaration becomes the definition.
// CHECK-LABEL: func.func @declared(
// CHECK:       func.func private @declared_backward(%{{.*}}) -> (tensor<?x1xf64>, tensor<?x1xf64>, tensor<?x1xf64>) {
// CHECK:       call @declared_backward
func.func @declared(%p: !p, %q: tensor<?x1xf64>, %k: tensor<?x1xf64>, %e: tensor<?x1xf64>) -> tensor<?x1xf64> {
  %s = autosage.sddmm add %p, %q, %k outs(%e) : !p, tensor<?x1xf64>, tensor<?x1xf64> -> tensor<?x1xf64>
  %a = autosage.row_softmax %p[%s : tensor<?x1xf64>] outs(%e) : !p -> tensor<?x1xf64>
  return %a : tensor<?x1xf64>
}
func.func private @declared_backward(!p, tensor<?x1xf64>, tensor<?x1xf64>, tensor<?x1xf64>, tensor<?x1xf64>) -> (tensor<?x1xf64>, tensor<?x1xf64>, tensor<?x1xf64>)
func.func @caller(%p: !p, %q: tensor<?x1xf64>, %da: tensor<?x1xf64>) -> tensor<?x1xf64> {
  %0:3 = call @declared_backward(%p, %q, %q, %da, %da) : (!p, tensor<?x1xf64>, tensor<?x1xf64>, tensor<?x1xf64>, tensor<?x1xf64>) -> (tensor<?x1xf64>, tensor<?x1xf64>, tensor<?x1xf64>)
  return %0#0 : tensor<?x1xf64>
}
