// RUN: autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-verify-schedule))" -split-input-file -verify-diagnostics

!p = !autosage.pattern<?x?, i32, i32>

func.func @fits(%p: !p, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_parallel, tile = 1024, vec = 16> : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  %1 = autosage.spmm sum %p, %0 outs(%y0) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}

// -----

!p = !autosage.pattern<?x?, i32, i32>

func.func @accumulators(%p: !p, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error @below {{'autosage.spmm' op expects tile / vec to be at most 64 accumulators, got 1024 / 8 = 128}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_parallel, tile = 1024, vec = 8> : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// Every op is reported, in every stage.
func.func @other_target(%rp: memref<?xi32>, %n: index, %s: memref<?xf32>) {
  // expected-error @below {{'autosage.row_softmax' op schedule family 'row_tasks' does not run on cpu, expects one of row_parallel}}
  autosage.row_softmax on(%rp, %rp, %n : memref<?xi32>, memref<?xi32>, index)[%s : memref<?xf32>] outs(%s) schedule<row_tasks> : memref<?xf32>
  // expected-error @below {{'autosage.row_softmax' op expects tile / vec to be at most 64 accumulators, got 128 / 1 = 128}}
  autosage.row_softmax on(%rp, %rp, %n : memref<?xi32>, memref<?xi32>, index)[%s : memref<?xf32>] outs(%s) schedule<row_parallel, tile = 128, vec = 1> : memref<?xf32>
  return
}
