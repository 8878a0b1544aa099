// What no kernel computes gets no schedule; what it becomes does.
//
// RUN: autosage-opt %s --autosage-select-schedule | FileCheck %s --check-prefix=ALONE
// RUN: autosage-opt %s --autosage-expand-backward=composed --autosage-select-schedule | FileCheck %s
// RUN: autosage-opt %s --autosage-expand-backward --autosage-select-schedule=target=nvptx | FileCheck %s --check-prefix=WALKS

!p = !autosage.pattern<?x?, i32, i32>

// ALONE:     autosage.attention_backward
// ALONE-NOT: schedule<
// CHECK-COUNT-4: autosage.sddmm {{.*}} schedule<
// CHECK-COUNT-3: autosage.spmm sum {{.*}} schedule<
// WALKS:     autosage.attention_backward_q {{.*}} schedule<row_{{[a-z]+}}
// WALKS:     autosage.attention_backward_kv {{.*}} schedule<row_{{[a-z]+}}
// WALKS-NOT: attention = composed
func.func @f(%p: !p, %x: tensor<?x8xf32>, %l: tensor<?xf32>, %e: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>) {
  %0:3 = autosage.attention_backward dot %p, %x, %x, %x from(%x, %l, %x) outs(%e, %e, %e)
      : !p, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?xf32>, tensor<?x8xf32>
      -> tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
  return %0#0, %0#1, %0#2 : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
}
