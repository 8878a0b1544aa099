// RUN: autosage-opt %s | autosage-opt | FileCheck %s
// RUN: autosage-opt %s --emit-bytecode | autosage-opt | FileCheck %s
// RUN: autosage-opt %s --mlir-print-op-generic | autosage-opt | FileCheck %s

!p = !autosage.pattern<?x?, i32, i32>

// CHECK-LABEL: func.func @forms
// CHECK: autosage.choose_version %{{.*}} : !autosage.pattern<?x?, i32, i32> for "op=spmm {{.*}}schedule=[]" of [#autosage.schedule<row_group>, #autosage.schedule<row_tasks, chunk = 128>]
// CHECK: autosage.choose_version on(%{{.*}} : tensor<?xi32>, tensor<?xi64>, index) for
// CHECK: autosage.choose_version on(%{{.*}} : memref<?xi32>, memref<?xi32>, index) for
// CHECK: autosage.prepare %{{.*}} layout<tasks<64, stored>> when(%{{.*}}) : !autosage.pattern<?x?, i32, i32>
// CHECK: autosage.prepare %{{.*}} layout<tasks<64, stored>> when(%{{.*}}) {note = 1 : i64} : !autosage.pattern<?x?, i32, i32>
func.func @forms(%p: !p, %rp: tensor<?xi32>, %ci: tensor<?xi64>, %n: index, %b: memref<?xi32>, %is: i1) {
  %0 = autosage.choose_version %p : !p for "op=spmm reduction=sum combine=dot score=dot features=64 value_features=-1 heads=0 dtype=f32 f32_out=0 rowptr=i32 colind=i32 edges=none transpose=0 accumulate=0 scale=0x1p+0 negative_slope=0x1.999999999999ap-3 lse=0 composed=0 strided=0 aligned=0 schedule=[]" of [#autosage.schedule<row_group>, #autosage.schedule<row_tasks, chunk = 128>]
  %1 = autosage.choose_version on(%rp, %ci, %n : tensor<?xi32>, tensor<?xi64>, index) for "op=spmm reduction=sum combine=dot score=dot features=64 value_features=-1 heads=0 dtype=f32 f32_out=0 rowptr=i32 colind=i64 edges=none transpose=0 accumulate=0 scale=0x1p+0 negative_slope=0x1.999999999999ap-3 lse=0 composed=0 strided=0 aligned=0 schedule=[]" of [#autosage.schedule<row_group>, #autosage.schedule<row_tasks>]
  %2 = autosage.choose_version on(%b, %b, %n : memref<?xi32>, memref<?xi32>, index) for "op=spmm reduction=sum combine=dot score=dot features=64 value_features=-1 heads=0 dtype=f32 f32_out=0 rowptr=i32 colind=i32 edges=none transpose=0 accumulate=0 scale=0x1p+0 negative_slope=0x1.999999999999ap-3 lse=0 composed=0 strided=0 aligned=0 schedule=[]" of [#autosage.schedule<row_group>, #autosage.schedule<row_tasks>]
  %q = autosage.prepare %p layout<tasks<64, stored>> when(%is) : !p
  %r = autosage.prepare %p layout<tasks<64, stored>> when(%is) {note = 1 : i64} : !p
  return
}
