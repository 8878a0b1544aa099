// RUN: autosage-opt %s --convert-autosage-to-gpu -split-input-file -verify-diagnostics

func.func @tensors(%rp: tensor<?xi32>, %n: index, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error @below {{'autosage.spmm' op expects buffers, got 'tensor<?xi32>'; bufferization comes first}}
  %y = autosage.spmm sum on(%rp, %rp, %n : tensor<?xi32>, tensor<?xi32>, index), %x
      outs(%x) : tensor<?x4xf32> -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

func.func @cpu_schedule(%rp: memref<?xi32>, %n: index, %x: memref<?x4xf32>, %y: memref<?x4xf32>) {
  // expected-error @below {{'autosage.spmm' op schedule family 'row_parallel' does not run on nvptx, expects one of row_group, row_tasks, vendor}}
  autosage.spmm sum on(%rp, %rp, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) schedule<row_parallel> : memref<?x4xf32>, memref<?x4xf32>
  return
}

// -----

func.func @too_many_registers(%rp: memref<?xi32>, %n: index, %x: memref<?x512xf32>, %y: memref<?x512xf32>) {
  // expected-error @below {{'autosage.spmm' op expects unroll * columns of a lane to be at most 128, got 16 * 16 = 256}}
  autosage.spmm sum on(%rp, %rp, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) schedule<row_tasks, unroll = 16, tile = 512> : memref<?x512xf32>, memref<?x512xf32>
  return
}

// -----

func.func @pattern(%p: !autosage.pattern<?x?, i32, i32>) { // expected-error {{expects component arrays, got '!autosage.pattern<?x?, i32, i32>'; autosage-expand-pattern comes first}}
  return
}

// -----

func.func @backward(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %q: memref<?x8xf32>, %l: memref<?xf32>, %dq: memref<?x8xf32>, %dk: memref<?x8xf32>, %dv: memref<?x8xf32>) {
  // expected-error @below {{'autosage.attention_backward' op expects an op that has kernels, got one that others are made of on tensors; autosage-expand-backward comes first}}
  autosage.attention_backward dot on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %q, %q from(%q, %l, %q) outs(%dq, %dk, %dv)
      : memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>
  return
}
