// The constraints of autosage.attention_backward_kv.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

func.func @attention_backward_kv_c1_one_output(%p: !autosage.pattern<5x4, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %l: tensor<4xf32>, %d: tensor<4xf32>, %do: tensor<4x16xf32>, %dk: tensor<5x8xf32>, %dv: tensor<5x16xf32>, %a: tensor<1x8xf32>, %b: tensor<?xf32>, %e: tensor<?xi32>) {
  // expected-error @below {{'autosage.attention_backward_kv' op expects 2 outputs, got 1}}
  %0 = autosage.attention_backward_kv dot %p, %q, %k, %v from(%l, %d, %do) outs(%dk)
      : !autosage.pattern<5x4, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<5x8xf32>
  return
}

// -----

func.func @attention_backward_kv_c1_rank(%p: !autosage.pattern<5x4, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %l: tensor<4x1xf32>, %d: tensor<4xf32>, %do: tensor<4x16xf32>, %dk: tensor<5x8xf32>, %dv: tensor<5x16xf32>, %a: tensor<1x8xf32>, %b: tensor<?xf32>, %e: tensor<?xi32>) {
  // expected-error @below {{'autosage.attention_backward_kv' op expects lse to have rank 1, got 2}}
  %0:2 = autosage.attention_backward_kv dot %p, %q, %k, %v from(%l, %d, %do) outs(%dk, %dv)
      : !autosage.pattern<5x4, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4x1xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_kv_c2_rows(%p: !autosage.pattern<5x4, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %l: tensor<4xf32>, %d: tensor<4xf32>, %do: tensor<5x16xf32>, %dk: tensor<5x8xf32>, %dv: tensor<5x16xf32>, %a: tensor<1x8xf32>, %b: tensor<?xf32>, %e: tensor<?xi32>) {
  // expected-error @below {{'autosage.attention_backward_kv' op expects d_o to have 4 rows, got 5}}
  %0:2 = autosage.attention_backward_kv dot %p, %q, %k, %v from(%l, %d, %do) outs(%dk, %dv)
      : !autosage.pattern<5x4, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4xf32>, tensor<4xf32>, tensor<5x16xf32> -> tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_kv_c3_rows(%p: !autosage.pattern<5x4, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<4x8xf32>, %v: tensor<5x16xf32>, %l: tensor<4xf32>, %d: tensor<4xf32>, %do: tensor<4x16xf32>, %dk: tensor<5x8xf32>, %dv: tensor<5x16xf32>, %a: tensor<1x8xf32>, %b: tensor<?xf32>, %e: tensor<?xi32>) {
  // expected-error @below {{'autosage.attention_backward_kv' op expects k to have 5 rows, got 4}}
  %0:2 = autosage.attention_backward_kv dot %p, %q, %k, %v from(%l, %d, %do) outs(%dk, %dv)
      : !autosage.pattern<5x4, i32, i32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<5x16xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_kv_c4_vec(%p: !autosage.pattern<5x4, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %l: tensor<4xf32>, %d: tensor<4xf32>, %do: tensor<4x16xf32>, %dk: tensor<5x8xf32>, %dv: tensor<5x16xf32>, %a: tensor<1x8xf32>, %b: tensor<?xf32>, %e: tensor<?xi32>) {
  // expected-error @below {{'autosage.attention_backward_kv' op expects vec for gatv2 and for no other score, got gatv2 without vec}}
  %0:2 = autosage.attention_backward_kv gatv2 %p, %q, %k, %v from(%l, %d, %do) outs(%dk, %dv)
      : !autosage.pattern<5x4, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_kv_c4_delta(%p: !autosage.pattern<5x4, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %l: tensor<4xf32>, %d: tensor<4xf64>, %do: tensor<4x16xf32>, %dk: tensor<5x8xf32>, %dv: tensor<5x16xf32>, %a: tensor<1x8xf32>, %b: tensor<?xf32>, %e: tensor<?xi32>) {
  // expected-error @below {{'autosage.attention_backward_kv' op expects delta to have element type 'f32', got 'f64'}}
  %0:2 = autosage.attention_backward_kv dot %p, %q, %k, %v from(%l, %d, %do) outs(%dk, %dv)
      : !autosage.pattern<5x4, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4xf32>, tensor<4xf64>, tensor<4x16xf32> -> tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_kv_c5_gradient(%p: !autosage.pattern<5x4, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %l: tensor<4xf32>, %d: tensor<4xf32>, %do: tensor<4x16xf32>, %dk: tensor<5x8xf32>, %dv: tensor<5x8xf32>, %a: tensor<1x8xf32>, %b: tensor<?xf32>, %e: tensor<?xi32>) {
  // expected-error @below {{'autosage.attention_backward_kv' op expects dv to have the sizes of v, }}
  %0:2 = autosage.attention_backward_kv dot %p, %q, %k, %v from(%l, %d, %do) outs(%dk, %dv)
      : !autosage.pattern<5x4, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<5x8xf32>, tensor<5x8xf32>
  return
}

// -----

func.func @attention_backward_kv_c6_edges_alone(%p: !autosage.pattern<5x4, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %l: tensor<4xf32>, %d: tensor<4xf32>, %do: tensor<4x16xf32>, %dk: tensor<5x8xf32>, %dv: tensor<5x16xf32>, %a: tensor<1x8xf32>, %b: tensor<?xf32>, %e: tensor<?xi32>) {
  // expected-error @below {{'autosage.attention_backward_kv' op expects edges only beside a bias, got no bias}}
  %0:2 = autosage.attention_backward_kv dot %p edges(%e : tensor<?xi32>), %q, %k, %v from(%l, %d, %do) outs(%dk, %dv)
      : !autosage.pattern<5x4, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<5x8xf32>, tensor<5x16xf32>
  return
}

// -----

func.func @attention_backward_kv_c6_rank(%p: !autosage.pattern<5x4, i32, i32>, %q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x16xf32>, %l: tensor<4xf32>, %d: tensor<4xf32>, %do: tensor<4x16xf32>, %dk: tensor<5x8xf32>, %dv: tensor<5x16xf32>, %a: tensor<1x8xf32>, %b: tensor<?xf32>, %e: tensor<?x1xi32>) {
  // expected-error @below {{'autosage.attention_backward_kv' op expects edges to have rank 1, got 2}}
  %0:2 = autosage.attention_backward_kv dot %p[%b : tensor<?xf32>] edges(%e : tensor<?x1xi32>), %q, %k, %v from(%l, %d, %do) outs(%dk, %dv)
      : !autosage.pattern<5x4, i32, i32>, tensor<4x8xf32>, tensor<5x8xf32>, tensor<5x16xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x16xf32> -> tensor<5x8xf32>, tensor<5x16xf32>
  return
}
