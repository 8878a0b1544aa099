// The stages of autosage-cpu-pipeline, and its option.
//
// RUN: autosage-opt %s --autosage-cpu-pipeline | FileCheck %s
// RUN: autosage-opt %s --autosage-cpu-pipeline=vector-bits=128 | FileCheck %s --check-prefix=V128
// RUN: autosage-opt %s --autosage-cpu-pipeline=vector-bits=256 | FileCheck %s --check-prefix=V256
// RUN: autosage-opt %s --pass-pipeline="builtin.module(autosage-cpu-pipeline)" | FileCheck %s

// The pipeline's default is vectors of 512 bits; arguments become those of a
// memref.
// CHECK-LABEL: llvm.func @spmm
// CHECK-SAME: !llvm.ptr
// CHECK: vector<16xf32>
// CHECK: llvm.return
// CHECK-NOT: autosage
// CHECK-NOT: unrealized_conversion_cast
// V128-NOT: vector<{{8|16}}xf32>
// V128: vector<4xf32>
// V128-NOT: vector<{{8|16}}xf32>
// V256-NOT: vector<16xf32>
// V256: vector<8xf32>
// V256-NOT: vector<16xf32>
func.func @spmm(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %p = autosage.pattern %rp, %ci, %n : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  %y = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x64xf32> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
