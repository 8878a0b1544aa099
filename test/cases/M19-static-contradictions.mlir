// M19: static sizes that contradict each other are refused, with both numbers, and
// never become an access out of bounds.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics --autosage-cpu-pipeline

func.func @M19_rowptr(%rp: tensor<4xi32>, %ci: tensor<6xi32>, %n: index, %x: tensor<3x8xf32>, %y0: tensor<4x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects outs to have 3 rows, got 4}}
  %0 = autosage.spmm sum on(%rp, %ci, %n : tensor<4xi32>, tensor<6xi32>, index), %x outs(%y0) : tensor<3x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @M19_rowptr_of_pattern(%rp: tensor<4xi32>, %ci: tensor<6xi32>, %n: index) {
  // expected-error @below {{'autosage.pattern' op expects rowptr to have 5 entries for 4 rows, got 4}}
  %0 = autosage.pattern %rp, %ci, %n : tensor<4xi32>, tensor<6xi32> -> <4x3, i32, i32>
  return
}

// -----

func.func @M19_values(%rp: tensor<5xi32>, %ci: tensor<6xi32>, %n: index, %w: tensor<7xf32>, %x: tensor<3x8xf32>, %y0: tensor<4x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects values to have 6 entries for the nonzeros, got 7}}
  %0 = autosage.spmm sum on(%rp, %ci, %n : tensor<5xi32>, tensor<6xi32>, index)[%w : tensor<7xf32>], %x outs(%y0) : tensor<3x8xf32> -> tensor<4x8xf32>
  return
}

// -----

// The type of a pattern does not say how many entries it has, the arrays it is
// made of do.
func.func @M19_values_of_pattern(%rp: tensor<5xi32>, %ci: tensor<6xi32>, %n: index, %w: tensor<7xf32>, %x: tensor<3x8xf32>, %y0: tensor<4x8xf32>) {
  %p = autosage.pattern %rp, %ci, %n : tensor<5xi32>, tensor<6xi32> -> <4x3, i32, i32>
  // expected-error @below {{'autosage.spmm' op expects values to have 6 entries for the nonzeros, got 7}}
  %0 = autosage.spmm sum %p[%w : tensor<7xf32>], %x outs(%y0) : !autosage.pattern<4x3, i32, i32>, tensor<3x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @M19_features(%p: !autosage.pattern<4x3, i32, i32>, %x: tensor<3x8xf32>, %y0: tensor<4x9xf32>) {
  // expected-error @below {{'autosage.spmm' op expects outs to have 8 features, got 9}}
  %0 = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<4x3, i32, i32>, tensor<3x8xf32> -> tensor<4x9xf32>
  return
}

// -----

func.func @M19_inner(%p: !autosage.pattern<4x3, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<3x7xf32>, %s0: tensor<?xf32>) {
  // expected-error @below {{'autosage.sddmm' op expects k to have the inner size of q, 8, got 7}}
  %0 = autosage.sddmm dot %p, %q, %k outs(%s0) : !autosage.pattern<4x3, i32, i32>, tensor<4x8xf32>, tensor<3x7xf32> -> tensor<?xf32>
  return
}

// -----

func.func @M19_float_rowptr(%rp: tensor<5xf32>, %ci: tensor<6xi32>, %n: index, %x: tensor<3x8xf32>, %y0: tensor<4x8xf32>) {
  // expected-error @below {{'autosage.spmm' op operand #0 must be variadic of ranked tensor of 32-bit signless integer or 64-bit signless integer or index values or memref of 32-bit signless integer or 64-bit signless integer or index values or index, but got 'tensor<5xf32>'}}
  %0 = autosage.spmm sum on(%rp, %ci, %n : tensor<5xf32>, tensor<6xi32>, index), %x outs(%y0) : tensor<3x8xf32> -> tensor<4x8xf32>
  return
}

// -----

// The constant number of columns is a size, too.
func.func @M19_columns(%rp: tensor<5xi32>, %ci: tensor<6xi32>) {
  %n = arith.constant 3 : index
  // expected-error @below {{'autosage.pattern' op expects n_cols to be 4, got 3}}
  %0 = autosage.pattern %rp, %ci, %n : tensor<5xi32>, tensor<6xi32> -> <4x4, i32, i32>
  return
}
