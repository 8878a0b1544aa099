// What a preparation costs is spread over the calls: one call is not worth it.
//
// RUN: autosage-opt %s --autosage-select-schedule="target=nvptx expected-calls=1" | FileCheck %s --check-prefix=ONE
// RUN: autosage-opt %s --autosage-select-schedule="target=nvptx expected-calls=100000" | FileCheck %s --check-prefix=MANY
// RUN: not autosage-opt %s --autosage-select-schedule=target=tpu 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not autosage-opt %s --autosage-select-schedule=target=nvptx:sm_999 2>&1 | FileCheck %s --check-prefix=CHIP

// BAD: error: expects target to be cpu, simt or nvptx, got 'tpu'
// CHIP: error: unknown chip 'sm_999', expects one of sm_70,

!p = !autosage.pattern<?x?, i32, i32>

// ONE-LABEL: @skewed
// ONE-NOT: autosage.prepare
// ONE: schedule<row_group
// MANY-LABEL: @skewed
// MANY: autosage.prepare
// MANY: schedule<row_tasks
func.func @skewed(%p: !p {autosage.stats = #autosage.stats<rows = 4000, cols = 4000, nnz = 40000, mean = 10.0, max = 600, cv = 2.0, p50 = 8, p90 = 12, p99 = 60, p999 = 400, hub_fraction = 0.2, locality = 2.0>}, %x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %y = autosage.spmm sum %p, %x outs(%y0) : !p, tensor<?x64xf32> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// A pattern that is prepared already is not prepared again; transposed products
// have the tasks of another pattern.
// ONE-LABEL: @prepared
// MANY-LABEL: @prepared
// MANY-COUNT-1: autosage.prepare
// MANY-NOT: autosage.prepare
// MANY: autosage.spmm sum {{.*}} schedule<row_tasks
// MANY-NOT: autosage.prepare
// MANY: autosage.spmm max {{.*}} schedule<row_tasks
func.func @prepared(%p: !p {autosage.stats = #autosage.stats<rows = 4000, cols = 4000, nnz = 40000, mean = 10.0, max = 600, cv = 2.0, p50 = 8, p90 = 12, p99 = 60, p999 = 400, hub_fraction = 0.2, locality = 2.0>}, %x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %q = autosage.prepare %p layout<tasks<64, stored>> : !p
  %y = autosage.spmm sum %q, %x outs(%y0) : !autosage.pattern<?x?, i32, i32, tasks<64, stored>>, tensor<?x64xf32> -> tensor<?x64xf32>
  %z = autosage.spmm max %p, %y outs(%y0) {transpose} : !p, tensor<?x64xf32> -> tensor<?x64xf32>
  return %z : tensor<?x64xf32>
}
