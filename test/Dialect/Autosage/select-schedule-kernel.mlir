// The kernel by which the oracle knows an op has the fields of the plan for the
// same call: of `gat`, whose q and k have one number a head, the width is v's.
//
// RUN: autosage-opt %s --autosage-select-schedule="target=nvptx versions=2" | FileCheck %s

!p = !autosage.pattern<?x?, i32, i32>
!wide = !autosage.pattern<?x?, i64, i32>

// CHECK-LABEL: func.func @gat(
// CHECK: autosage.choose_version {{.*}} for "op=attention {{.*}} score=gat features=16 value_features=-1 heads=2 dtype=f32 f32_out=0 rowptr=i32 colind=i32 edges=none {{.*}} negative_slope=0x1p-2 lse=0
func.func @gat(%p: !p, %q: tensor<?x2xf32>, %k: tensor<?x2xf32>, %v: tensor<?x2x16xf32>, %y: tensor<?x2x16xf32>) -> tensor<?x2x16xf32> {
  %0 = autosage.attention gat %p, %q, %k, %v outs(%y) {negative_slope = 0.25 : f64} : !p, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2x16xf32> -> tensor<?x2x16xf32>
  return %0 : tensor<?x2x16xf32>
}

// CHECK-LABEL: func.func @gat_of_one_head(
// CHECK: score=gat features=24 value_features=-1 heads=1 dtype=f16 f32_out=1 rowptr=i64 colind=i32 edges=per_edge
func.func @gat_of_one_head(%p: !wide, %b: tensor<?xf16>, %q: tensor<?x1xf16>, %k: tensor<?x1xf16>, %v: tensor<?x1x24xf16>, %y: tensor<?x1x24xf32>) -> tensor<?x1x24xf32> {
  %0 = autosage.attention gat %p[%b : tensor<?xf16>], %q, %k, %v outs(%y) : !wide, tensor<?x1xf16>, tensor<?x1xf16>, tensor<?x1x24xf16> -> tensor<?x1x24xf32>
  return %0 : tensor<?x1x24xf32>
}

// CHECK-LABEL: func.func @dot(
// CHECK: score=dot features=8 value_features=32 heads=4 {{.*}} lse=1
func.func @dot(%p: !p, %q: tensor<?x4x8xf32>, %k: tensor<?x4x8xf32>, %v: tensor<?x4x32xf32>, %y: tensor<?x4x32xf32>, %l: tensor<?x4xf32>) -> (tensor<?x4x32xf32>, tensor<?x4xf32>) {
  %0:2 = autosage.attention dot %p, %q, %k, %v outs(%y, %l) : !p, tensor<?x4x8xf32>, tensor<?x4x8xf32>, tensor<?x4x32xf32> -> tensor<?x4x32xf32>, tensor<?x4xf32>
  return %0#0, %0#1 : tensor<?x4x32xf32>, tensor<?x4xf32>
}

// CHECK-LABEL: func.func @add(
// CHECK: op=sddmm {{.*}}combine=add {{.*}}features=1 value_features=-1 heads=3
func.func @add(%p: !p, %q: tensor<?x3xf32>, %k: tensor<?x3xf32>, %s: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = autosage.sddmm add %p, %q, %k outs(%s) : !p, tensor<?x3xf32>, tensor<?x3xf32> -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// CHECK-LABEL: func.func @softmax(
// CHECK: op=row_softmax {{.*}}features=-1 value_features=-1 heads=5 {{.*}}edges=per_head
func.func @softmax(%p: !p, %a: tensor<?x5xf32>, %s: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %0 = autosage.row_softmax %p[%a : tensor<?x5xf32>] outs(%s) : !p -> tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}
