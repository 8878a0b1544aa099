// M18: an element type that no kernel supports is refused by the verifier, with the
// list of those that are, and never reaches a later pass.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics --autosage-cpu-pipeline

func.func @M18_x_index(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xindex>, %y0: tensor<?x8xindex>) {
  // expected-error @below {{'autosage.spmm' op operand #1 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values or memref of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<?x8xindex>'}}
  %0 = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xindex> -> tensor<?x8xindex>
  return
}

// -----

func.func @M18_values_index(%p: !autosage.pattern<?x?, i32, i32>, %w: tensor<?xindex>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op operand #1 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values or memref of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<?xindex>'}}
  %0 = autosage.spmm sum %p[%w : tensor<?xindex>], %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M18_x_i1(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xi1>, %y0: tensor<?x8xi1>) {
  // expected-error @below {{'autosage.spmm' op operand #1 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values or memref of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<?x8xi1>'}}
  %0 = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xi1> -> tensor<?x8xi1>
  return
}

// -----

func.func @M18_values_i1(%p: !autosage.pattern<?x?, i32, i32>, %w: tensor<?xi1>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op operand #1 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values or memref of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<?xi1>'}}
  %0 = autosage.spmm sum %p[%w : tensor<?xi1>], %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M18_x_complex(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xcomplex<f32>>, %y0: tensor<?x8xcomplex<f32>>) {
  // expected-error @below {{'autosage.spmm' op operand #1 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values or memref of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<?x8xcomplex<f32>>'}}
  %0 = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xcomplex<f32>> -> tensor<?x8xcomplex<f32>>
  return
}

// -----

func.func @M18_values_complex(%p: !autosage.pattern<?x?, i32, i32>, %w: tensor<?xcomplex<f32>>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op operand #1 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values or memref of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<?xcomplex<f32>>'}}
  %0 = autosage.spmm sum %p[%w : tensor<?xcomplex<f32>>], %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M18_x_f8(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf8E4M3FN>, %y0: tensor<?x8xf8E4M3FN>) {
  // expected-error @below {{'autosage.spmm' op operand #1 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values or memref of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<?x8xf8E4M3FN>'}}
  %0 = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf8E4M3FN> -> tensor<?x8xf8E4M3FN>
  return
}

// -----

func.func @M18_values_f8(%p: !autosage.pattern<?x?, i32, i32>, %w: tensor<?xf8E4M3FN>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op operand #1 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values or memref of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<?xf8E4M3FN>'}}
  %0 = autosage.spmm sum %p[%w : tensor<?xf8E4M3FN>], %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M18_x_i64(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xi64>, %y0: tensor<?x8xi64>) {
  // expected-error @below {{'autosage.spmm' op operand #1 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values or memref of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<?x8xi64>'}}
  %0 = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xi64> -> tensor<?x8xi64>
  return
}

// -----

func.func @M18_values_i64(%p: !autosage.pattern<?x?, i32, i32>, %w: tensor<?xi64>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op operand #1 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values or memref of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<?xi64>'}}
  %0 = autosage.spmm sum %p[%w : tensor<?xi64>], %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M18_x_vector(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xvector<4xf32>>, %y0: tensor<?x8xvector<4xf32>>) {
  // expected-error @below {{'autosage.spmm' op operand #1 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values or memref of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<?x8xvector<4xf32>>'}}
  %0 = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xvector<4xf32>> -> tensor<?x8xvector<4xf32>>
  return
}

// -----

func.func @M18_values_vector(%p: !autosage.pattern<?x?, i32, i32>, %w: tensor<?xvector<4xf32>>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op operand #1 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values or memref of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<?xvector<4xf32>>'}}
  %0 = autosage.spmm sum %p[%w : tensor<?xvector<4xf32>>], %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M18_x_quant(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8x!quant.uniform<i8:f32, 1.000000e+00>>, %y0: tensor<?x8x!quant.uniform<i8:f32, 1.000000e+00>>) {
  // expected-error @below {{'autosage.spmm' op operand #1 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values or memref of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<?x8x!quant.uniform<i8:f32, 1.000000e+00>>'}}
  %0 = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8x!quant.uniform<i8:f32, 1.000000e+00>> -> tensor<?x8x!quant.uniform<i8:f32, 1.000000e+00>>
  return
}

// -----

func.func @M18_values_quant(%p: !autosage.pattern<?x?, i32, i32>, %w: tensor<?x!quant.uniform<i8:f32, 1.000000e+00>>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op operand #1 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values or memref of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<?x!quant.uniform<i8:f32, 1.000000e+00>>'}}
  %0 = autosage.spmm sum %p[%w : tensor<?x!quant.uniform<i8:f32, 1.000000e+00>>], %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M18_x_tf32(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xtf32>, %y0: tensor<?x8xtf32>) {
  // expected-error @below {{'autosage.spmm' op operand #1 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values or memref of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<?x8xtf32>'}}
  %0 = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xtf32> -> tensor<?x8xtf32>
  return
}

// -----

func.func @M18_values_tf32(%p: !autosage.pattern<?x?, i32, i32>, %w: tensor<?xtf32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op operand #1 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values or memref of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<?xtf32>'}}
  %0 = autosage.spmm sum %p[%w : tensor<?xtf32>], %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M18_buffer_i1(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %s: memref<?xi1>) {
  // expected-error @below {{'autosage.row_softmax' op operand #3 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values or memref of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'memref<?xi1>'}}
  autosage.row_softmax on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%s : memref<?xi1>] outs(%s) : memref<?xi1>
  return
}

// -----

func.func @M18_buffer_f8(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %s: memref<?xf8E4M3FN>) {
  // expected-error @below {{'autosage.row_softmax' op operand #3 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values or memref of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'memref<?xf8E4M3FN>'}}
  autosage.row_softmax on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%s : memref<?xf8E4M3FN>] outs(%s) : memref<?xf8E4M3FN>
  return
}

// -----

func.func @M18_buffer_i64(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %s: memref<?xi64>) {
  // expected-error @below {{'autosage.row_softmax' op operand #3 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values or memref of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'memref<?xi64>'}}
  autosage.row_softmax on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%s : memref<?xi64>] outs(%s) : memref<?xi64>
  return
}

// -----

// A tensor without a rank has no place for sizes.
func.func @M18_unranked(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<*xf32>, %y0: tensor<*xf32>) {
  // expected-error @below {{'autosage.spmm' op operand #1 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values or memref of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<*xf32>'}}
  %0 = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<*xf32> -> tensor<*xf32>
  return
}

// -----

func.func @M18_colind_i8(%rp: tensor<?xi32>, %ci: tensor<?xi8>, %n: index, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op operand #1 must be variadic of ranked tensor of 32-bit signless integer or 64-bit signless integer or index values or memref of 32-bit signless integer or 64-bit signless integer or index values or index, but got 'tensor<?xi8>'}}
  %0 = autosage.spmm sum on(%rp, %ci, %n : tensor<?xi32>, tensor<?xi8>, index), %x outs(%y0) : tensor<?x8xf32> -> tensor<?x8xf32>
  return
}
