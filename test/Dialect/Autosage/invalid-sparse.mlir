// What holds for every compute op: its pattern or arrays, one level, contiguity,
// aliasing, statistics and layout.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

func.func @sparse_s1_neither(%x: memref<?x8xf32>, %y: memref<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects a pattern or component arrays, got neither}}
  "autosage.spmm"(%x, %y) <{operandSegmentSizes = array<i32: 0, 0, 0, 1, 1>, reduction = #autosage<reduction sum>}> : (memref<?x8xf32>, memref<?x8xf32>) -> ()
  return
}

// -----

func.func @sparse_s1_both(%p: !autosage.pattern<?x?, i32, i32>, %rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index,
                          %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects a pattern or component arrays, got both}}
  %0 = "autosage.spmm"(%p, %rp, %ci, %n, %x, %y0) <{operandSegmentSizes = array<i32: 1, 3, 0, 1, 1>, reduction = #autosage<reduction sum>}> : (!autosage.pattern<?x?, i32, i32>, tensor<?xi32>, tensor<?xi32>, index, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @sparse_s1_too_few(%rp: tensor<?xi32>, %n: index, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects 2 arrays and the number of columns as index for layout csr, got 'tensor<?xi32>', 'index'}}
  %0 = autosage.spmm sum on(%rp, %n : tensor<?xi32>, index), %x outs(%y0) : tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @sparse_s1_no_columns(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects 2 arrays and the number of columns as index for layout csr, got 'tensor<?xi32>', 'tensor<?xi32>'}}
  %0 = autosage.spmm sum on(%rp, %ci : tensor<?xi32>, tensor<?xi32>), %x
      outs(%y0) : tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @sparse_s1_last_is_no_index(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %x: tensor<?x8xf32>,
                                      %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects 2 arrays and the number of columns as index for layout csr, got 'tensor<?xi32>', 'tensor<?xi32>', 'tensor<?xi32>'}}
  %0 = autosage.spmm sum on(%rp, %ci, %ci : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>), %x
      outs(%y0) : tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @sparse_s1_no_tasks(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %x: tensor<?x8xf32>,
                              %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects 3 arrays and the number of columns as index for layout tasks, got 'tensor<?xi32>', 'tensor<?xi32>', 'index'}}
  %0 = autosage.spmm sum on(%rp, %ci, %n : tensor<?xi32>, tensor<?xi32>, index), %x
      outs(%y0) layout<tasks<64, stored>> : tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @sparse_s2_mixed(%rp: tensor<?xi32>, %ci: memref<?xi32>, %n: index, %x: tensor<?x8xf32>,
                           %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects colind to be a tensor as rowptr is, got 'memref<?xi32>'}}
  %0 = autosage.spmm sum on(%rp, %ci, %n : tensor<?xi32>, memref<?xi32>, index), %x
      outs(%y0) : tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @sparse_s2_dense(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %x: memref<?x8xf32>,
                           %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects outs to be a buffer as rowptr is, got 'tensor<?x8xf32>'}}
  %0 = autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y0) : memref<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @sparse_s2_buffers_beside_pattern(%p: !autosage.pattern<?x?, i32, i32>, %x: memref<?x8xf32>,
                                            %y: memref<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects x to be a tensor beside a pattern, got 'memref<?x8xf32>'}}
  autosage.spmm sum %p, %x outs(%y) : !autosage.pattern<?x?, i32, i32>, memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

func.func @sparse_s3_scalar(%r: index, %ci: tensor<?xi32>, %n: index, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects rowptr to be an array, got 'index'}}
  %0 = autosage.spmm sum on(%r, %ci, %n : index, tensor<?xi32>, index), %x
      outs(%y0) : tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @sparse_s3_rowptr_rank(%rp: tensor<?x1xi32>, %ci: tensor<?xi32>, %n: index, %x: tensor<?x8xf32>,
                                 %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects rowptr to have rank 1, got 2}}
  %0 = autosage.spmm sum on(%rp, %ci, %n : tensor<?x1xi32>, tensor<?xi32>, index), %x
      outs(%y0) : tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @sparse_s3_colind_rank(%rp: tensor<?xi32>, %ci: tensor<i32>, %n: index, %x: tensor<?x8xf32>,
                                 %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects colind to have rank 1, got 0}}
  %0 = autosage.spmm sum on(%rp, %ci, %n : tensor<?xi32>, tensor<i32>, index), %x
      outs(%y0) : tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @sparse_s3_tasks_rank(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %t: tensor<?xi32>, %n: index,
                                %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects tasks to have rank 2, got 1}}
  %0 = autosage.spmm sum on(%rp, %ci, %t, %n : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, index), %x
      outs(%y0) layout<tasks<64, stored>> : tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @sparse_s3_tasks_columns(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %t: tensor<?x3xi32>, %n: index,
                                   %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects tasks to have 4 columns, got 'tensor<?x3xi32>'}}
  %0 = autosage.spmm sum on(%rp, %ci, %t, %n : tensor<?xi32>, tensor<?xi32>, tensor<?x3xi32>, index), %x
      outs(%y0) layout<tasks<64, stored>> : tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @sparse_s3_tasks_type(%rp: tensor<?xi64>, %ci: tensor<?xi32>, %t: tensor<?x4xi32>, %n: index,
                                %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects tasks to have the element type of rowptr, 'i64', got 'i32'}}
  %0 = autosage.spmm sum on(%rp, %ci, %t, %n : tensor<?xi64>, tensor<?xi32>, tensor<?x4xi32>, index), %x
      outs(%y0) layout<tasks<64, stored>> : tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @sparse_s3_rowptr_size(%rp: tensor<0xi32>, %ci: tensor<?xi32>, %n: index, %x: tensor<?x8xf32>,
                                 %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects rowptr to have at least 1 entry, got 0}}
  %0 = autosage.spmm sum on(%rp, %ci, %n : tensor<0xi32>, tensor<?xi32>, index), %x
      outs(%y0) : tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @sparse_s3_rowptr_strided(%rp: memref<?xi32, strided<[2]>>, %ci: memref<?xi32>, %n: index,
                                    %x: memref<?x8xf32>, %y: memref<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects rowptr to be contiguous, got 'memref<?xi32, strided<[2]>>'}}
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32, strided<[2]>>, memref<?xi32>, index), %x
      outs(%y) : memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

