// An overlap that a cast hides is found once the cast is gone.
//
// RUN: autosage-opt %s --canonicalize -verify-diagnostics

func.func @sparse_s4_alias_through_cast(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %x: memref<4x8xf32>) {
  %0 = memref.cast %x : memref<4x8xf32> to memref<?x8xf32>
  // expected-error @below {{'autosage.spmm' op expects outs not to overlap x, got the same buffer for both}}
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %0 outs(%x) : memref<?x8xf32>, memref<4x8xf32>
  return
}
