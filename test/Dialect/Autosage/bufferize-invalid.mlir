// A pattern hides reads of its arrays, so bufferization refuses it.
//
// RUN: autosage-opt %s --one-shot-bufferize -split-input-file -verify-diagnostics

func.func @pattern(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %p = autosage.pattern %rp, %ci, %n : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  // expected-error @below {{'autosage.spmm' op expects component arrays in bufferization, got a pattern; run autosage-expand-pattern first}}
  // expected-error @below {{failed to bufferize op}}
  %y = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
