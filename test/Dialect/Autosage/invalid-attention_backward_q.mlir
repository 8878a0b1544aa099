// The constraints of autosage.attention_backward_q.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

func.func @attention_backward_q_c1_one_output(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %a: tensor<1x8xf32>, %dq: tensor<4x8xf32>, %dl: tensor<4xf32>, %vp: tensor<4x8xf32>, %ds: tensor<?xf32>) {
  // expected-error @below {{'autosage.attention_backward_q' op expects 2 or 3 outputs, got 1}}
  %0:1 = autosage.attention_backward_q dot %p, %q, %k, %v from(%o, %l, %do) outs(%dq)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @attention_backward_q_c1_no_parts(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %a: tensor<1x8xf32>, %dq: tensor<4x8xf32>, %dl: tensor<4xf32>, %vp: tensor<4x8xf32>, %ds: tensor<?xf32>) {
  // expected-error @below {{'autosage.attention_backward_q' op expects 3 or 4 outputs, got 2}}
  %0:2 = autosage.attention_backward_q gatv2 %p, %q, %k, %v vec(%a : tensor<1x8xf32>) from(%o, %l, %do) outs(%dq, %dl)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<4xf32>
  return
}

// -----

func.func @attention_backward_q_c1_rank(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x1x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %a: tensor<1x8xf32>, %dq: tensor<4x8xf32>, %dl: tensor<4xf32>, %vp: tensor<4x8xf32>, %ds: tensor<?xf32>) {
  // expected-error @below {{'autosage.attention_backward_q' op expects q to have rank 2, got 3}}
  %0:2 = autosage.attention_backward_q dot %p, %q, %k, %v from(%o, %l, %do) outs(%dq, %dl)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x1x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<4xf32>
  return
}

// -----

func.func @attention_backward_q_c2_rows(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<3x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %a: tensor<1x8xf32>, %dq: tensor<4x8xf32>, %dl: tensor<4xf32>, %vp: tensor<4x8xf32>, %ds: tensor<?xf32>) {
  // expected-error @below {{'autosage.attention_backward_q' op expects o to have 4 rows, got 3}}
  %0:2 = autosage.attention_backward_q dot %p, %q, %k, %v from(%o, %l, %do) outs(%dq, %dl)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<3x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<4xf32>
  return
}

// -----

func.func @attention_backward_q_c2_rows_of_delta(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %a: tensor<1x8xf32>, %dq: tensor<4x8xf32>, %dl: tensor<5xf32>, %vp: tensor<4x8xf32>, %ds: tensor<?xf32>) {
  // expected-error @below {{'autosage.attention_backward_q' op expects delta to have 4 rows, got 5}}
  %0:2 = autosage.attention_backward_q dot %p, %q, %k, %v from(%o, %l, %do) outs(%dq, %dl)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<5xf32>
  return
}

// -----

func.func @attention_backward_q_c3_rows(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<4x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %a: tensor<1x8xf32>, %dq: tensor<4x8xf32>, %dl: tensor<4xf32>, %vp: tensor<4x8xf32>, %ds: tensor<?xf32>) {
  // expected-error @below {{'autosage.attention_backward_q' op expects v to have 5 rows, got 4}}
  %0:2 = autosage.attention_backward_q dot %p, %q, %k, %v from(%o, %l, %do) outs(%dq, %dl)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<4xf32>
  return
}

// -----

func.func @attention_backward_q_c4_vec(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %a: tensor<1x8xf32>, %dq: tensor<4x8xf32>, %dl: tensor<4xf32>, %vp: tensor<4x8xf32>, %ds: tensor<?xf32>) {
  // expected-error @below {{'autosage.attention_backward_q' op expects vec for gatv2 and for no other score, got dot with vec}}
  %0:2 = autosage.attention_backward_q dot %p, %q, %k, %v vec(%a : tensor<1x8xf32>) from(%o, %l, %do) outs(%dq, %dl)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<4xf32>
  return
}

// -----

func.func @attention_backward_q_c4_width(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x8xf32>, %a: tensor<1x8xf32>, %dq: tensor<4x8xf32>, %dl: tensor<4xf32>, %vp: tensor<4x8xf32>, %ds: tensor<?xf32>) {
  // expected-error @below {{'autosage.attention_backward_q' op expects d_o to have the inner size of v, 16, got 8}}
  %0:2 = autosage.attention_backward_q dot %p, %q, %k, %v from(%o, %l, %do) outs(%dq, %dl)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x8xf32> -> tensor<4x8xf32>, tensor<4xf32>
  return
}

// -----

func.func @attention_backward_q_c5_gradient(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %a: tensor<1x8xf32>, %dq: tensor<4x9xf32>, %dl: tensor<4xf32>, %vp: tensor<4x8xf32>, %ds: tensor<?xf32>) {
  // expected-error @below {{'autosage.attention_backward_q' op expects dq to have the sizes of q, }}
  %0:2 = autosage.attention_backward_q dot %p, %q, %k, %v from(%o, %l, %do) outs(%dq, %dl)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x9xf32>, tensor<4xf32>
  return
}

// -----

func.func @attention_backward_q_c5_delta(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %a: tensor<1x8xf32>, %dq: tensor<4x8xf32>, %dl: tensor<4xf64>, %vp: tensor<4x8xf32>, %ds: tensor<?xf32>) {
  // expected-error @below {{'autosage.attention_backward_q' op expects delta to have element type 'f32', got 'f64'}}
  %0:2 = autosage.attention_backward_q dot %p, %q, %k, %v from(%o, %l, %do) outs(%dq, %dl)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<4xf64>
  return
}

// -----

func.func @attention_backward_q_c5_logits(%p: !autosage.pattern<4x5, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %o: tensor<4x16xf32>, %l: tensor<4xf32>, %do: tensor<4x16xf32>, %a: tensor<1x8xf32>, %dq: tensor<4x8xf32>, %dl: tensor<4xf32>, %vp: tensor<4x8xf32>, %ds: tensor<?x1xf32>) {
  // expected-error @below {{'autosage.attention_backward_q' op expects gradients of logits to have rank 1, got 2}}
  %0:3 = autosage.attention_backward_q dot %p, %q, %k, %v from(%o, %l, %do) outs(%dq, %dl, %ds)
      : !autosage.pattern<4x5, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x16xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<4x8xf32>, tensor<4xf32>, tensor<?x1xf32>
  return
}
