// The constraints of autosage.assume_stats.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

func.func @assume_stats_c1_rows(%p: !autosage.pattern<4x5, i32, i32>) {
  // expected-error @below {{'autosage.assume_stats' op expects statistic 'rows' to be 4, got 5}}
  %0 = autosage.assume_stats %p stats<rows = 5> : !autosage.pattern<4x5, i32, i32>
  return
}

// -----

func.func @assume_stats_c1_cols(%p: !autosage.pattern<4x5, i32, i32>) {
  // expected-error @below {{'autosage.assume_stats' op expects statistic 'cols' to be 5, got 4}}
  %0 = autosage.assume_stats %p stats<cols = 4> : !autosage.pattern<4x5, i32, i32>
  return
}
