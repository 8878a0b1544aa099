// The constraints of autosage.build_transpose.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

func.func @build_transpose_outputs(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %r: memref<?xi32>) {
  // expected-error @below {{'autosage.build_transpose' op expects 3 outputs, got 1}}
  autosage.build_transpose on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index) outs(%r) : memref<?xi32>
  return
}

// -----

func.func @build_transpose_c1_level(%rp: tensor<?xi32>, %ci: memref<?xi32>, %n: index, %r: tensor<?xi32>,
                                    %c: tensor<?xi32>, %e: tensor<?xi32>) {
  // expected-error @below {{'autosage.build_transpose' op expects colind to be a tensor as rowptr is, got 'memref<?xi32>'}}
  %0:3 = autosage.build_transpose on(%rp, %ci, %n : tensor<?xi32>, memref<?xi32>, index)
      outs(%r, %c, %e) : -> tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
  return
}

// -----

func.func @build_transpose_c1_outs_level(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %r: tensor<?xi32>,
                                         %c: tensor<?xi32>, %e: tensor<?xi32>) {
  // expected-error @below {{'autosage.build_transpose' op expects outs 0 to be a buffer as rowptr is, got 'tensor<?xi32>'}}
  %0:3 = autosage.build_transpose on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)
      outs(%r, %c, %e) : -> tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
  return
}

// -----

func.func @build_transpose_c1_rank(%rp: tensor<?x1xi32>, %ci: tensor<?xi32>, %n: index, %r: tensor<?xi32>,
                                   %c: tensor<?xi32>, %e: tensor<?xi32>) {
  // expected-error @below {{'autosage.build_transpose' op expects rowptr to have rank 1, got 2}}
  %0:3 = autosage.build_transpose on(%rp, %ci, %n : tensor<?x1xi32>, tensor<?xi32>, index)
      outs(%r, %c, %e) : -> tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
  return
}

// -----

func.func @build_transpose_c1_outs_rank(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %r: tensor<?xi32>,
                                        %c: tensor<?x1xi32>, %e: tensor<?xi32>) {
  // expected-error @below {{'autosage.build_transpose' op expects outs 1 to have rank 1, got 2}}
  %0:3 = autosage.build_transpose on(%rp, %ci, %n : tensor<?xi32>, tensor<?xi32>, index)
      outs(%r, %c, %e) : -> tensor<?xi32>, tensor<?x1xi32>, tensor<?xi32>
  return
}

// -----

func.func @build_transpose_c2_positions(%rp: tensor<?xi64>, %ci: tensor<?xi32>, %n: index, %r: tensor<?xi32>,
                                        %c: tensor<?xi32>, %e: tensor<?xi64>) {
  // expected-error @below {{'autosage.build_transpose' op expects outs 0 to have the element type of rowptr, 'i64', got 'i32'}}
  %0:3 = autosage.build_transpose on(%rp, %ci, %n : tensor<?xi64>, tensor<?xi32>, index)
      outs(%r, %c, %e) : -> tensor<?xi32>, tensor<?xi32>, tensor<?xi64>
  return
}

// -----

func.func @build_transpose_c2_permutation(%rp: tensor<?xi64>, %ci: tensor<?xi32>, %n: index, %r: tensor<?xi64>,
                                          %c: tensor<?xi32>, %e: tensor<?xi32>) {
  // expected-error @below {{'autosage.build_transpose' op expects outs 2 to have the element type of rowptr, 'i64', got 'i32'}}
  %0:3 = autosage.build_transpose on(%rp, %ci, %n : tensor<?xi64>, tensor<?xi32>, index)
      outs(%r, %c, %e) : -> tensor<?xi64>, tensor<?xi32>, tensor<?xi32>
  return
}

// -----

func.func @build_transpose_c2_coordinates(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %r: tensor<?xi32>,
                                          %c: tensor<?xindex>, %e: tensor<?xi32>) {
  // expected-error @below {{'autosage.build_transpose' op expects outs 1 to have the element type of colind, 'i32', got 'index'}}
  %0:3 = autosage.build_transpose on(%rp, %ci, %n : tensor<?xi32>, tensor<?xi32>, index)
      outs(%r, %c, %e) : -> tensor<?xi32>, tensor<?xindex>, tensor<?xi32>
  return
}

// -----

func.func @build_transpose_c3_coordinates(%rp: tensor<?xi32>, %ci: tensor<9xi32>, %n: index, %r: tensor<?xi32>,
                                          %c: tensor<8xi32>, %e: tensor<?xi32>) {
  // expected-error @below {{'autosage.build_transpose' op expects outs 1 to have 9 entries for the nonzeros, got 8}}
  %0:3 = autosage.build_transpose on(%rp, %ci, %n : tensor<?xi32>, tensor<9xi32>, index)
      outs(%r, %c, %e) : -> tensor<?xi32>, tensor<8xi32>, tensor<?xi32>
  return
}

// -----

func.func @build_transpose_c3_permutation(%rp: tensor<?xi32>, %ci: tensor<9xi32>, %n: index, %r: tensor<?xi32>,
                                          %c: tensor<9xi32>, %e: tensor<10xi32>) {
  // expected-error @below {{'autosage.build_transpose' op expects outs 2 to have 9 entries for the nonzeros, got 10}}
  %0:3 = autosage.build_transpose on(%rp, %ci, %n : tensor<?xi32>, tensor<9xi32>, index)
      outs(%r, %c, %e) : -> tensor<?xi32>, tensor<9xi32>, tensor<10xi32>
  return
}

// -----

func.func @build_transpose_c4_input(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %c: memref<?xi32>,
                                    %e: memref<?xi32>) {
  // expected-error @below {{'autosage.build_transpose' op expects outs not to overlap rowptr, got the same buffer for both}}
  autosage.build_transpose on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)
      outs(%rp, %c, %e) : memref<?xi32>, memref<?xi32>, memref<?xi32>
  return
}

// -----

func.func @build_transpose_c4_outputs(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %r: memref<?xi32>,
                                      %c: memref<?xi32>) {
  // expected-error @below {{'autosage.build_transpose' op expects outputs not to overlap each other, got the same buffer twice}}
  autosage.build_transpose on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)
      outs(%r, %c, %c) : memref<?xi32>, memref<?xi32>, memref<?xi32>
  return
}

// -----

func.func @build_transpose_c5_input(%rp: memref<?xi32, strided<[2]>>, %ci: memref<?xi32>, %n: index,
                                    %r: memref<?xi32>, %c: memref<?xi32>, %e: memref<?xi32>) {
  // expected-error @below {{'autosage.build_transpose' op expects rowptr to be contiguous, got 'memref<?xi32, strided<[2]>>'}}
  autosage.build_transpose on(%rp, %ci, %n : memref<?xi32, strided<[2]>>, memref<?xi32>, index)
      outs(%r, %c, %e) : memref<?xi32>, memref<?xi32>, memref<?xi32>
  return
}

// -----

func.func @build_transpose_c5_output(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %r: memref<?xi32>,
                                     %c: memref<?xi32>, %e: memref<?xi32, strided<[?]>>) {
  // expected-error @below {{'autosage.build_transpose' op expects outs 2 to be contiguous, got 'memref<?xi32, strided<[?]>>'}}
  autosage.build_transpose on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)
      outs(%r, %c, %e) : memref<?xi32>, memref<?xi32>, memref<?xi32, strided<[?]>>
  return
}
