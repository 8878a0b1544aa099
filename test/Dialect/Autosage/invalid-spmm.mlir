// The constraints of autosage.spmm.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

func.func @spmm_c1_no_output(%p: !autosage.pattern<4x5, i32, i32>, %x: tensor<5x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects 1 output, got 0}}
  "autosage.spmm"(%p, %x) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 0>, reduction = #autosage<reduction sum>}> : (!autosage.pattern<4x5, i32, i32>, tensor<5x8xf32>) -> ()
  return
}

// -----

func.func @spmm_c1_two_outputs(%p: !autosage.pattern<4x5, i32, i32>, %x: tensor<5x8xf32>, %y0: tensor<4x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects 1 output, got 2}}
  %0:2 = autosage.spmm sum %p, %x
      outs(%y0, %y0) : !autosage.pattern<4x5, i32, i32>, tensor<5x8xf32> -> tensor<4x8xf32>, tensor<4x8xf32>
  return
}

// -----

func.func @spmm_c1_x_rank(%p: !autosage.pattern<4x5, i32, i32>, %x: tensor<5xf32>, %y0: tensor<4xf32>) {
  // expected-error @below {{'autosage.spmm' op expects x to have rank 2 or 3, got 1}}
  %0 = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<4x5, i32, i32>, tensor<5xf32> -> tensor<4xf32>
  return
}

// -----

func.func @spmm_c1_x_rank_4(%p: !autosage.pattern<4x5, i32, i32>, %x: tensor<5x1x1x8xf32>, %y0: tensor<4x1x1x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects x to have rank 2 or 3, got 4}}
  %0 = autosage.spmm sum %p, %x
      outs(%y0) : !autosage.pattern<4x5, i32, i32>, tensor<5x1x1x8xf32> -> tensor<4x1x1x8xf32>
  return
}

// -----

func.func @spmm_c1_outs_rank(%p: !autosage.pattern<4x5, i32, i32>, %x: tensor<5x8xf32>, %y0: tensor<4x1x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects outs to have rank 2, got 3}}
  %0 = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<4x5, i32, i32>, tensor<5x8xf32> -> tensor<4x1x8xf32>
  return
}

// -----

func.func @spmm_c2_outs_rows(%p: !autosage.pattern<4x5, i32, i32>, %x: tensor<5x8xf32>, %y0: tensor<5x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects outs to have 4 rows, got 5}}
  %0 = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<4x5, i32, i32>, tensor<5x8xf32> -> tensor<5x8xf32>
  return
}

// -----

func.func @spmm_c2_outs_rows_transposed(%p: !autosage.pattern<4x5, i32, i32>, %x: tensor<4x8xf32>,
                                        %y0: tensor<4x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects outs to have 5 rows, got 4}}
  %0 = autosage.spmm sum %p, %x
      outs(%y0) {transpose} : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @spmm_c2_outs_rows_of_arrays(%rp: tensor<5xi32>, %ci: tensor<9xi32>, %n: index, %x: tensor<?x8xf32>,
                                       %y0: tensor<5x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects outs to have 4 rows, got 5}}
  %0 = autosage.spmm sum on(%rp, %ci, %n : tensor<5xi32>, tensor<9xi32>, index), %x
      outs(%y0) : tensor<?x8xf32> -> tensor<5x8xf32>
  return
}

// -----

func.func @spmm_c3_x_rows(%p: !autosage.pattern<4x5, i32, i32>, %x: tensor<4x8xf32>, %y0: tensor<4x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects x to have 5 rows, got 4}}
  %0 = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @spmm_c3_x_rows_transposed(%p: !autosage.pattern<4x5, i32, i32>, %x: tensor<5x8xf32>,
                                     %y0: tensor<5x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects x to have 4 rows, got 5}}
  %0 = autosage.spmm sum %p, %x
      outs(%y0) {transpose} : !autosage.pattern<4x5, i32, i32>, tensor<5x8xf32> -> tensor<5x8xf32>
  return
}

// -----

func.func @spmm_c4_heads(%p: !autosage.pattern<4x5, i32, i32>, %x: tensor<5x2x8xf32>, %y0: tensor<4x3x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects outs to have 2 heads, got 3}}
  %0 = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<4x5, i32, i32>, tensor<5x2x8xf32> -> tensor<4x3x8xf32>
  return
}

// -----

func.func @spmm_c4_features(%p: !autosage.pattern<4x5, i32, i32>, %x: tensor<5x8xf32>, %y0: tensor<4x9xf32>) {
  // expected-error @below {{'autosage.spmm' op expects outs to have 8 features, got 9}}
  %0 = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<4x5, i32, i32>, tensor<5x8xf32> -> tensor<4x9xf32>
  return
}

