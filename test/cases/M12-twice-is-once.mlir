// M12: running a pass or the whole pipeline on its own output changes nothing,
// byte for byte.
//
// RUN: autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule))" -o %t.select
// RUN: autosage-opt %t.select --pass-pipeline="builtin.module(func.func(autosage-select-schedule))" | diff %t.select -
// RUN: autosage-opt %s --canonicalize -o %t.canonical
// RUN: autosage-opt %t.canonical --canonicalize | diff %t.canonical -
// RUN: autosage-opt %s --autosage-expand-pattern -o %t.expanded
// RUN: autosage-opt %t.expanded --autosage-expand-pattern | diff %t.expanded -
// RUN: autosage-opt %s --autosage-cpu-pipeline -o %t.llvm
// RUN: autosage-opt %t.llvm --autosage-cpu-pipeline | diff %t.llvm -
// RUN: autosage-opt %t.select --autosage-cpu-pipeline | diff %t.llvm -

// The comparisons have something to compare.
// RUN: FileCheck %s --check-prefix=SELECT < %t.select
// RUN: FileCheck %s --check-prefix=CANONICAL < %t.canonical
// RUN: FileCheck %s --check-prefix=LLVM < %t.llvm
// SELECT-COUNT-3: decision<estimate,
// CANONICAL-NOT: scale
// CANONICAL: autosage.spmm {{.*}} outs(%{{.*}}) :
// LLVM: llvm.func @f
// LLVM-NOT: autosage.

func.func @f(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %x: tensor<?x64xf32>, %y0: tensor<?x64xf32>, %s0: tensor<?xf32>) -> tensor<?x64xf32> {
  %p0 = autosage.pattern %rp, %ci, %n : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  %p = autosage.assume_stats %p0 stats<nnz = 9> : !autosage.pattern<?x?, i32, i32>
  %s = autosage.sddmm dot %p, %x, %x outs(%s0) {scale = 1.0 : f32} : !autosage.pattern<?x?, i32, i32>, tensor<?x64xf32>, tensor<?x64xf32> -> tensor<?xf32>
  %a = autosage.row_softmax %p[%s : tensor<?xf32>] outs(%s) : !autosage.pattern<?x?, i32, i32> -> tensor<?xf32>
  %y = autosage.spmm mean %p[%a : tensor<?xf32>], %x outs(%y0) schedule<row_parallel, vec = 4, tile = 8> : !autosage.pattern<?x?, i32, i32>, tensor<?x64xf32> -> tensor<?x64xf32>
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %nnz = autosage.dim nnz %p : !autosage.pattern<?x?, i32, i32>
  %e = tensor.empty(%nnz) : tensor<?xf32>
  %w = linalg.fill ins(%one : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<?x64xf32>) -> tensor<?x64xf32>
  %z = autosage.spmm max %p[%w : tensor<?xf32>], %y outs(%z0) : !autosage.pattern<?x?, i32, i32>, tensor<?x64xf32> -> tensor<?x64xf32>
  return %z : tensor<?x64xf32>
}
