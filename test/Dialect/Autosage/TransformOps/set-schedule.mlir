// A script gives matched ops a schedule, which selection then leaves alone.
//
// RUN: autosage-opt %s --transform-interpreter --autosage-select-schedule=target=nvptx | FileCheck %s
// RUN: autosage-opt %s | autosage-opt | FileCheck %s --check-prefix=TEXT

!p = !autosage.pattern<?x?, i32, i32>

// CHECK-LABEL: func.func @f
// CHECK: autosage.spmm sum {{.*}} schedule<row_tasks, chunk = 128> decision<user>
// CHECK: autosage.spmm mean {{.*}} schedule<row_tasks, chunk = 128> decision<user>
// CHECK: autosage.sddmm dot {{.*}} schedule<row_group, {{.*}}> decision<estimate,
func.func @f(%p: !p, %x: tensor<?x64xf32>, %y0: tensor<?x64xf32>, %s0: tensor<?xf32>) -> (tensor<?x64xf32>, tensor<?xf32>) {
  %y = autosage.spmm sum %p, %x outs(%y0) : !p, tensor<?x64xf32> -> tensor<?x64xf32>
  %z = autosage.spmm mean %p, %y outs(%y0) schedule<row_group> decision<estimate> : !p, tensor<?x64xf32> -> tensor<?x64xf32>
  %s = autosage.sddmm dot %p, %x, %x outs(%s0) : !p, tensor<?x64xf32>, tensor<?x64xf32> -> tensor<?xf32>
  return %z, %s : tensor<?x64xf32>, tensor<?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %spmm = transform.structured.match ops{["autosage.spmm"]} in %root : (!transform.any_op) -> !transform.op<"autosage.spmm">
    // TEXT: transform.autosage.set_schedule %{{.*}} schedule<row_tasks, chunk = 128> on "nvptx" : !transform.op<"autosage.spmm">
    transform.autosage.set_schedule %spmm schedule<row_tasks, chunk = 128> on "nvptx" : !transform.op<"autosage.spmm">
    transform.yield
  }
}
