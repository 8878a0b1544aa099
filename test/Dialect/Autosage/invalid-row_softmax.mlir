// The constraints of autosage.row_softmax.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

func.func @row_softmax_c1_no_logits(%p: !autosage.pattern<?x?, i32, i32>, %a0: tensor<?xf32>) {
  // expected-error @below {{'autosage.row_softmax' op expects logits in brackets, got none}}
  %0 = autosage.row_softmax %p outs(%a0) : !autosage.pattern<?x?, i32, i32> -> tensor<?xf32>
  return
}

// -----

func.func @row_softmax_c1_two_outputs(%p: !autosage.pattern<?x?, i32, i32>, %s: tensor<?xf32>, %a0: tensor<?xf32>) {
  // expected-error @below {{'autosage.row_softmax' op expects 1 output, got 2}}
  %0:2 = autosage.row_softmax %p[%s : tensor<?xf32>]
      outs(%a0, %a0) : !autosage.pattern<?x?, i32, i32> -> tensor<?xf32>, tensor<?xf32>
  return
}

// -----

func.func @row_softmax_c1_rank(%p: !autosage.pattern<?x?, i32, i32>, %s: tensor<?x1x1xf32>, %a0: tensor<?x1x1xf32>) {
  // expected-error @below {{'autosage.row_softmax' op expects logits to have rank 1 or 2, got 3}}
  %0 = autosage.row_softmax %p[%s : tensor<?x1x1xf32>]
      outs(%a0) : !autosage.pattern<?x?, i32, i32> -> tensor<?x1x1xf32>
  return
}

// -----

func.func @row_softmax_c1_outs_rank(%p: !autosage.pattern<?x?, i32, i32>, %s: tensor<?x2xf32>, %a0: tensor<?xf32>) {
  // expected-error @below {{'autosage.row_softmax' op expects outs to have rank 2, got 1}}
  %0 = autosage.row_softmax %p[%s : tensor<?x2xf32>] outs(%a0) : !autosage.pattern<?x?, i32, i32> -> tensor<?xf32>
  return
}

// -----

func.func @row_softmax_c1_entries(%p: !autosage.pattern<?x?, i32, i32>, %s: tensor<9xf32>, %a0: tensor<8xf32>) {
  // expected-error @below {{'autosage.row_softmax' op expects outs to have 9 entries, got 8}}
  %0 = autosage.row_softmax %p[%s : tensor<9xf32>] outs(%a0) : !autosage.pattern<?x?, i32, i32> -> tensor<8xf32>
  return
}

// -----

func.func @row_softmax_c1_heads(%p: !autosage.pattern<?x?, i32, i32>, %s: tensor<?x2xf32>, %a0: tensor<?x3xf32>) {
  // expected-error @below {{'autosage.row_softmax' op expects outs to have 2 heads, got 3}}
  %0 = autosage.row_softmax %p[%s : tensor<?x2xf32>] outs(%a0) : !autosage.pattern<?x?, i32, i32> -> tensor<?x3xf32>
  return
}

// -----

func.func @row_softmax_c2_entries(%rp: tensor<5xi32>, %ci: tensor<9xi32>, %n: index, %s: tensor<8xf32>,
                                  %a0: tensor<8xf32>) {
  // expected-error @below {{'autosage.row_softmax' op expects logits to have 9 entries for the nonzeros, got 8}}
  %0 = autosage.row_softmax on(%rp, %ci, %n : tensor<5xi32>, tensor<9xi32>, index)[%s : tensor<8xf32>]
      outs(%a0) : -> tensor<8xf32>
  return
}

// -----

func.func @row_softmax_c3_type(%p: !autosage.pattern<?x?, i32, i32>, %s: tensor<?xf32>, %a0: tensor<?xf16>) {
  // expected-error @below {{'autosage.row_softmax' op expects outs to have element type 'f32', got 'f16'}}
  %0 = autosage.row_softmax %p[%s : tensor<?xf32>] outs(%a0) : !autosage.pattern<?x?, i32, i32> -> tensor<?xf16>
  return
}

// -----

func.func @row_softmax_c3_type_narrow(%p: !autosage.pattern<?x?, i32, i32>, %s: tensor<?xbf16>, %a0: tensor<?xf64>) {
  // expected-error @below {{'autosage.row_softmax' op expects outs to have element type 'bf16' or f32, got 'f64'}}
  %0 = autosage.row_softmax %p[%s : tensor<?xbf16>] outs(%a0) : !autosage.pattern<?x?, i32, i32> -> tensor<?xf64>
  return
}
