// The constraints of autosage.pattern.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

func.func @pattern_c1_rank(%rp: tensor<5x1xi32>, %ci: tensor<9xi32>, %n: index) {
  // expected-error @below {{'autosage.pattern' op operand #0 must be 1D tensor of 32-bit signless integer or 64-bit signless integer or index values, but got 'tensor<5x1xi32>'}}
  %0 = autosage.pattern %rp, %ci, %n : tensor<5x1xi32>, tensor<9xi32> -> <4x?, i32, i32>
  return
}

// -----

func.func @pattern_c1_float(%rp: tensor<5xf32>, %ci: tensor<9xi32>, %n: index) {
  // expected-error @below {{'autosage.pattern' op operand #0 must be 1D tensor of 32-bit signless integer or 64-bit signless integer or index values, but got 'tensor<5xf32>'}}
  %0 = autosage.pattern %rp, %ci, %n : tensor<5xf32>, tensor<9xi32> -> <4x?, i32, i32>
  return
}

// -----

func.func @pattern_c1_rowptr_type(%rp: tensor<5xi32>, %ci: tensor<9xi32>, %n: index) {
  // expected-error @below {{'autosage.pattern' op expects rowptr to have element type 'i64', got 'i32'}}
  %0 = autosage.pattern %rp, %ci, %n : tensor<5xi32>, tensor<9xi32> -> <4x?, i64, i32>
  return
}

// -----

func.func @pattern_c1_colind_type(%rp: tensor<5xi32>, %ci: tensor<9xi32>, %n: index) {
  // expected-error @below {{'autosage.pattern' op expects colind to have element type 'index', got 'i32'}}
  %0 = autosage.pattern %rp, %ci, %n : tensor<5xi32>, tensor<9xi32> -> <4x?, i32, index>
  return
}

// -----

func.func @pattern_c2_rows(%rp: tensor<5xi32>, %ci: tensor<9xi32>, %n: index) {
  // expected-error @below {{'autosage.pattern' op expects rowptr to have 6 entries for 5 rows, got 5}}
  %0 = autosage.pattern %rp, %ci, %n : tensor<5xi32>, tensor<9xi32> -> <5x?, i32, i32>
  return
}

// -----

func.func @pattern_c2_no_entry(%rp: tensor<0xi32>, %ci: tensor<9xi32>, %n: index) {
  // expected-error @below {{'autosage.pattern' op expects rowptr to have at least 1 entry, got 0}}
  %0 = autosage.pattern %rp, %ci, %n : tensor<0xi32>, tensor<9xi32> -> <?x?, i32, i32>
  return
}

// -----

func.func @pattern_c3_negative(%rp: tensor<5xi32>, %ci: tensor<9xi32>) {
  %n = arith.constant -1 : index
  // expected-error @below {{'autosage.pattern' op expects n_cols to be at least 0, got -1}}
  %0 = autosage.pattern %rp, %ci, %n : tensor<5xi32>, tensor<9xi32> -> <4x?, i32, i32>
  return
}

// -----

func.func @pattern_c3_static(%rp: tensor<5xi32>, %ci: tensor<9xi32>) {
  %n = arith.constant 7 : index
  // expected-error @below {{'autosage.pattern' op expects n_cols to be 8, got 7}}
  %0 = autosage.pattern %rp, %ci, %n : tensor<5xi32>, tensor<9xi32> -> <4x8, i32, i32>
  return
}

// -----

func.func @pattern_c4_rows(%rp: tensor<5xi32>, %ci: tensor<9xi32>, %n: index) {
  // expected-error @below {{'autosage.pattern' op expects statistic 'rows' to be 4, got 5}}
  %0 = autosage.pattern %rp, %ci, %n stats<rows = 5> : tensor<5xi32>, tensor<9xi32> -> <4x?, i32, i32>
  return
}

// -----

func.func @pattern_c4_rows_of_rowptr(%rp: tensor<5xi32>, %ci: tensor<9xi32>, %n: index) {
  // expected-error @below {{'autosage.pattern' op expects statistic 'rows' to be 4, got 5}}
  %0 = autosage.pattern %rp, %ci, %n stats<rows = 5> : tensor<5xi32>, tensor<9xi32> -> <?x?, i32, i32>
  return
}

// -----

func.func @pattern_c4_cols(%rp: tensor<5xi32>, %ci: tensor<9xi32>, %n: index) {
  // expected-error @below {{'autosage.pattern' op expects statistic 'cols' to be 8, got 7}}
  %0 = autosage.pattern %rp, %ci, %n stats<cols = 7> : tensor<5xi32>, tensor<9xi32> -> <4x8, i32, i32>
  return
}

// -----

func.func @pattern_c4_nnz(%rp: tensor<5xi32>, %ci: tensor<9xi32>, %n: index) {
  // expected-error @below {{'autosage.pattern' op expects statistic 'nnz' to be 9, got 10}}
  %0 = autosage.pattern %rp, %ci, %n stats<nnz = 10> : tensor<5xi32>, tensor<9xi32> -> <4x?, i32, i32>
  return
}

// -----

func.func @pattern_c5_layout(%rp: tensor<5xi32>, %ci: tensor<9xi32>, %n: index) {
  // expected-error @below {{'autosage.pattern' op expects a pattern of layout csr, got '!autosage.pattern<4x?, i32, i32, tasks<32, stored>>'}}
  %0 = autosage.pattern %rp, %ci, %n : tensor<5xi32>, tensor<9xi32> -> <4x?, i32, i32, tasks<32, stored>>
  return
}
