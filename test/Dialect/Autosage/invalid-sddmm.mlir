// The constraints of autosage.sddmm.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

func.func @sddmm_c1_no_output(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>) {
  // expected-error @below {{'autosage.sddmm' op expects 1 output, got 0}}
  "autosage.sddmm"(%p, %q, %k) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1, 0>, combine = #autosage<combine dot>}> : (!autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>) -> ()
  return
}

// -----

func.func @sddmm_c1_q_rank(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4xf32>, %k: tensor<5xf32>,
                           %s0: tensor<?xf32>) {
  // expected-error @below {{'autosage.sddmm' op expects q to have rank 2 or 3, got 1}}
  %0 = autosage.sddmm dot %p, %q, %k
      outs(%s0) : !autosage.pattern<4x5, i32, i32>, tensor<4xf32>, tensor<5xf32> -> tensor<?xf32>
  return
}

// -----

func.func @sddmm_c1_q_rank_add(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x2x8xf32>, %k: tensor<5x2x8xf32>,
                               %s0: tensor<?x2xf32>) {
  // expected-error @below {{'autosage.sddmm' op expects q to have rank 2, got 3}}
  %0 = autosage.sddmm add %p, %q, %k
      outs(%s0) : !autosage.pattern<4x5, i32, i32>, tensor<4x2x8xf32>, tensor<5x2x8xf32> -> tensor<?x2xf32>
  return
}

// -----

func.func @sddmm_c1_k_rank(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x1x8xf32>,
                           %s0: tensor<?xf32>) {
  // expected-error @below {{'autosage.sddmm' op expects k to have rank 2, got 3}}
  %0 = autosage.sddmm dot %p, %q, %k
      outs(%s0) : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x1x8xf32> -> tensor<?xf32>
  return
}

// -----

func.func @sddmm_c1_outs_rank(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>,
                              %s0: tensor<?x1xf32>) {
  // expected-error @below {{'autosage.sddmm' op expects outs to have rank 1, got 2}}
  %0 = autosage.sddmm dot %p, %q, %k
      outs(%s0) : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32> -> tensor<?x1xf32>
  return
}

// -----

func.func @sddmm_c1_outs_rank_heads(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x2x8xf32>,
                                    %k: tensor<5x2x8xf32>, %s0: tensor<?xf32>) {
  // expected-error @below {{'autosage.sddmm' op expects outs to have rank 2, got 1}}
  %0 = autosage.sddmm dot %p, %q, %k
      outs(%s0) : !autosage.pattern<4x5, i32, i32>, tensor<4x2x8xf32>, tensor<5x2x8xf32> -> tensor<?xf32>
  return
}

// -----

func.func @sddmm_c1_outs_rank_add(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x2xf32>, %k: tensor<5x2xf32>,
                                  %s0: tensor<?xf32>) {
  // expected-error @below {{'autosage.sddmm' op expects outs to have rank 2, got 1}}
  %0 = autosage.sddmm add %p, %q, %k
      outs(%s0) : !autosage.pattern<4x5, i32, i32>, tensor<4x2xf32>, tensor<5x2xf32> -> tensor<?xf32>
  return
}

// -----

func.func @sddmm_c2_q_rows(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<5x8xf32>, %k: tensor<5x8xf32>,
                           %s0: tensor<?xf32>) {
  // expected-error @below {{'autosage.sddmm' op expects q to have 4 rows, got 5}}
  %0 = autosage.sddmm dot %p, %q, %k
      outs(%s0) : !autosage.pattern<4x5, i32, i32>, tensor<5x8xf32>, tensor<5x8xf32> -> tensor<?xf32>
  return
}

// -----

func.func @sddmm_c3_k_rows(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<4x8xf32>,
                           %s0: tensor<?xf32>) {
  // expected-error @below {{'autosage.sddmm' op expects k to have 5 rows, got 4}}
  %0 = autosage.sddmm dot %p, %q, %k
      outs(%s0) : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<4x8xf32> -> tensor<?xf32>
  return
}

// -----

func.func @sddmm_c4_inner(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x7xf32>,
                          %s0: tensor<?xf32>) {
  // expected-error @below {{'autosage.sddmm' op expects k to have the inner size of q, 8, got 7}}
  %0 = autosage.sddmm dot %p, %q, %k
      outs(%s0) : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x7xf32> -> tensor<?xf32>
  return
}

// -----

func.func @sddmm_c4_heads(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x2x8xf32>, %k: tensor<5x3x8xf32>,
                          %s0: tensor<?x2xf32>) {
  // expected-error @below {{'autosage.sddmm' op expects k to have 2 heads, got 3}}
  %0 = autosage.sddmm dot %p, %q, %k
      outs(%s0) : !autosage.pattern<4x5, i32, i32>, tensor<4x2x8xf32>, tensor<5x3x8xf32> -> tensor<?x2xf32>
  return
}