func.func @sparse_s3_colind_strided(%rp: memref<?xi32>, %ci: memref<?xi32, strided<[?], offset: ?>>, %n: index,
                                    %x: memref<?x8xf32>, %y: memref<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects colind to be contiguous, got 'memref<?xi32, strided<[?], offset: ?>>'}}
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32, strided<[?], offset: ?>>, index), %x
      outs(%y) : memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

func.func @sparse_s3_tasks_strided(%rp: memref<?xi32>, %ci: memref<?xi32>, %t: memref<?x4xi32, strided<[8, 1]>>,
                                   %n: index, %x: memref<?x8xf32>, %y: memref<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects tasks to be contiguous, got 'memref<?x4xi32, strided<[8, 1]>>'}}
  autosage.spmm sum on(%rp, %ci, %t, %n : memref<?xi32>, memref<?xi32>, memref<?x4xi32, strided<[8, 1]>>, index), %x
      outs(%y) layout<tasks<64, stored>> : memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

func.func @sparse_s4_alias(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %x: memref<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects outs not to overlap x, got the same buffer for both}}
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%x) : memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

func.func @sparse_s4_alias_values(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %w: memref<?xf32>,
                                  %q: memref<?x8xf32>) {
  // expected-error @below {{'autosage.sddmm' op expects outs not to overlap values, got the same buffer for both}}
  autosage.sddmm dot on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%w : memref<?xf32>], %q, %q
      outs(%w) : memref<?x8xf32>, memref<?x8xf32>, memref<?xf32>
  return
}

// -----

func.func @sparse_s4_outputs(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %q: memref<?x8xf32>,
                             %o: memref<?x8xf32>) {
  // expected-error @below {{'autosage.attention' op expects outputs not to overlap each other, got the same buffer twice}}
  autosage.attention dot on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %q, %q
      outs(%o, %o) : memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>, memref<?x8xf32>
  return
}

// -----

func.func @sparse_s5_rows(%p: !autosage.pattern<4x5, i32, i32>, %x: tensor<5x8xf32>, %y0: tensor<4x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects statistic 'rows' to be 4, got 5}}
  %0 = autosage.spmm sum %p, %x
      outs(%y0) stats<rows = 5> : !autosage.pattern<4x5, i32, i32>, tensor<5x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @sparse_s5_cols(%p: !autosage.pattern<4x5, i32, i32>, %x: tensor<5x8xf32>, %y0: tensor<4x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects statistic 'cols' to be 5, got 4}}
  %0 = autosage.spmm sum %p, %x
      outs(%y0) stats<cols = 4> : !autosage.pattern<4x5, i32, i32>, tensor<5x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @sparse_s5_nnz(%rp: tensor<5xi32>, %ci: tensor<9xi32>, %n: index, %x: tensor<?x8xf32>,
                         %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects statistic 'nnz' to be 9, got 8}}
  %0 = autosage.spmm sum on(%rp, %ci, %n : tensor<5xi32>, tensor<9xi32>, index), %x
      outs(%y0) stats<nnz = 8> : tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @sparse_s6_layout(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects no layout beside a pattern, whose type has one, got #autosage.layout<csr>}}
  %0 = autosage.spmm sum %p, %x
      outs(%y0) layout<csr> : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @sparse_s7_strided(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %x: memref<?x8xf32, affine_map<(d0, d1) -> (d1 mod 2, d0)>>, %y: memref<?x8xf32>) {
  // expected-error @below {{'autosage.spmm' op expects x to be a strided buffer, got 'memref<?x8xf32, affine_map<(d0, d1) -> (d1 mod 2, d0)>>'}}
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x outs(%y) : memref<?x8xf32, affine_map<(d0, d1) -> (d1 mod 2, d0)>>, memref<?x8xf32>
  return
}
