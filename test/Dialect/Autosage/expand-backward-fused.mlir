// Two walks, or steps where the schedule says so; they have its schedule.
//
// RUN: autosage-opt %s --autosage-expand-backward --canonicalize --cse -split-input-file | FileCheck %s

!p = !autosage.pattern<?x?, i32, i32>

// CHECK-LABEL: func.func @biased
// CHECK-SAME: (%[[P:[^:]*]]: !autosage.pattern<?x?, i32, i32>, %[[B:[^:]*]]: tensor<?xf32>, %[[X:[^:]*]]: tensor<?x8xf32>, %[[L:[^:]*]]: tensor<?xf32>,
// CHECK:      %[[Q:.*]]:3 = autosage.attention_backward_q dot %[[P]][%[[B]] : tensor<?xf32>], %[[X]], %[[X]], %[[X]] from(%[[X]], %[[L]], %[[X]]) outs({{.*}}) schedule<row_tasks, chunk = 64>
// CHECK:      %[[T:.*]], %[[PERM:.*]] = autosage.transpose %[[P]]
// CHECK:      autosage.attention_backward_kv dot %[[T]][%[[B]] : tensor<?xf32>] edges(%[[PERM]] : tensor<?xi32>), %[[X]], %[[X]], %[[X]] from(%[[L]], %[[Q]]#1, %[[X]]) outs({{.*}}) schedule<row_tasks, chunk = 64>
// CHECK-NOT:  linalg
// CHECK:      return %[[Q]]#0
func.func @biased(%p: !p, %b: tensor<?xf32>, %x: tensor<?x8xf32>, %l: tensor<?xf32>, %e: tensor<?x8xf32>, %eb: tensor<?xf32>)
    -> (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?xf32>) {
  %0:4 = autosage.attention_backward dot %p[%b : tensor<?xf32>], %x, %x, %x from(%x, %l, %x) outs(%e, %e, %e, %eb) schedule<row_tasks, chunk = 64>
      : !p, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?xf32>, tensor<?x8xf32>
      -> tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?xf32>
  return %0#0, %0#1, %0#2, %0#3 : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?xf32>
}

// -----

!p = !autosage.pattern<?x?, i32, i32>

// CHECK-LABEL: func.func @composed
// CHECK:       autosage.sddmm dot {{.*}} schedule<row_group, attention = composed>
// CHECK-NOT:   attention_backward
func.func @composed(%p: !p, %x: tensor<?x8xf32>, %l: tensor<?xf32>, %e: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>) {
  %0:3 = autosage.attention_backward dot %p, %x, %x, %x from(%x, %l, %x) outs(%e, %e, %e) schedule<row_group, attention = composed>
      : !p, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?xf32>, tensor<?x8xf32>
      -> tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
  return %0#0, %0#1, %0#2 : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
}
