// The constraints of autosage.pattern_of. Its types are inferred, so the first two
// are found while it is read.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

func.func @pattern_of_c1_dense(%a: tensor<4x4xf32>) {
  // expected-error @below {{'autosage.pattern_of' op expects a matrix with a sparse_tensor encoding, got 'tensor<4x4xf32>'}}
  %p, %v = autosage.pattern_of %a : tensor<4x4xf32>
  return
}

// -----

#E = #sparse_tensor.encoding<{map = (d0) -> (d0 : compressed)}>
func.func @pattern_of_c1_vector(%a: tensor<4xf32, #E>) {
  // expected-error @below {{op expects a matrix with a sparse_tensor encoding, got 'tensor<4xf32, #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>>'}}
  %p, %v = autosage.pattern_of %a : tensor<4xf32, #E>
  return
}

// -----

#E = #sparse_tensor.encoding<{map = (d0, d1) -> (d1 : dense, d0 : compressed)}>
func.func @pattern_of_c2_csc(%a: tensor<4x4xf32, #E>) {
  // expected-error @below {{op expects a row-compressed encoding, (d0, d1) -> (d0 : dense, d1 : compressed), got #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 : dense, d0 : compressed) }>}}
  %p, %v = autosage.pattern_of %a : tensor<4x4xf32, #E>
  return
}

// -----

#E = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : compressed, d1 : compressed)}>
func.func @pattern_of_c2_dcsr(%a: tensor<4x4xf32, #E>) {
  // expected-error @below {{op expects a row-compressed encoding, (d0, d1) -> (d0 : dense, d1 : compressed), got #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed, d1 : compressed) }>}}
  %p, %v = autosage.pattern_of %a : tensor<4x4xf32, #E>
  return
}

// -----

#E = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : compressed(nonunique), d1 : singleton)}>
func.func @pattern_of_c2_coo(%a: tensor<4x4xf32, #E>) {
  // expected-error @below {{op expects a row-compressed encoding, (d0, d1) -> (d0 : dense, d1 : compressed), got #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed(nonunique), d1 : singleton) }>}}
  %p, %v = autosage.pattern_of %a : tensor<4x4xf32, #E>
  return
}

// -----

#E = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, d1 mod 2 : dense)}>
func.func @pattern_of_c2_bsr(%a: tensor<4x4xf32, #E>) {
  // expected-error @below {{op expects a row-compressed encoding}}
  %p, %v = autosage.pattern_of %a : tensor<4x4xf32, #E>
  return
}

// -----

#E = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>
func.func @pattern_of_c3_type(%a: tensor<4x4xi32, #E>) {
  // expected-error @below {{op expects element type f16, bf16, f32 or f64, got 'i32'}}
  %p, %v = autosage.pattern_of %a : tensor<4x4xi32, #E>
  return
}

// -----

#E = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>
func.func @pattern_type_c1_of_a_tensor(%a: tensor<9223372036854775807x4xf32, #E>) {
  // expected-error @below {{'autosage.pattern_of' op expects rows to be at most 9223372036854775806, got 9223372036854775807}}
  %p, %v = autosage.pattern_of %a : tensor<9223372036854775807x4xf32, #E>
  return
}
