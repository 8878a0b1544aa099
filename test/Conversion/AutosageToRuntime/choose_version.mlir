// Of a program of the CPU, whose patterns are in memory of the host, the choice is
// a call too, where it is asked for; on tensors it is left.
//
// RUN: autosage-opt %s --convert-autosage-to-runtime=host-versions --canonicalize | FileCheck %s
// RUN: autosage-opt %s --convert-autosage-to-runtime | FileCheck %s --check-prefix=LEFT

// LEFT-LABEL: func.func @choose
// LEFT: autosage.choose_version
// LEFT: autosage.choose_version

// CHECK: func.func private @autosage_choose_version_host(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64, i64, i32, i32) -> i64
// CHECK-LABEL: func.func @choose(
// CHECK: %[[SITE:.*]] = llvm.mlir.addressof @autosage_site_0 : !llvm.ptr
// CHECK: %[[V:.*]] = call @autosage_choose_version_host(%[[SITE]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %c8_i32{{.*}}, %c4_i32{{.*}})
// CHECK: %[[I:.*]] = arith.index_cast %[[V]] : i64 to index
// CHECK: %[[W:.*]] = autosage.choose_version on(
// CHECK: return %[[I]], %[[W]]
// CHECK: llvm.mlir.global internal constant @autosage_site_0_versions("row_parallel\00nnz_parallel\00")
func.func @choose(%rp: memref<?xi64, strided<[1], offset: ?>>, %ci: memref<?xi32>, %n: index, %rt: tensor<?xi64>, %ct: tensor<?xi32>) -> (index, index) {
  %0 = autosage.choose_version on(%rp, %ci, %n : memref<?xi64, strided<[1], offset: ?>>, memref<?xi32>, index) for "op=spmm reduction=sum combine=dot score=dot features=64 value_features=-1 heads=0 dtype=f32 f32_out=0 rowptr=i64 colind=i32 edges=none transpose=0 accumulate=0 scale=0x1p+0 negative_slope=0x1.999999999999ap-3 lse=0 composed=0 strided=0 aligned=0 schedule=[]" of [#autosage.schedule<row_parallel>, #autosage.schedule<nnz_parallel>]
  %1 = autosage.choose_version on(%rt, %ct, %n : tensor<?xi64>, tensor<?xi32>, index) for "op=spmm reduction=sum combine=dot score=dot features=64 value_features=-1 heads=0 dtype=f32 f32_out=0 rowptr=i64 colind=i32 edges=none transpose=0 accumulate=0 scale=0x1p+0 negative_slope=0x1.999999999999ap-3 lse=0 composed=0 strided=0 aligned=0 schedule=[]" of [#autosage.schedule<row_parallel>, #autosage.schedule<nnz_parallel>]
  return %0, %1 : index, index
}
