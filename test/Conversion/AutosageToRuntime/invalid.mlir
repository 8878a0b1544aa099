// RUN: autosage-opt %s --convert-autosage-to-runtime -split-input-file -verify-diagnostics

func.func @tensors(%rp: tensor<?xi32>, %n: index, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error @below {{'autosage.spmm' op expects buffers for a call of the runtime; autosage-expand-pattern and bufferization come first}}
  %y = autosage.spmm sum on(%rp, %rp, %n : tensor<?xi32>, tensor<?xi32>, index), %x
      outs(%x) schedule<vendor> : tensor<?x4xf32> -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// -----

func.func @reduction(%rp: memref<?xi32>, %n: index, %x: memref<?x4xf32>, %y: memref<?x4xf32>) {
  // expected-error @below {{'autosage.spmm' op cuSPARSE expects spmm sum, got spmm max}}
  autosage.spmm max on(%rp, %rp, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) schedule<vendor> : memref<?x4xf32>, memref<?x4xf32>
  return
}

// -----

func.func @deterministic(%rp: memref<?xi32>, %n: index, %x: memref<?x4xf32>, %y: memref<?x4xf32>) {
  // expected-error @below {{'autosage.spmm' op cuSPARSE expects algorithm 3 for deterministic results (others with deterministic = false), got 2}}
  autosage.spmm sum on(%rp, %rp, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) schedule<vendor, alg = 2> : memref<?x4xf32>, memref<?x4xf32>
  return
}

// -----

func.func @transpose(%rp: memref<?xi32>, %n: index, %x: memref<?x4xf32>, %y: memref<?x4xf32>) {
  // expected-error @below {{'autosage.spmm' op cuSPARSE expects deterministic = false for the transpose, got true}}
  autosage.spmm sum on(%rp, %rp, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) schedule<vendor> {transpose} : memref<?x4xf32>, memref<?x4xf32>
  return
}

// -----

func.func @mixed_indices(%rp: memref<?xi64>, %ci: memref<?xi32>, %n: index, %x: memref<?x4xf32>, %y: memref<?x4xf32>) {
  // expected-error @below {{'autosage.spmm' op cuSPARSE expects rowptr and colind of one type, got i64 and i32}}
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi64>, memref<?xi32>, index), %x
      outs(%y) schedule<vendor> : memref<?x4xf32>, memref<?x4xf32>
  return
}

// -----

func.func @values_per_head(%rp: memref<?xi32>, %n: index, %w: memref<?x2xf32>, %x: memref<?x2x4xf32>, %y: memref<?x2x4xf32>) {
  // expected-error @below {{'autosage.spmm' op cuSPARSE expects one edge value for all heads, got one a head}}
  autosage.spmm sum on(%rp, %rp, %n : memref<?xi32>, memref<?xi32>, index)[%w : memref<?x2xf32>], %x
      outs(%y) schedule<vendor> : memref<?x2x4xf32>, memref<?x2x4xf32>
  return
}

// -----

func.func @strided_heads(%rp: memref<?xi32>, %n: index, %x: memref<?x2x4xf32, strided<[16, 8, 1]>>, %y: memref<?x2x4xf32>) {
  // expected-error @below {{'autosage.spmm' op cuSPARSE expects the elements of a row of x side by side, got 'memref<?x2x4xf32, strided<[16, 8, 1]>>'}}
  autosage.spmm sum on(%rp, %rp, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) schedule<vendor> : memref<?x2x4xf32, strided<[16, 8, 1]>>, memref<?x2x4xf32>
  return
}

// -----

func.func @no_features(%rp: memref<?xi32>, %n: index, %x: memref<?x0xf32>, %y: memref<?x0xf32>) {
  // expected-error @below {{'autosage.spmm' op cuSPARSE expects at least one feature, got 0}}
  autosage.spmm sum on(%rp, %rp, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) schedule<vendor> : memref<?x0xf32>, memref<?x0xf32>
  return
}

// -----

func.func @sddmm_add(%rp: memref<?xi32>, %n: index, %q: memref<?x2xf32>, %s: memref<?x2xf32>) {
  // expected-error @below {{'autosage.sddmm' op cuSPARSE expects sddmm dot, got sddmm add}}
  autosage.sddmm add on(%rp, %rp, %n : memref<?xi32>, memref<?xi32>, index), %q, %q
      outs(%s) schedule<vendor> : memref<?x2xf32>, memref<?x2xf32>, memref<?x2xf32>
  return
}

// -----

func.func @sddmm_heads(%rp: memref<?xi32>, %n: index, %q: memref<?x2x8xf32>, %s: memref<?x2xf32>) {
  // expected-error @below {{'autosage.sddmm' op cuSPARSE expects sddmm without heads, got 'memref<?x2x8xf32>'}}
  autosage.sddmm dot on(%rp, %rp, %n : memref<?xi32>, memref<?xi32>, index), %q, %q
      outs(%s) schedule<vendor> : memref<?x2x8xf32>, memref<?x2x8xf32>, memref<?x2xf32>
  return
}

// -----

func.func @sddmm_values(%rp: memref<?xi32>, %n: index, %w: memref<?xf32>, %q: memref<?x8xf32>, %s: memref<?xf32>) {
  // expected-error @below {{'autosage.sddmm' op cuSPARSE expects sddmm without edge values, got edge values}}
  autosage.sddmm dot on(%rp, %rp, %n : memref<?xi32>, memref<?xi32>, index)[%w : memref<?xf32>], %q, %q
      outs(%s) schedule<vendor> : memref<?x8xf32>, memref<?x8xf32>, memref<?xf32>
  return
}

// -----

func.func @sddmm_bf16(%rp: memref<?xi32>, %n: index, %q: memref<?x8xbf16>, %s: memref<?xbf16>) {
  // expected-error @below {{'autosage.sddmm' op cuSPARSE expects sddmm on f32, f64 or f16, got bf16}}
  autosage.sddmm dot on(%rp, %rp, %n : memref<?xi32>, memref<?xi32>, index), %q, %q
      outs(%s) schedule<vendor> : memref<?x8xbf16>, memref<?x8xbf16>, memref<?xbf16>
  return
}

// -----

func.func @softmax(%rp: memref<?xi32>, %n: index, %s: memref<?xf32>, %a: memref<?xf32>) {
  // expected-error @below {{'autosage.row_softmax' op cuSPARSE expects spmm or sddmm, got row_softmax}}
  autosage.row_softmax on(%rp, %rp, %n : memref<?xi32>, memref<?xi32>, index)[%s : memref<?xf32>]
      outs(%a) schedule<vendor> : memref<?xf32>
  return
}

// -----

func.func @spmm_rows_of_algorithm_3(%rp: memref<?xi32>, %n: index, %x: memref<?x3xf32>, %y: memref<?x3xf32>) {
  // expected-error @below {{'autosage.spmm' op cuSPARSE expects rows of x to fill a multiple of 16 bytes for algorithm 3, got 12 bytes}}
  autosage.spmm sum on(%rp, %rp, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) schedule<vendor> : memref<?x3xf32>, memref<?x3xf32>
  return
}

// -----

func.func @spmm_distance_of_algorithm_3(%rp: memref<?xi32>, %n: index, %x: memref<?x4xf32>, %y: memref<?x4xf32, strided<[37, 1]>>) {
  // expected-error @below {{'autosage.spmm' op cuSPARSE expects rows of y to lie apart by a multiple of 16 bytes for algorithm 3, got 148 bytes}}
  autosage.spmm sum on(%rp, %rp, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) schedule<vendor> : memref<?x4xf32>, memref<?x4xf32, strided<[37, 1]>>
  return
}
