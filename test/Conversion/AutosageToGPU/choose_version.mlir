// The choice is a call of the runtime with a site of its own, which carries the
// kernel and the schedules as text; each place has one.
//
// RUN: autosage-opt %s --convert-autosage-to-gpu | FileCheck %s

// CHECK-LABEL: func.func @choose
// CHECK: %[[SITE:.*]] = llvm.mlir.addressof @autosage_site_0 : !llvm.ptr
// CHECK: %[[V:.*]] = call @autosage_choose_version(%[[SITE]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %c4_i32{{.*}}, %c8_i32{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64, i64, i32, i32) -> i64
// CHECK: %[[I:.*]] = arith.index_cast %[[V]] : i64 to index
// CHECK: llvm.mlir.addressof @autosage_site_1
// CHECK: return %[[I]],
// CHECK: llvm.mlir.global internal constant @autosage_site_0_kernel("op=spmm {{.*}}schedule=[]\00")
// CHECK: llvm.mlir.global internal constant @autosage_site_0_versions("row_group\00row_tasks, chunk = 128\00")
// CHECK: llvm.mlir.global internal @autosage_site_0() {{.*}}: !llvm.struct<(i32, i32, i32, i32, ptr, ptr, ptr)>
// CHECK: llvm.mlir.global internal @autosage_site_1()
func.func @choose(%rp: memref<?xi32>, %ci: memref<?xi64>, %n: index) -> (index, index) {
  %0 = autosage.choose_version on(%rp, %ci, %n : memref<?xi32>, memref<?xi64>, index) for "op=spmm reduction=sum combine=dot score=dot features=64 value_features=-1 heads=0 dtype=f32 f32_out=0 rowptr=i32 colind=i64 edges=none transpose=0 accumulate=0 scale=0x1p+0 negative_slope=0x1.999999999999ap-3 lse=0 composed=0 strided=0 aligned=0 schedule=[]" of [#autosage.schedule<row_group>, #autosage.schedule<row_tasks, chunk = 128>]
  %1 = autosage.choose_version on(%rp, %ci, %n : memref<?xi32>, memref<?xi64>, index) for "op=spmm reduction=max combine=dot score=dot features=64 value_features=-1 heads=0 dtype=f32 f32_out=0 rowptr=i32 colind=i64 edges=none transpose=0 accumulate=0 scale=0x1p+0 negative_slope=0x1.999999999999ap-3 lse=0 composed=0 strided=0 aligned=0 schedule=[]" of [#autosage.schedule<row_group>, #autosage.schedule<row_tasks>]
  return %0, %1 : index, index
}
