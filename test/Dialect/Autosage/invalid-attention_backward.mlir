// The constraints of autosage.attention_backward.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

func.func @attention_backward_c1_two_outputs(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects 3 outputs, got 2}}
  %0:2 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<5x8xf32>
  return
}

// -----

func.func @attention_backward_c1_dbias_without_bias(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>, %g3: tensor<?xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects 3 outputs, got 4}}
  %0:4 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2, %g3)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<?xf32>
  return
}

// -----

func.func @attention_backward_c1_too_many_outputs(%p: !autosage.pattern<4x5, i32, i32>, %b: tensor<?xf32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>, %g3: tensor<?xf32>, %g4: tensor<?xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects 3 or 4 outputs, got 5}}
  %0:5 = autosage.attention_backward dot %p[%b : tensor<?xf32>], %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2, %g3, %g4)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<?xf32>, tensor<?xf32>
  return
}

// -----

func.func @attention_backward_c1_no_dvec(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %a: tensor<1x8xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects 4 outputs, got 3}}
  %0:3 = autosage.attention_backward gatv2 %p, %q, %k, %v vec(%a : tensor<1x8xf32>) from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_c1_v_rank(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects v to have rank 2 or 3, got 1}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5xf32>
  return
}

// -----

func.func @attention_backward_c1_v_rank_gat(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects v to have rank 3, got 2}}
  %0:3 = autosage.attention_backward gat %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_c1_q_rank(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x2x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x2x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects q to have rank 2, got 3}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x2x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x2x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_c1_o_rank(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x1x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects o to have rank 2, got 3}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x1x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_c1_d_o_rank(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x1x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects d_o to have rank 2, got 3}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x1x16xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_c2_q_rows(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<3x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<3x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects q to have 4 rows, got 3}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<3x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<3x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_c2_o_rows(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<3x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects o to have 4 rows, got 3}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<3x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_c2_lse_rows(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<3xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects lse to have 4 rows, got 3}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<3xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_c2_d_o_rows(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<3x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects d_o to have 4 rows, got 3}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<3x16xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_c3_k_rows(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<4x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<4x8xf32>, %g2: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects k to have 5 rows, got 4}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<4x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_c3_v_rows(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<4x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<4x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects v to have 5 rows, got 4}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<4x16xf32>
  return
}

// -----

func.func @attention_backward_c4_k_width(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x9xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x9xf32>, %g2: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects k to have the inner size of q, 8, got 9}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x9xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<5x9xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_c4_o_width(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x8xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects o to have the inner size of v, 16, got 8}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_c4_d_o_width(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x8xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects d_o to have the inner size of v, 16, got 8}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x8xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_c4_q_heads(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x3x8xf32>, %k: tensor<5x3x8xf32>, %v: tensor<5x2x16xf32>, %o: tensor<4x2x16xf32>, %l: tensor<4x2xf32>, %do: tensor<4x2x16xf32>, %g0: tensor<4x3x8xf32>, %g1: tensor<5x3x8xf32>, %g2: tensor<5x2x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects q to have 2 heads, got 3}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x3x8xf32>, tensor<5x3x8xf32>, tensor<5x2x16xf32>, tensor<4x2x16xf32>, tensor<4x2xf32>, tensor<4x2x16xf32> -> tensor<4x3x8xf32>, tensor<5x3x8xf32>, tensor<5x2x16xf32>
  return
}

// -----

func.func @attention_backward_c5_missing(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>, %g3: tensor<1x8xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects vec for gatv2 and for no other score, got gatv2 without vec}}
  %0:4 = autosage.attention_backward gatv2 %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2, %g3)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<1x8xf32>
  return
}

// -----

func.func @attention_backward_c5_unwanted(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %a: tensor<1x8xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects vec for gatv2 and for no other score, got dot with vec}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v vec(%a : tensor<1x8xf32>) from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_c5_features(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %a: tensor<1x9xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>, %g3: tensor<1x9xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects vec to have 8 features, got 9}}
  %0:4 = autosage.attention_backward gatv2 %p, %q, %k, %v vec(%a : tensor<1x9xf32>) from(%o, %l, %do)
      outs(%g0, %g1, %g2, %g3)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<1x9xf32>
  return
}

// -----

func.func @attention_backward_c6_heads(%p: !autosage.pattern<4x5, i32, i32>, %b: tensor<?x3xf32>, %q: tensor<4x2x8xf32>, %k: tensor<5x2x8xf32>, %v: tensor<5x2x16xf32>, %o: tensor<4x2x16xf32>, %l: tensor<4x2xf32>, %do: tensor<4x2x16xf32>, %g0: tensor<4x2x8xf32>, %g1: tensor<5x2x8xf32>, %g2: tensor<5x2x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects bias to have 1 or 2 heads, got 3}}
  %0:3 = autosage.attention_backward dot %p[%b : tensor<?x3xf32>], %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x2x8xf32>, tensor<5x2x8xf32>, tensor<5x2x16xf32>, tensor<4x2x16xf32>, tensor<4x2xf32>, tensor<4x2x16xf32> -> tensor<4x2x8xf32>, tensor<5x2x8xf32>, tensor<5x2x16xf32>
  return
}

