// What the pipeline cannot lower is an error at the op.
//
// RUN: autosage-opt %s --autosage-cpu-pipeline -split-input-file -verify-diagnostics

#CSR = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 32, crdWidth = 32}>

func.func @pattern_of(%a: tensor<4x4xf32, #CSR>) -> tensor<?xf32> {
  // expected-error @below {{'autosage.pattern_of' op expects sparse tensors to be lowered before expansion, got 'tensor<4x4xf32, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 32, crdWidth = 32 }>>'}}
  %p, %v = autosage.pattern_of %a : tensor<4x4xf32, #CSR>
  return %v : tensor<?xf32>
}

// -----

// The first pass that looks at schedules refuses one for another target.
func.func @other_target(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error @below {{'autosage.spmm' op schedule family 'row_tasks' does not run on cpu, expects one of row_parallel}}
  %y = autosage.spmm sum %p, %x outs(%y0) schedule<row_tasks> : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

// A pattern that comes from nowhere cannot be replaced by its arrays.
func.func @no_arrays(%n: index) -> index {
  // expected-error @below {{failed to legalize operation 'builtin.unrealized_conversion_cast' that was explicitly marked illegal}}
  %p = builtin.unrealized_conversion_cast %n : index to !autosage.pattern<?x?, i32, i32>
  %0 = autosage.dim nnz %p : !autosage.pattern<?x?, i32, i32>
  return %0 : index
}