// -----

func.func @spmm_c4_features_with_heads(%p: !autosage.pattern<4x5, i32, i32>, %x: tensor<5x2x8xf32>,
                                       %y0: tensor<4x2x4xf32>) {
  // expected-error @below {{'autosage.spmm' op expects outs to have 8 features, got 4}}
  %0 = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<4x5, i32, i32>, tensor<5x2x8xf32> -> tensor<4x2x4xf32>
  return
}

// -----

func.func @spmm_c5_values_rank(%p: !autosage.pattern<4x5, i32, i32>, %w: tensor<9x1x1xf32>, %x: tensor<5x8xf32>,
                               %y0: tensor<4x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects values to have rank 1 or 2, got 3}}
  %0 = autosage.spmm sum %p[%w : tensor<9x1x1xf32>], %x
      outs(%y0) : !autosage.pattern<4x5, i32, i32>, tensor<5x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @spmm_c5_values_entries(%rp: tensor<5xi32>, %ci: tensor<9xi32>, %n: index, %w: tensor<7xf32>,
                                  %x: tensor<?x8xf32>, %y0: tensor<4x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects values to have 9 entries for the nonzeros, got 7}}
  %0 = autosage.spmm sum on(%rp, %ci, %n : tensor<5xi32>, tensor<9xi32>, index)[%w : tensor<7xf32>], %x
      outs(%y0) : tensor<?x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @spmm_c5_values_heads(%p: !autosage.pattern<4x5, i32, i32>, %w: tensor<?x3xf32>, %x: tensor<5x2x8xf32>,
                                %y0: tensor<4x2x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects values to have 1 or 2 heads, got 3}}
  %0 = autosage.spmm sum %p[%w : tensor<?x3xf32>], %x
      outs(%y0) : !autosage.pattern<4x5, i32, i32>, tensor<5x2x8xf32> -> tensor<4x2x8xf32>
  return
}

// -----

func.func @spmm_c5_values_heads_without_heads(%p: !autosage.pattern<4x5, i32, i32>, %w: tensor<?x2xf32>,
                                              %x: tensor<5x8xf32>, %y0: tensor<4x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects values to have 1 head, got 2}}
  %0 = autosage.spmm sum %p[%w : tensor<?x2xf32>], %x
      outs(%y0) : !autosage.pattern<4x5, i32, i32>, tensor<5x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @spmm_c6_values_type(%p: !autosage.pattern<4x5, i32, i32>, %w: tensor<?xf64>, %x: tensor<5x8xf32>,
                               %y0: tensor<4x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects values to have the element type of x, 'f32', got 'f64'}}
  %0 = autosage.spmm sum %p[%w : tensor<?xf64>], %x
      outs(%y0) : !autosage.pattern<4x5, i32, i32>, tensor<5x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @spmm_c6_outs_type(%p: !autosage.pattern<4x5, i32, i32>, %x: tensor<5x8xf32>, %y0: tensor<4x8xf64>) {
  // expected-error @below {{'autosage.spmm' op expects outs to have element type 'f32', got 'f64'}}
  %0 = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<4x5, i32, i32>, tensor<5x8xf32> -> tensor<4x8xf64>
  return
}

// -----

func.func @spmm_c6_outs_type_narrow(%p: !autosage.pattern<4x5, i32, i32>, %x: tensor<5x8xf16>,
                                    %y0: tensor<4x8xbf16>) {
  // expected-error @below {{'autosage.spmm' op expects outs to have element type 'f16' or f32, got 'bf16'}}
  %0 = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<4x5, i32, i32>, tensor<5x8xf16> -> tensor<4x8xbf16>
  return
}

// -----

func.func @spmm_c7_accumulate_max(%p: !autosage.pattern<4x5, i32, i32>, %x: tensor<5x8xf32>, %y0: tensor<4x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects sum or mean with accumulate, got max}}
  %0 = autosage.spmm max %p, %x
      outs(%y0) {accumulate} : !autosage.pattern<4x5, i32, i32>, tensor<5x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @spmm_c7_accumulate_min(%p: !autosage.pattern<4x5, i32, i32>, %x: tensor<5x8xf32>, %y0: tensor<4x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects sum or mean with accumulate, got min}}
  %0 = autosage.spmm min %p, %x
      outs(%y0) {accumulate} : !autosage.pattern<4x5, i32, i32>, tensor<5x8xf32> -> tensor<4x8xf32>
  return
}