// -----

func.func @attention_backward_c7_k_type(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf64>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf64>, %g2: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects k to have the element type of q, 'f32', got 'f64'}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf64>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<5x8xf64>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_c7_o_type(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf64>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects o to have element type 'f32', got 'f64'}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf64>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_c7_lse_type(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf16>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects lse to have element type 'f32', got 'f16'}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf16>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_c7_d_o_type(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf64>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects d_o to have element type 'f32', got 'f64'}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf64> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_c7_dq_type(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf64>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects dq to have element type 'f32', got 'f64'}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf64>, tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_c8_rank(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4x1xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects lse to have rank 1, got 2}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4x1xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_c8_heads(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x2x8xf32>, %k: tensor<5x2x8xf32>, %v: tensor<5x2x16xf32>, %o: tensor<4x2x16xf32>, %l: tensor<4x3xf32>, %do: tensor<4x2x16xf32>, %g0: tensor<4x2x8xf32>, %g1: tensor<5x2x8xf32>, %g2: tensor<5x2x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects lse to have 2 heads, got 3}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x2x8xf32>, tensor<5x2x8xf32>, tensor<5x2x16xf32>, tensor<4x2x16xf32>, tensor<4x3xf32>, tensor<4x2x16xf32> -> tensor<4x2x8xf32>, tensor<5x2x8xf32>, tensor<5x2x16xf32>
  return
}

// -----

func.func @attention_backward_c9_dq_rank(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x1x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects dq to have rank 2, got 3}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x1x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_c9_dk_sizes(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<4x8xf32>, %g2: tensor<5x16xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects dk to have the sizes of k, 'tensor<5x8xf32>', got 'tensor<4x8xf32>'}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<4x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_c9_dv_sizes(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x8xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects dv to have the sizes of v, 'tensor<5x16xf32>', got 'tensor<5x8xf32>'}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x8xf32>
  return
}

// -----

func.func @attention_backward_c9_dvec_sizes(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %a: tensor<1x8xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>, %g3: tensor<2x8xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects dvec to have the sizes of vec, 'tensor<1x8xf32>', got 'tensor<2x8xf32>'}}
  %0:4 = autosage.attention_backward gatv2 %p, %q, %k, %v vec(%a : tensor<1x8xf32>) from(%o, %l, %do)
      outs(%g0, %g1, %g2, %g3)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<2x8xf32>
  return
}

// -----

func.func @attention_backward_c9_dbias_rank(%p: !autosage.pattern<4x5, i32, i32>, %b: tensor<?xf32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %g0: tensor<4x8xf32>, %g1: tensor<5x8xf32>, %g2: tensor<5x16xf32>, %g3: tensor<?x1xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects dbias to have rank 1, got 2}}
  %0:4 = autosage.attention_backward dot %p[%b : tensor<?xf32>], %q, %k, %v from(%o, %l, %do)
      outs(%g0, %g1, %g2, %g3)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<?x1xf32>
  return
}

// -----

func.func @attention_backward_c10_count(%p: !autosage.pattern<4x5, i32, i32>, %t: tensor<6xi32>, %e: tensor<?xi32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %l: tensor<4xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects positions, coordinates and permutation for transposed, got 2 arrays}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %k from(%q, %l, %q) transposed(%t, %e : tensor<6xi32>, tensor<?xi32>)
      outs(%q, %k, %k)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x8xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4x8xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x8xf32>
  return
}

// -----

func.func @attention_backward_c10_rank(%p: !autosage.pattern<4x5, i32, i32>, %t: tensor<6x1xi32>, %e: tensor<?xi32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %l: tensor<4xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects transposed positions to have rank 1, got 2}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %k from(%q, %l, %q) transposed(%t, %e, %e : tensor<6x1xi32>, tensor<?xi32>, tensor<?xi32>)
      outs(%q, %k, %k)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x8xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4x8xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x8xf32>
  return
}

// -----

func.func @attention_backward_c10_columns(%p: !autosage.pattern<4x5, i32, i32>, %t: tensor<5xi32>, %e: tensor<?xi32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %l: tensor<4xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects transposed positions to have 6 entries, got 5}}
  %0:3 = autosage.attention_backward dot %p, %q, %k, %k from(%q, %l, %q) transposed(%t, %e, %e : tensor<5xi32>, tensor<?xi32>, tensor<?xi32>)
      outs(%q, %k, %k)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x8xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4x8xf32> -> tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x8xf32>
  return
}
