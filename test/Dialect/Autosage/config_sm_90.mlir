// The estimate for H100 SXM.
//
// RUN: autosage-opt %s --autosage-select-schedule=target=nvptx:sm_90 | FileCheck %s
// RUN: autosage-opt %s --autosage-select-schedule=target=nvptx:sm_90 | autosage-opt --autosage-select-schedule=target=nvptx:sm_90 | FileCheck %s
// RUN: autosage-opt %s --autosage-select-schedule=target=simt | FileCheck %s

!p = !autosage.pattern<?x?, i32, i32>

// Nothing is known of the pattern: a rule over the types.
// CHECK-LABEL: @unknown
// CHECK-NOT: autosage.prepare
// CHECK: autosage.spmm {{.*}} schedule<row_group> decision<estimate, rule = gpu_row_group, statistics = unknown>
// CHECK: autosage.sddmm {{.*}} schedule<row_group, min_blocks = 8> decision<estimate, rule = gpu_row_group, statistics = unknown>
func.func @unknown(%p: !p, %x: tensor<?x64xf32>, %y: tensor<?x64xf32>, %s0: tensor<?xf32>) -> (tensor<?x64xf32>, tensor<?xf32>) {
  %r = autosage.spmm sum %p, %x outs(%y) : !p, tensor<?x64xf32> -> tensor<?x64xf32>
  %s = autosage.sddmm dot %p, %x, %x outs(%s0) : !p, tensor<?x64xf32>, tensor<?x64xf32> -> tensor<?xf32>
  return %r, %s : tensor<?x64xf32>, tensor<?xf32>
}

// Rows of a few entries each need no preparation.
// CHECK-LABEL: @uniform
// CHECK-NOT: autosage.prepare
// CHECK: schedule<row_group{{.*}}> decision<estimate, candidates = {{[0-9]+}}, cost_ms = {{[^,]+}}, device = "H100 SXM", estimate_ms = {{[^,]+}}, second = {{.*}}, second_cost_ms = {{[^,]+}}, statistics = known>
func.func @uniform(%p: !p {autosage.stats = #autosage.stats<rows = 200000, cols = 200000, nnz = 800000, mean = 4.0, max = 15, cv = 0.5, p50 = 4, p90 = 7, p99 = 9, p999 = 12, hub_fraction = 0.0, locality = 1.0>}, %x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %y = autosage.spmm sum %p, %x outs(%y0) : !p, tensor<?x64xf32> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// Hubs are cut, longest tasks first; the list is made before the op.
// CHECK-LABEL: @hubs
// CHECK: %[[T:.*]] = autosage.prepare %{{.*}} layout<tasks<[[CHUNK:[0-9]+]], length>>
// CHECK: autosage.spmm sum %[[T]], {{.*}} schedule<row_tasks, chunk = [[CHUNK]], order = length{{.*}}> decision<estimate, {{.*}}device = "H100 SXM"{{.*}}> : !autosage.pattern<?x?, i32, i32, tasks<[[CHUNK]], length>>
func.func @hubs(%p: !p {autosage.stats = #autosage.stats<rows = 200000, cols = 200000, nnz = 12000000, mean = 60.0, max = 20000, cv = 5.0, p50 = 4, p90 = 300, p99 = 400, p999 = 3000, hub_fraction = 0.6, locality = 1.1>}, %x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %y = autosage.spmm sum %p, %x outs(%y0) : !p, tensor<?x64xf32> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
