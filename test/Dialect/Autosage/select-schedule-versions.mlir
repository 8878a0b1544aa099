// Where nothing is known of the pattern an op becomes several versions: which one
// runs is asked at run time, and what versions need is prepared for the one that
// runs alone. Both are values that leave loops.
//
// RUN: autosage-opt %s --autosage-select-schedule="target=nvptx versions=4" > %t.once
// RUN: FileCheck %s < %t.once
// RUN: autosage-opt %t.once --autosage-select-schedule="target=nvptx versions=4" | diff %t.once -
// RUN: autosage-opt %t.once --cse --loop-invariant-code-motion | FileCheck %s --check-prefix=HOIST
// RUN: autosage-opt %t.once --autosage-expand-pattern | FileCheck %s --check-prefix=EXPANDED
// RUN: autosage-opt %s --autosage-select-schedule="target=cpu versions=4" | FileCheck %s --check-prefix=CPU
// RUN: autosage-opt %s --autosage-select-schedule="target=nvptx versions=4" --remarks-filter=autosage --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: remark: [Passed] VersionsMade | Category:autosage
// REMARK-SAME: Remark="autosage.spmm runs with one of row_group{{.*}}; row_tasks, {{.*}}, which the pattern decides", Versions=

!p = !autosage.pattern<?x?, i32, i32>

// CHECK-LABEL: func.func @loop
// CHECK: scf.for
// CHECK: %[[V:.*]] = autosage.choose_version %{{.*}} for "op=spmm reduction=sum {{.*}}features=64 {{.*}}schedule=[]" of [#autosage.schedule<row_group{{.*}}>, #autosage.schedule<row_tasks,
// CHECK: %[[IS:.*]] = arith.cmpi eq, %[[V]], %
// CHECK: autosage.prepare %{{.*}} layout<tasks<{{.*}}>> when(%
// CHECK: scf.index_switch %[[V]] -> tensor<?x64xf32>
// CHECK-NEXT: case 1 {
// CHECK-NEXT: autosage.spmm sum {{.*}} schedule<row_tasks{{.*}}> decision<estimate, version = 1, versions =
// CHECK: default {
// CHECK-NEXT: autosage.spmm sum {{.*}} schedule<row_group{{.*}}> decision<estimate, version = 0, versions =

// HOIST-LABEL: func.func @loop
// HOIST: autosage.choose_version
// HOIST: autosage.prepare
// HOIST: scf.for
// HOIST-NOT: autosage.choose_version
// HOIST-NOT: autosage.prepare
// HOIST: scf.index_switch
// HOIST: scf.yield

// EXPANDED-LABEL: func.func @loop
// EXPANDED: %[[V:.*]] = autosage.choose_version on(%{{.*}}, %{{.*}}, %{{.*}} : tensor<?xi32>, tensor<?xi32>, index)
// EXPANDED: %[[N:.*]] = scf.if %[[IS:.*]] -> (index) {
// EXPANDED: autosage.count_tasks
// EXPANDED: } else {
// EXPANDED: %[[E:.*]] = tensor.empty(%[[N]]) : tensor<?x4xi32>
// EXPANDED: scf.if %[[IS]] -> (tensor<?x4xi32>) {
// EXPANDED: autosage.build_tasks {{.*}} outs(%[[E]])
// EXPANDED: } else {
// EXPANDED-NEXT: scf.yield %[[E]]

// The first of the CPU is the rule's; another grain is no version.
// CPU-LABEL: func.func @loop
// CPU: autosage.choose_version %{{.*}} of [#autosage.schedule<row_parallel, grain = {{[0-9]+}}, tile = 64, vec = 16>, #autosage.schedule<row_parallel, {{.*}}>, #autosage.schedule<nnz_parallel, {{.*}}>, #autosage.schedule<nnz_parallel, {{[^#]*}}>]
// CPU-NOT: autosage.prepare
// CPU: scf.index_switch
// CPU-LABEL: func.func @known
// CPU-NOT: choose_version
func.func @loop(%p: !p, %x0: tensor<?x64xf32>, %y0: tensor<?x64xf32>, %steps: index) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %steps step %c1 iter_args(%x = %x0) -> tensor<?x64xf32> {
    %y = autosage.spmm sum %p, %x outs(%y0) : !p, tensor<?x64xf32> -> tensor<?x64xf32>
    scf.yield %y : tensor<?x64xf32>
  }
  return %r : tensor<?x64xf32>
}

// Known statistics and written schedules need no versions, buffers get none.
// CHECK-LABEL: func.func @known
// CHECK-NOT: choose_version
func.func @known(%p: !p {autosage.stats = #autosage.stats<rows = 300, nnz = 900, mean = 3.0, max = 9>}, %q: !p, %x: tensor<?x64xf32>, %y0: tensor<?x64xf32>, %rp: memref<?xi32>, %n: index, %xb: memref<?x64xf32>, %yb: memref<?x64xf32>) -> tensor<?x64xf32> {
  %y = autosage.spmm sum %p, %x outs(%y0) : !p, tensor<?x64xf32> -> tensor<?x64xf32>
  %z = autosage.spmm sum %q, %y outs(%y0) schedule<row_group> : !p, tensor<?x64xf32> -> tensor<?x64xf32>
  autosage.spmm sum on(%rp, %rp, %n : memref<?xi32>, memref<?xi32>, index), %xb outs(%yb) : memref<?x64xf32>, memref<?x64xf32>
  return %z : tensor<?x64xf32>
}
