// The constraints of autosage.attention.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

func.func @attention_c1_no_output(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>,
                                  %v: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects 1 or 2 outputs, got 0}}
  "autosage.attention"(%p, %q, %k, %v) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1, 1, 0, 0>, score = #autosage<score dot>}> : (!autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>) -> ()
  return
}

// -----

func.func @attention_c1_three_outputs(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>,
                                      %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o0: tensor<4x16xf32>,
                                      %l0: tensor<4xf32>) {
  // expected-error @below {{'autosage.attention' op expects 1 or 2 outputs, got 3}}
  %0:3 = autosage.attention dot %p, %q, %k, %v
      outs(%o0, %l0, %l0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32> -> tensor<4x16xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @attention_c1_v_rank(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>,
                               %v: tensor<5xf32>, %o0: tensor<4x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects v to have rank 2 or 3, got 1}}
  %0 = autosage.attention dot %p, %q, %k, %v
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @attention_c1_v_rank_gat(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x2xf32>, %k: tensor<5x2xf32>,
                                   %v: tensor<5x16xf32>, %o0: tensor<4x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects v to have rank 3, got 2}}
  %0 = autosage.attention gat %p, %q, %k, %v
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x2xf32>, tensor<5x2xf32>, tensor<5x16xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @attention_c1_q_rank(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x2x8xf32>, %k: tensor<5x2x8xf32>,
                               %v: tensor<5x16xf32>, %o0: tensor<4x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects q to have rank 2, got 3}}
  %0 = autosage.attention dot %p, %q, %k, %v
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x2x8xf32>, tensor<5x2x8xf32>, tensor<5x16xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @attention_c1_q_rank_gat(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x2x8xf32>,
                                   %k: tensor<5x2x8xf32>, %v: tensor<5x2x16xf32>, %o0: tensor<4x2x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects q to have rank 2, got 3}}
  %0 = autosage.attention gat %p, %q, %k, %v
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x2x8xf32>, tensor<5x2x8xf32>, tensor<5x2x16xf32> -> tensor<4x2x16xf32>
  return
}

// -----

func.func @attention_c1_outs_rank(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>,
                                  %v: tensor<5x16xf32>, %o0: tensor<4x2x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects outs to have rank 2, got 3}}
  %0 = autosage.attention dot %p, %q, %k, %v
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32> -> tensor<4x2x16xf32>
  return
}

// -----

func.func @attention_c1_k_rank(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x2x8xf32>,
                               %v: tensor<5x16xf32>, %o0: tensor<4x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects k to have rank 2, got 3}}
  %0 = autosage.attention dot %p, %q, %k, %v
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x2x8xf32>, tensor<5x16xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @attention_c2_q_rows(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<5x8xf32>, %k: tensor<5x8xf32>,
                               %v: tensor<5x16xf32>, %o0: tensor<4x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects q to have 4 rows, got 5}}
  %0 = autosage.attention dot %p, %q, %k, %v
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<5x8xf32>, tensor<5x8xf32>, tensor<5x16xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @attention_c2_outs_rows(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>,
                                  %v: tensor<5x16xf32>, %o0: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects outs to have 4 rows, got 5}}
  %0 = autosage.attention dot %p, %q, %k, %v
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32> -> tensor<5x16xf32>
  return
}

// -----

func.func @attention_c2_log_sum_exp_rows(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>,
                                         %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o0: tensor<4x16xf32>,
                                         %l0: tensor<5xf32>) {
  // expected-error @below {{'autosage.attention' op expects log-sum-exp to have 4 rows, got 5}}
  %0:2 = autosage.attention dot %p, %q, %k, %v
      outs(%o0, %l0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32> -> tensor<4x16xf32>, tensor<5xf32>
  return
}

// -----

func.func @attention_c2_log_sum_exp_rows_of_pattern(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<?x8xf32>,
                                                    %k: tensor<5x8xf32>, %v: tensor<5x16xf32>,
                                                    %o0: tensor<?x16xf32>, %l0: tensor<5xf32>) {
  // expected-error @below {{'autosage.attention' op expects log-sum-exp to have 4 rows, got 5}}
  %0:2 = autosage.attention dot %p, %q, %k, %v
      outs(%o0, %l0)
      : !autosage.pattern<4x5, i32, i32>, tensor<?x8xf32>, tensor<5x8xf32>, tensor<5x16xf32> -> tensor<?x16xf32>, tensor<5xf32>
  return
}

// -----

func.func @attention_c3_k_rows(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<4x8xf32>,
                               %v: tensor<5x16xf32>, %o0: tensor<4x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects k to have 5 rows, got 4}}
  %0 = autosage.attention dot %p, %q, %k, %v
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<5x16xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @attention_c3_v_rows(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>,
                               %v: tensor<4x16xf32>, %o0: tensor<4x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects v to have 5 rows, got 4}}
  %0 = autosage.attention dot %p, %q, %k, %v
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<4x16xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @attention_c4_inner(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x7xf32>,
                              %v: tensor<5x16xf32>, %o0: tensor<4x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects k to have the inner size of q, 8, got 7}}
  %0 = autosage.attention dot %p, %q, %k, %v
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x7xf32>, tensor<5x16xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @attention_c4_k_heads(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x2x8xf32>, %k: tensor<5x3x8xf32>,
                                %v: tensor<5x2x16xf32>, %o0: tensor<4x2x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects k to have 2 heads, got 3}}
  %0 = autosage.attention dot %p, %q, %k, %v
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x2x8xf32>, tensor<5x3x8xf32>, tensor<5x2x16xf32> -> tensor<4x2x16xf32>
  return
}

