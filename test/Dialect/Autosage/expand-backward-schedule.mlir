// The schedule of the op is that of the steps that it becomes, and fits all of them; what is given as transposed is not made.
//
// RUN: autosage-opt %s --autosage-expand-backward --autosage-verify-schedule=target=simt | FileCheck %s

!p = !autosage.pattern<?x?, i32, i32>

// CHECK-LABEL: func.func @group
// CHECK-COUNT-4: autosage.sddmm {{.*}} schedule<row_group, attention = composed>
// CHECK:         autosage.transpose
// CHECK-COUNT-3: autosage.spmm sum {{.*}} schedule<row_group, attention = composed>
func.func @group(%p: !p, %x: tensor<?x8xf32>, %l: tensor<?xf32>, %e: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>) {
  %0:3 = autosage.attention_backward dot %p, %x, %x, %x from(%x, %l, %x) outs(%e, %e, %e) schedule<row_group, attention = composed> decision<user>
      : !p, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?xf32>, tensor<?x8xf32>
      -> tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
  return %0#0, %0#1, %0#2 : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
}

// CHECK-LABEL: func.func @tasks
// CHECK-SAME:    %[[P:.*]]: !autosage.pattern<?x?, i32, i32>, %[[T:[a-z0-9]*]]: tensor<?xi32>
// CHECK-NOT:     autosage.transpose
// CHECK:         autosage.pattern %[[T]], %[[T]]
// CHECK-NOT:     autosage.transpose
// CHECK-COUNT-3: autosage.spmm sum {{.*}} schedule<row_tasks, attention = composed, chunk = 32>
func.func @tasks(%p: !p, %t: tensor<?xi32>, %q: tensor<?x2xf32>, %x: tensor<?x2x8xf32>, %l: tensor<?x2xf32>, %dq: tensor<?x2xf32>, %dv: tensor<?x2x8xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2x8xf32>) {
  %0:3 = autosage.attention_backward gat %p, %q, %q, %x from(%x, %l, %x) transposed(%t, %t, %t : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>)
      outs(%dq, %dq, %dv) schedule<row_tasks, attention = composed, chunk = 32>
      : !p, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2x8xf32>, tensor<?x2x8xf32>, tensor<?x2xf32>, tensor<?x2x8xf32>
      -> tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2x8xf32>
  return %0#0, %0#1, %0#2 : tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2x8xf32>
}

// CHECK-LABEL: func.func @fused
// CHECK-SAME:    %[[P:.*]]: !autosage.pattern<?x?, i32, i32>, %[[ROWS:.*]]: tensor<?xi32>, %[[COLS:.*]]: tensor<?xi32>, %[[PERM:[a-z0-9]*]]: tensor<?xi32>
// CHECK-NOT:     autosage.transpose
// CHECK:         %[[T:.*]] = autosage.pattern %[[ROWS]], %[[COLS]]
// CHECK-NOT:     autosage.transpose
// CHECK:         autosage.attention_backward_q dot %[[P]]
// CHECK-SAME:      schedule<row_tasks, chunk = 32>
// CHECK:         autosage.attention_backward_kv dot %[[T]][{{.*}}] edges(%[[PERM]] : tensor<?xi32>)
// CHECK-SAME:      schedule<row_tasks, chunk = 32>
func.func @fused(%p: !p, %rows: tensor<?xi32>, %cols: tensor<?xi32>, %perm: tensor<?xi32>, %b: tensor<?xf32>, %x: tensor<?x8xf32>, %l: tensor<?xf32>, %e: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>) {
  %0:3 = autosage.attention_backward dot %p[%b : tensor<?xf32>], %x, %x, %x from(%x, %l, %x) transposed(%rows, %cols, %perm : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>)
      outs(%e, %e, %e) schedule<row_tasks, chunk = 32>
      : !p, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?xf32>, tensor<?x8xf32>
      -> tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
  return %0#0, %0#1, %0#2 : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
}
