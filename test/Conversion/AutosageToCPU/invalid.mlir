// RUN: autosage-opt %s --pass-pipeline='builtin.module(func.func(convert-autosage-to-cpu))' \
// RUN:   -split-input-file -verify-diagnostics

func.func @family(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %x: memref<?x8xf32>, %y: memref<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op schedule family 'row_tasks' does not run on cpu, expects one of row_parallel, nnz_parallel}}
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) schedule<row_tasks> : memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

func.func @accumulators(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %x: memref<?x8xf32>, %y: memref<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects tile / vec to be at most 64 accumulators, got 1024 / 2 = 512}}
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) schedule<row_parallel, tile = 1024, vec = 2> : memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

// expected-error @below {{expects component arrays, got '!autosage.pattern<?x?, i32, i32>'; autosage-expand-pattern comes first}}
func.func @pattern(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error @below {{'autosage.spmm' op expects component arrays, got '!autosage.pattern<?x?, i32, i32>'; autosage-expand-pattern and bufferization come first}}
  %r = autosage.spmm sum %p, %x outs(%y) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// -----

func.func @tensors(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %x: tensor<?x8xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error @below {{'autosage.spmm' op expects buffers, got 'tensor<?xi32>'; bufferization comes first}}
  %r = autosage.spmm sum on(%rp, %ci, %n : tensor<?xi32>, tensor<?xi32>, index), %x
      outs(%y) : tensor<?x8xf32> -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// -----

func.func @locality(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %tasks: memref<?x4xi32>) {
  // expected-error @below {{'autosage.build_tasks' op expects order stored or length on cpu, got locality}}
  autosage.build_tasks locality on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)
      outs(%tasks) {chunk = 8 : i64} : memref<?x4xi32>
  return
}

// -----

func.func @backward(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %q: memref<?x8xf32>, %l: memref<?xf32>, %dq: memref<?x8xf32>, %dk: memref<?x8xf32>, %dv: memref<?x8xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects an op that has kernels, got one that others are made of on tensors; autosage-expand-backward comes first}}
  autosage.attention_backward dot on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %q, %q from(%q, %l, %q) outs(%dq, %dk, %dv)
      : memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

func.func @composed_walk(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %q: memref<?x8xf32>, %l: memref<?xf32>, %dq: memref<?x8xf32>, %d: memref<?xf32>) {
  // expected-error @below {{'autosage.attention_backward_q' op expects attention = fused for one walk of its gradients, got composed}}
  autosage.attention_backward_q dot on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %q, %q from(%q, %l, %q)
      outs(%dq, %d) schedule<row_parallel, attention = composed>
      : memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?xf32>
  return
}

// -----

func.func @family_of_walk(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %q: memref<?x8xf32>, %l: memref<?xf32>, %dk: memref<?x8xf32>, %dv: memref<?x8xf32>) {
  // expected-error @below {{'autosage.attention_backward_kv' op schedule family 'row_tasks' does not run on cpu, expects one of row_parallel, nnz_parallel}}
  autosage.attention_backward_kv dot on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %q, %q from(%l, %l, %q)
      outs(%dk, %dv) schedule<row_tasks>
      : memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?xf32>, memref<?xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>
  return
}
