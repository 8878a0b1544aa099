// RUN: autosage-opt %s --autosage-select-schedule=target=nvptx:sm_90 | FileCheck %s
// RUN: autosage-opt %s --autosage-select-schedule=target=simt | FileCheck %s
// RUN: autosage-opt %s --autosage-select-schedule=target=nvptx | autosage-opt --autosage-select-schedule=target=nvptx | FileCheck %s
// RUN: not autosage-opt %s --autosage-select-schedule=target=tpu 2>&1 | FileCheck %s --check-prefix=BAD

// The rule for the GPU: rows that are alike, and rows that are not.
// BAD: error: expects target to be cpu, simt or nvptx, got 'tpu'

// CHECK-LABEL: @unknown
// CHECK: schedule<row_group> decision<estimate, rule = gpu_row_group, statistics = unknown>
func.func @unknown(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %x: tensor<?x64xf32>, %y: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %p = autosage.pattern %rp, %ci, %n : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  %r = autosage.spmm sum %p, %x outs(%y) : !autosage.pattern<?x?, i32, i32>, tensor<?x64xf32> -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}

// CHECK-LABEL: @uniform
// CHECK: schedule<row_group> decision<estimate, rule = gpu_row_group, statistics = known>
func.func @uniform(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %x: tensor<?x64xf32>, %y: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %p = autosage.pattern %rp, %ci, %n stats<rows = 1000, nnz = 16000, mean = 16.0, max = 40> : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  %r = autosage.spmm sum %p, %x outs(%y) : !autosage.pattern<?x?, i32, i32>, tensor<?x64xf32> -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}

// CHECK-LABEL: @skewed
// CHECK: schedule<row_tasks, chunk = 128> decision<estimate, rule = gpu_row_tasks, statistics = known>
func.func @skewed(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %x: tensor<?x64xf32>, %y: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %p = autosage.pattern %rp, %ci, %n stats<rows = 1000, nnz = 16000, mean = 16.0, max = 4000> : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  %r = autosage.spmm sum %p, %x outs(%y) : !autosage.pattern<?x?, i32, i32>, tensor<?x64xf32> -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}

// CHECK-LABEL: @dots
// CHECK: schedule<row_group, min_blocks = 8>
func.func @dots(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %q: tensor<?x64xf32>, %k: tensor<?x64xf32>, %s: tensor<?xf32>) -> tensor<?xf32> {
  %p = autosage.pattern %rp, %ci, %n : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  %r = autosage.sddmm dot %p, %q, %k outs(%s) : !autosage.pattern<?x?, i32, i32>, tensor<?x64xf32>, tensor<?x64xf32> -> tensor<?xf32>
  return %r : tensor<?xf32>
}
