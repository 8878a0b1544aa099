// The constraints of autosage.transpose.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

func.func @transpose_c1_rows(%p: !autosage.pattern<2147483649x4, i64, i32>) {
  // expected-error @below {{'autosage.transpose' op expects rows to fit coordinates of type i32, got 2147483649}}
  %0, %1 = autosage.transpose %p : !autosage.pattern<2147483649x4, i64, i32>
  return
}
