// Statistics outlive inlining and CSE: an argument's through an op, a constant's
// with the pattern; of equal patterns one is left, with them.
//
// RUN: autosage-opt %s --autosage-annotate-stats --inline --cse --canonicalize | FileCheck %s
// RUN: autosage-opt %s --autosage-annotate-stats --inline --cse --autosage-select-schedule | FileCheck %s --check-prefix=SELECT

!p = !autosage.pattern<?x?, i32, i32>

// CHECK-LABEL: func.func @caller
// CHECK: %[[A:.*]] = autosage.assume_stats %{{.*}} stats<max = 9, mean = 3.000000e+00, nnz = 900, rows = 300>
// CHECK: autosage.spmm sum %[[A]]
// CHECK-COUNT-1: autosage.pattern {{.*}} stats<{{.*}}nnz = 2,
// CHECK-NOT: autosage.pattern %
// CHECK: return

// SELECT-LABEL: func.func @caller
// SELECT: decision<estimate, {{.*}}statistics = known
func.func @caller(%p: !p, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) -> (tensor<?x8xf32>, !autosage.pattern<2x2, i32, i32>, !autosage.pattern<2x2, i32, i32>) {
  %y = call @callee(%p, %x, %y0) : (!p, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %rp = arith.constant dense<[0, 1, 2]> : tensor<3xi32>
  %ci = arith.constant dense<[0, 1]> : tensor<2xi32>
  %n = arith.constant 2 : index
  %a = autosage.pattern %rp, %ci, %n : tensor<3xi32>, tensor<2xi32> -> <2x2, i32, i32>
  %b = autosage.pattern %rp, %ci, %n : tensor<3xi32>, tensor<2xi32> -> <2x2, i32, i32>
  return %y, %a, %b : tensor<?x8xf32>, !autosage.pattern<2x2, i32, i32>, !autosage.pattern<2x2, i32, i32>
}
func.func private @callee(%p: !p {autosage.stats = #autosage.stats<rows = 300, nnz = 900, mean = 3.0, max = 9>}, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %y = autosage.spmm sum %p, %x outs(%y0) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
