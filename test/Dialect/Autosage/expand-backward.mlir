// RUN: autosage-opt %s --autosage-expand-backward=composed --canonicalize --cse -split-input-file | FileCheck %s

!p = !autosage.pattern<?x?, i32, i32>

// Weights from the log-sum-exp; k and v through the transpose.
// CHECK-LABEL: func.func @dot
// CHECK-SAME: (%[[P:[^:]*]]: !autosage.pattern<?x?, i32, i32>, %[[Q:[^:]*]]: tensor<?x2x8xf32>, %[[K:[^:]*]]: tensor<?x2x8xf32>, %[[V:[^:]*]]: tensor<?x2x16xf32>,
// CHECK-SAME: %[[O:[^:]*]]: tensor<?x2x16xf32>, %[[L:[^:]*]]: tensor<?x2xf32>, %[[DO:[^:]*]]: tensor<?x2x16xf32>,
// CHECK-SAME: %[[DQ0:[^:]*]]: tensor<?x2x8xf32>, %[[DK0:[^:]*]]: tensor<?x2x8xf32>, %[[DV0:[^:]*]]: tensor<?x2x16xf32>)
// CHECK:      %[[MASKED:.*]] = linalg.generic {{.*}} ins(%[[DO]], %[[L]] :
// CHECK:      %[[S:.*]] = autosage.sddmm dot %[[P]], %[[Q]], %[[K]] {{.*}} {scale = 1.250000e-01 : f32}
// CHECK:      %[[DP:.*]] = autosage.sddmm dot %[[P]], %[[MASKED]], %[[V]]
// CHECK:      %[[LE:.*]] = autosage.sddmm add %[[P]], %[[L]],
// CHECK:      %[[DELTA:.*]] = autosage.sddmm add %[[P]],
// CHECK:      %[[W:.*]]:2 = linalg.generic {{.*}} ins(%[[LE]], %[[DELTA]] : {{.*}}) outs(%[[S]], %[[DP]] :
// CHECK:        math.exp
// CHECK:      %[[T:.*]], %[[PERM:.*]] = autosage.transpose %[[P]]
// CHECK:      %[[TURNED:.*]]:2 = linalg.generic {{.*}} ins(%[[PERM]] :
// CHECK:        tensor.extract %[[W]]#1
// CHECK:        tensor.extract %[[W]]#0
// CHECK:      autosage.spmm sum %[[P]][%[[W]]#1 : tensor<?x2xf32>], %[[K]] outs(%[[DQ0]])
// CHECK:      autosage.spmm sum %[[T]][%[[TURNED]]#0 : tensor<?x2xf32>], %{{.*}} outs(%[[DK0]])
// CHECK:      autosage.spmm sum %[[T]][%[[TURNED]]#1 : tensor<?x2xf32>], %[[MASKED]] outs(%[[DV0]])
// CHECK-NOT:  attention_backward
func.func @dot(%p: !p, %q: tensor<?x2x8xf32>, %k: tensor<?x2x8xf32>, %v: tensor<?x2x16xf32>, %o: tensor<?x2x16xf32>, %l: tensor<?x2xf32>,
               %do: tensor<?x2x16xf32>, %dq0: tensor<?x2x8xf32>, %dk0: tensor<?x2x8xf32>, %dv0: tensor<?x2x16xf32>)
    -> (tensor<?x2x8xf32>, tensor<?x2x8xf32>, tensor<?x2x16xf32>) {
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do) outs(%dq0, %dk0, %dv0) {scale = 0.125 : f32}
      : !p, tensor<?x2x8xf32>, tensor<?x2x8xf32>, tensor<?x2x16xf32>, tensor<?x2x16xf32>, tensor<?x2xf32>, tensor<?x2x16xf32>
      -> tensor<?x2x8xf32>, tensor<?x2x8xf32>, tensor<?x2x16xf32>
  return %0#0, %0#1, %0#2 : tensor<?x2x8xf32>, tensor<?x2x8xf32>, tensor<?x2x16xf32>
}

// -----

!p = !autosage.pattern<?x?, i32, i32>

// Numbers of edges are f32 where operands are f16.
// CHECK-LABEL: func.func @gat
// CHECK:     autosage.sddmm add {{.*}} tensor<?x3xf16>, tensor<?x3xf16> -> tensor<?x3xf32>
// CHECK:     autosage.spmm sum {{.*}} -> tensor<?x3x1xf32>
// CHECK:     autosage.spmm sum {{.*}} -> tensor<?x3x1xf32>
// CHECK:     autosage.spmm sum {{.*}} -> tensor<?x3x4xf32>
func.func @gat(%p: !p, %q: tensor<?x3xf16>, %k: tensor<?x3xf16>, %v: tensor<?x3x4xf16>, %o: tensor<?x3x4xf16>, %l: tensor<?x3xf32>,
               %do: tensor<?x3x4xf16>, %dq0: tensor<?x3xf16>, %dk0: tensor<?x3xf16>, %dv0: tensor<?x3x4xf16>)
    -> (tensor<?x3xf16>, tensor<?x3xf16>, tensor<?x3x4xf16>) {
  %0:3 = autosage.attention_backward gat %p, %q, %k, %v from(%o, %l, %do) outs(%dq0, %dk0, %dv0)
      : !p, tensor<?x3xf16>, tensor<?x3xf16>, tensor<?x3x4xf16>, tensor<?x3x4xf16>, tensor<?x3xf32>, tensor<?x3x4xf16>
      -> tensor<?x3xf16>, tensor<?x3xf16>, tensor<?x3x4xf16>
  return %0#0, %0#1, %0#2 : tensor<?x3xf16>, tensor<?x3xf16>, tensor<?x3x4xf16>
}

// -----

// On component arrays; loops over the edges of a row for the vectors of gatv2.
// CHECK-LABEL: func.func @gatv2
// CHECK:     autosage.pattern
// CHECK:     autosage.arrays_of
// CHECK:     scf.while
// CHECK-NOT: autosage.attention_backward
func.func @gatv2(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x4xf32>, %a: tensor<1x8xf32>,
                 %o: tensor<?x4xf32>, %l: tensor<?xf32>, %do: tensor<?x4xf32>, %dq0: tensor<?x8xf32>, %dk0: tensor<?x8xf32>, %dv0: tensor<?x4xf32>, %da0: tensor<1x8xf32>)
    -> (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x4xf32>, tensor<1x8xf32>) {
  %0:4 = autosage.attention_backward gatv2 on(%rp, %ci, %n : tensor<?xi32>, tensor<?xi32>, index), %q, %k, %v vec(%a : tensor<1x8xf32>) from(%o, %l, %do)
      outs(%dq0, %dk0, %dv0, %da0)
      : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?xf32>, tensor<?x4xf32>
      -> tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x4xf32>, tensor<1x8xf32>
  return %0#0, %0#1, %0#2, %0#3 : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x4xf32>, tensor<1x8xf32>
}
