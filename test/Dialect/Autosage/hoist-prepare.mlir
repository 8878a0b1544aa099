// A loop of SpMMs on one pattern prepares it once, outside.
//
// RUN: autosage-opt %s --autosage-select-schedule=target=nvptx:sm_90 --cse --loop-invariant-code-motion | FileCheck %s
// RUN: autosage-opt %s --autosage-nvvm-pipeline=format=isa --mlir-print-ir-after=one-shot-bufferize -o /dev/null 2>&1 | FileCheck %s --check-prefix=PIPELINE

!p = !autosage.pattern<?x?, i32, i32>

// CHECK-LABEL: func.func @train
// CHECK: %[[T:.*]] = autosage.prepare %{{.*}} layout<tasks<{{[0-9]+}}, length>>
// CHECK-NOT: autosage.prepare
// CHECK: scf.for
// CHECK-NOT: autosage.prepare
// CHECK: autosage.spmm sum %[[T]],
// CHECK: autosage.spmm mean %[[T]],

// PIPELINE-LABEL: func.func @train
// PIPELINE: autosage.count_tasks
// PIPELINE: autosage.build_tasks
// PIPELINE: scf.for
// PIPELINE-NOT: _tasks
// PIPELINE: autosage.spmm sum on(%{{.*}}layout<tasks<
// PIPELINE: autosage.spmm mean on(
// PIPELINE-NOT: _tasks on
func.func @train(%p: !p {autosage.stats = #autosage.stats<rows = 200000, cols = 200000, nnz = 12000000, mean = 60.0, max = 20000, cv = 5.0, p50 = 4, p90 = 300, p99 = 400, p999 = 3000, hub_fraction = 0.6, locality = 1.1>}, %x0: tensor<?x64xf32>, %steps: index) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = autosage.dim rows %p : !p
  %r = scf.for %i = %c0 to %steps step %c1 iter_args(%x = %x0) -> tensor<?x64xf32> {
    %e = tensor.empty(%rows) : tensor<?x64xf32>
    %h = autosage.spmm sum %p, %x outs(%e) : !p, tensor<?x64xf32> -> tensor<?x64xf32>
    %f = tensor.empty(%rows) : tensor<?x64xf32>
    %y = autosage.spmm mean %p, %h outs(%f) : !p, tensor<?x64xf32> -> tensor<?x64xf32>
    scf.yield %y : tensor<?x64xf32>
  }
  return %r : tensor<?x64xf32>
}