// -----

func.func @attention_c4_q_heads(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x3x8xf32>, %k: tensor<5x3x8xf32>,
                                %v: tensor<5x2x16xf32>, %o0: tensor<4x2x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects q to have 2 heads, got 3}}
  %0 = autosage.attention dot %p, %q, %k, %v
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x3x8xf32>, tensor<5x3x8xf32>, tensor<5x2x16xf32> -> tensor<4x2x16xf32>
  return
}

// -----

func.func @attention_c4_q_heads_gat(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x3xf32>, %k: tensor<5x3xf32>,
                                    %v: tensor<5x2x16xf32>, %o0: tensor<4x2x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects q to have 2 heads, got 3}}
  %0 = autosage.attention gat %p, %q, %k, %v
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x3xf32>, tensor<5x3xf32>, tensor<5x2x16xf32> -> tensor<4x2x16xf32>
  return
}

// -----

func.func @attention_c4_outs_heads(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x2x8xf32>,
                                   %k: tensor<5x2x8xf32>, %v: tensor<5x2x16xf32>, %o0: tensor<4x3x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects outs to have 2 heads, got 3}}
  %0 = autosage.attention dot %p, %q, %k, %v
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x2x8xf32>, tensor<5x2x8xf32>, tensor<5x2x16xf32> -> tensor<4x3x16xf32>
  return
}

// -----

func.func @attention_c4_width(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>,
                              %v: tensor<5x16xf32>, %o0: tensor<4x8xf32>) {
  // expected-error @below {{'autosage.attention' op expects outs to have the inner size of v, 16, got 8}}
  %0 = autosage.attention dot %p, %q, %k, %v
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @attention_c4_log_sum_exp_heads(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x2x8xf32>,
                                          %k: tensor<5x2x8xf32>, %v: tensor<5x2x16xf32>, %o0: tensor<4x2x16xf32>,
                                          %l0: tensor<4x3xf32>) {
  // expected-error @below {{'autosage.attention' op expects log-sum-exp to have 2 heads, got 3}}
  %0:2 = autosage.attention dot %p, %q, %k, %v
      outs(%o0, %l0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x2x8xf32>, tensor<5x2x8xf32>, tensor<5x2x16xf32> -> tensor<4x2x16xf32>, tensor<4x3xf32>
  return
}

// -----

func.func @attention_c5_missing(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>,
                                %v: tensor<5x16xf32>, %o0: tensor<4x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects vec for gatv2 and for no other score, got gatv2 without vec}}
  %0 = autosage.attention gatv2 %p, %q, %k, %v
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @attention_c5_superfluous(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>,
                                    %v: tensor<5x16xf32>, %a: tensor<1x8xf32>, %o0: tensor<4x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects vec for gatv2 and for no other score, got dot with vec}}
  %0 = autosage.attention dot %p, %q, %k, %v vec(%a : tensor<1x8xf32>)
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @attention_c5_rank(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>,
                             %v: tensor<5x16xf32>, %a: tensor<8xf32>, %o0: tensor<4x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects vec to have rank 2, got 1}}
  %0 = autosage.attention gatv2 %p, %q, %k, %v vec(%a : tensor<8xf32>)
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @attention_c5_heads(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x2x8xf32>, %k: tensor<5x2x8xf32>,
                              %v: tensor<5x2x16xf32>, %a: tensor<1x8xf32>, %o0: tensor<4x2x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects vec to have 2 heads, got 1}}
  %0 = autosage.attention gatv2 %p, %q, %k, %v vec(%a : tensor<1x8xf32>)
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x2x8xf32>, tensor<5x2x8xf32>, tensor<5x2x16xf32> -> tensor<4x2x16xf32>
  return
}

// -----

