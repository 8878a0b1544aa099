// A pattern that cannot be replaced by its arrays is an error, never one that
// stays.
//
// RUN: autosage-opt %s --autosage-expand-pattern -split-input-file -verify-diagnostics

#CSR = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>

func.func @pattern_of(%a: tensor<4x4xf32, #CSR>) -> index {
  // expected-error @below {{'autosage.pattern_of' op expects sparse tensors to be lowered before expansion, got 'tensor<4x4xf32, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>>'}}
  %p, %v = autosage.pattern_of %a : tensor<4x4xf32, #CSR>
  %0 = autosage.dim nnz %p : !autosage.pattern<4x4, index, index>
  return %0 : index
}

// -----

// A block that no branch reaches.
func.func @unreachable() {
  return
// expected-error @below {{expects no pattern after expansion, got a block argument of type '!autosage.pattern<?x?, i32, i32>'}}
^bb1(%p: !autosage.pattern<?x?, i32, i32>):
  return
}

// -----

// An op that knows nothing of patterns.
func.func @unknown(%p: !autosage.pattern<?x?, i32, i32>) -> !llvm.ptr {
  // expected-error @below {{failed to legalize operation 'builtin.unrealized_conversion_cast' that was explicitly marked illegal}}
  %0 = builtin.unrealized_conversion_cast %p : !autosage.pattern<?x?, i32, i32> to !llvm.ptr
  return %0 : !llvm.ptr
}