// -----

func.func @sddmm_c4_heads_add(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x2xf32>, %k: tensor<5x3xf32>,
                              %s0: tensor<?x2xf32>) {
  // expected-error @below {{'autosage.sddmm' op expects k to have the inner size of q, 2, got 3}}
  %0 = autosage.sddmm add %p, %q, %k
      outs(%s0) : !autosage.pattern<4x5, i32, i32>, tensor<4x2xf32>, tensor<5x3xf32> -> tensor<?x2xf32>
  return
}

// -----

func.func @sddmm_c5_entries(%rp: tensor<5xi32>, %ci: tensor<9xi32>, %n: index, %q: tensor<4x8xf32>,
                            %k: tensor<?x8xf32>, %s0: tensor<8xf32>) {
  // expected-error @below {{'autosage.sddmm' op expects outs to have 9 entries for the nonzeros, got 8}}
  %0 = autosage.sddmm dot on(%rp, %ci, %n : tensor<5xi32>, tensor<9xi32>, index), %q, %k
      outs(%s0) : tensor<4x8xf32>, tensor<?x8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @sddmm_c5_heads(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x2x8xf32>, %k: tensor<5x2x8xf32>,
                          %s0: tensor<?x3xf32>) {
  // expected-error @below {{'autosage.sddmm' op expects outs to have 2 heads, got 3}}
  %0 = autosage.sddmm dot %p, %q, %k
      outs(%s0) : !autosage.pattern<4x5, i32, i32>, tensor<4x2x8xf32>, tensor<5x2x8xf32> -> tensor<?x3xf32>
  return
}

// -----

func.func @sddmm_c5_heads_add(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x2xf32>, %k: tensor<5x2xf32>,
                              %s0: tensor<?x1xf32>) {
  // expected-error @below {{'autosage.sddmm' op expects outs to have 2 heads, got 1}}
  %0 = autosage.sddmm add %p, %q, %k
      outs(%s0) : !autosage.pattern<4x5, i32, i32>, tensor<4x2xf32>, tensor<5x2xf32> -> tensor<?x1xf32>
  return
}

// -----

func.func @sddmm_c6_entries(%rp: tensor<5xi32>, %ci: tensor<9xi32>, %n: index, %w: tensor<8xf32>,
                            %q: tensor<4x8xf32>, %k: tensor<?x8xf32>, %s0: tensor<9xf32>) {
  // expected-error @below {{'autosage.sddmm' op expects values to have 9 entries for the nonzeros, got 8}}
  %0 = autosage.sddmm dot on(%rp, %ci, %n : tensor<5xi32>, tensor<9xi32>, index)[%w : tensor<8xf32>], %q, %k
      outs(%s0) : tensor<4x8xf32>, tensor<?x8xf32> -> tensor<9xf32>
  return
}

// -----

func.func @sddmm_c6_heads(%p: !autosage.pattern<4x5, i32, i32>, %w: tensor<?x3xf32>, %q: tensor<4x2x8xf32>,
                          %k: tensor<5x2x8xf32>, %s0: tensor<?x2xf32>) {
  // expected-error @below {{'autosage.sddmm' op expects values to have 1 or 2 heads, got 3}}
  %0 = autosage.sddmm dot %p[%w : tensor<?x3xf32>], %q, %k
      outs(%s0) : !autosage.pattern<4x5, i32, i32>, tensor<4x2x8xf32>, tensor<5x2x8xf32> -> tensor<?x2xf32>
  return
}

// -----

func.func @sddmm_c7_k_type(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf16>,
                           %s0: tensor<?xf32>) {
  // expected-error @below {{'autosage.sddmm' op expects k to have the element type of q, 'f32', got 'f16'}}
  %0 = autosage.sddmm dot %p, %q, %k
      outs(%s0) : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf16> -> tensor<?xf32>
  return
}

// -----

func.func @sddmm_c7_values_type(%p: !autosage.pattern<4x5, i32, i32>, %w: tensor<?xbf16>, %q: tensor<4x8xf32>,
                                %k: tensor<5x8xf32>, %s0: tensor<?xf32>) {
  // expected-error @below {{'autosage.sddmm' op expects values to have the element type of q, 'f32', got 'bf16'}}
  %0 = autosage.sddmm dot %p[%w : tensor<?xbf16>], %q, %k
      outs(%s0) : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32> -> tensor<?xf32>
  return
}

// -----

func.func @sddmm_c7_outs_type(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf64>, %k: tensor<5x8xf64>,
                              %s0: tensor<?xf32>) {
  // expected-error @below {{'autosage.sddmm' op expects outs to have element type 'f64', got 'f32'}}
  %0 = autosage.sddmm dot %p, %q, %k
      outs(%s0) : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf64>, tensor<5x8xf64> -> tensor<?xf32>
  return
}
