// RUN: autosage-opt %s --transform-interpreter -split-input-file -verify-diagnostics

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.op<"func.func"> {transform.readonly}) {
    // expected-error @below {{'transform.autosage.set_schedule' op expects a handle to ops that compute on a pattern, got '!transform.op<"func.func">'}}
    transform.autosage.set_schedule %root schedule<row_group> : !transform.op<"func.func">
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error @below {{'transform.autosage.set_schedule' op expects on to be cpu, simt or nvptx, got 'tpu'}}
    transform.autosage.set_schedule %root schedule<row_group> on "tpu" : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error @below {{'transform.autosage.set_schedule' op schedule family 'row_group' does not run on cpu, expects one of row_parallel, nnz_parallel}}
    transform.autosage.set_schedule %root schedule<row_group> on "cpu" : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    // expected-error @below {{unknown knob 'depth' of row_group, expects one of}}
    transform.autosage.set_schedule %root schedule<row_group, depth = 3> : !transform.any_op
    transform.yield
  }
}

// -----

// expected-note @below {{this op}}
func.func @no_op_of_ours() {
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expects an op that computes on a pattern, got 'func.func'}}
    transform.autosage.set_schedule %f schedule<row_group> : !transform.any_op
    transform.yield
  }
}

// -----

!p = !autosage.pattern<?x?, i32, i32>
func.func @registers(%p: !p, %x: tensor<?x512xf32>, %y0: tensor<?x512xf32>) -> tensor<?x512xf32> {
  // expected-note @below {{this op}}
  %y = autosage.spmm sum %p, %x outs(%y0) : !p, tensor<?x512xf32> -> tensor<?x512xf32>
  return %y : tensor<?x512xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %s = transform.structured.match ops{["autosage.spmm"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expects unroll * columns of a lane to be at most 128, got 16 * 16 = 256}}
    transform.autosage.set_schedule %s schedule<row_tasks, tile = 512, unroll = 16> on "nvptx" : !transform.any_op
    transform.yield
  }
}
