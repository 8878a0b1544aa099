// The pipeline obeys a schedule that the user wrote.
//
// RUN: autosage-opt %s --autosage-cpu-pipeline | FileCheck %s

// CHECK-LABEL: llvm.func @spmm
// CHECK-NOT: vector<{{4|8|16}}xf32>
// CHECK: vector<2xf32>
// CHECK-NOT: vector<{{4|8|16}}xf32>
func.func @spmm(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %y = autosage.spmm sum %p, %x outs(%y0) schedule<row_parallel, vec = 2, tile = 4> : !autosage.pattern<?x?, i32, i32>, tensor<?x64xf32> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
