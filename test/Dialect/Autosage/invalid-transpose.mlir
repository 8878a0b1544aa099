// The constraints of autosage.transpose.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

func.func @transpose_c1_rows(%p: !autosage.pattern<2147483649x4, i64, i32>) {
  // expected-error @below {{'autosage.transpose' op expects rows to fit coordinates of type i32, got 2147483649}}
  %0, %1 = autosage.transpose %p : !autosage.pattern<2147483649x4, i64, i32>
  return
}

// -----

func.func @pattern_type_c1_of_columns(%p: !autosage.pattern<4x9223372036854775807, i64, i64>) {
  // expected-error @below {{'autosage.transpose' op expects rows to be at most 9223372036854775806, got 9223372036854775807}}
  %t, %perm = autosage.transpose %p : !autosage.pattern<4x9223372036854775807, i64, i64>
  return
}