func.func @attention_c5_features(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>,
                                 %v: tensor<5x16xf32>, %a: tensor<1x16xf32>, %o0: tensor<4x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects vec to have 8 features, got 16}}
  %0 = autosage.attention gatv2 %p, %q, %k, %v vec(%a : tensor<1x16xf32>)
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @attention_c6_rank(%p: !autosage.pattern<4x5, i32, i32>, %b: tensor<f32>, %q: tensor<4x8xf32>,
                             %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o0: tensor<4x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects bias to have rank 1 or 2, got 0}}
  %0 = autosage.attention dot %p[%b : tensor<f32>], %q, %k, %v
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @attention_c6_entries(%rp: tensor<5xi32>, %ci: tensor<9xi32>, %n: index, %b: tensor<8xf32>,
                                %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>,
                                %o0: tensor<4x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects bias to have 9 entries for the nonzeros, got 8}}
  %0 = autosage.attention dot on(%rp, %ci, %n : tensor<5xi32>, tensor<9xi32>, index)[%b : tensor<8xf32>], %q, %k, %v
      outs(%o0) : tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @attention_c6_heads(%p: !autosage.pattern<4x5, i32, i32>, %b: tensor<?x4xf32>, %q: tensor<4x2x8xf32>,
                              %k: tensor<5x2x8xf32>, %v: tensor<5x2x16xf32>, %o0: tensor<4x2x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects bias to have 1 or 2 heads, got 4}}
  %0 = autosage.attention dot %p[%b : tensor<?x4xf32>], %q, %k, %v
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x2x8xf32>, tensor<5x2x8xf32>, tensor<5x2x16xf32> -> tensor<4x2x16xf32>
  return
}

// -----

func.func @attention_c7_k_type(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf64>,
                               %v: tensor<5x16xf32>, %o0: tensor<4x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects k to have the element type of q, 'f32', got 'f64'}}
  %0 = autosage.attention dot %p, %q, %k, %v
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf64>, tensor<5x16xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @attention_c7_v_type(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>,
                               %v: tensor<5x16xf64>, %o0: tensor<4x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects v to have the element type of q, 'f32', got 'f64'}}
  %0 = autosage.attention dot %p, %q, %k, %v
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf64> -> tensor<4x16xf32>
  return
}

// -----

func.func @attention_c7_bias_type(%p: !autosage.pattern<4x5, i32, i32>, %b: tensor<?xf64>, %q: tensor<4x8xf32>,
                                  %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o0: tensor<4x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects bias to have the element type of q, 'f32', got 'f64'}}
  %0 = autosage.attention dot %p[%b : tensor<?xf64>], %q, %k, %v
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @attention_c7_vec_type(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>,
                                 %v: tensor<5x16xf32>, %a: tensor<1x8xf64>, %o0: tensor<4x16xf32>) {
  // expected-error @below {{'autosage.attention' op expects vec to have the element type of q, 'f32', got 'f64'}}
  %0 = autosage.attention gatv2 %p, %q, %k, %v vec(%a : tensor<1x8xf64>)
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @attention_c7_outs_type(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>,
                                  %v: tensor<5x16xf32>, %o0: tensor<4x16xf64>) {
  // expected-error @below {{'autosage.attention' op expects outs to have element type 'f32', got 'f64'}}
  %0 = autosage.attention dot %p, %q, %k, %v
      outs(%o0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32> -> tensor<4x16xf64>
  return
}

// -----

func.func @attention_c7_log_sum_exp_type(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>,
                                         %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o0: tensor<4x16xf32>,
                                         %l0: tensor<4xf64>) {
  // expected-error @below {{'autosage.attention' op expects log-sum-exp to have element type 'f32', got 'f64'}}
  %0:2 = autosage.attention dot %p, %q, %k, %v
      outs(%o0, %l0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32> -> tensor<4x16xf32>, tensor<4xf64>
  return
}

// -----

func.func @attention_c8_rank(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>,
                             %v: tensor<5x16xf32>, %o0: tensor<4x16xf32>, %l0: tensor<4x1xf32>) {
  // expected-error @below {{'autosage.attention' op expects log-sum-exp to have rank 1, got 2}}
  %0:2 = autosage.attention dot %p, %q, %k, %v
      outs(%o0, %l0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32> -> tensor<4x16xf32>, tensor<4x1xf32>
  return
}

// -----

func.func @attention_c8_rank_heads(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x2x8xf32>,
                                   %k: tensor<5x2x8xf32>, %v: tensor<5x2x16xf32>, %o0: tensor<4x2x16xf32>,
                                   %l0: tensor<4xf32>) {
  // expected-error @below {{'autosage.attention' op expects log-sum-exp to have rank 2, got 1}}
  %0:2 = autosage.attention dot %p, %q, %k, %v
      outs(%o0, %l0)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x2x8xf32>, tensor<5x2x8xf32>, tensor<5x2x16xf32> -> tensor<4x2x16xf32>, tensor<4xf32>
  return
}
