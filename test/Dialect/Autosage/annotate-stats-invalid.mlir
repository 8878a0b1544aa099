// RUN: autosage-opt %s --autosage-annotate-stats -split-input-file -verify-diagnostics

// Constants that are no pattern say nothing.
func.func @order() -> !autosage.pattern<2x2, i32, i32> {
  %rp = arith.constant dense<[0, 2, 1]> : tensor<3xi32>
  %ci = arith.constant dense<[0]> : tensor<1xi32>
  %n = arith.constant 2 : index
  // expected-warning-re @below {{constants are no pattern: {{.+}}}}
  %p = autosage.pattern %rp, %ci, %n : tensor<3xi32>, tensor<1xi32> -> <2x2, i32, i32>
  return %p : !autosage.pattern<2x2, i32, i32>
}

// -----

func.func @entries(%ci: tensor<4xi32>) -> !autosage.pattern<2x2, i32, i32> {
  %rp = arith.constant dense<[0, 2, 3]> : tensor<3xi32>
  %n = arith.constant 2 : index
  // expected-warning @below {{constants are no pattern: expects rowptr to end with 4, got 3}}
  %p = autosage.pattern %rp, %ci, %n : tensor<3xi32>, tensor<4xi32> -> <2x2, i32, i32>
  return %p : !autosage.pattern<2x2, i32, i32>
}
