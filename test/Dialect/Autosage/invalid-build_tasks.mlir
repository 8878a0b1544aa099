// The constraints of autosage.build_tasks.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

func.func @build_tasks_outputs(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %t: memref<?x4xi32>,
                               %u: memref<?x4xi32>) {
  // expected-error @below {{'autosage.build_tasks' op expects 1 output, got 2}}
  autosage.build_tasks stored on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)
      outs(%t, %u) {chunk = 4 : i64} : memref<?x4xi32>, memref<?x4xi32>
  return
}

// -----

func.func @build_tasks_c1_level(%rp: tensor<?xi32>, %ci: memref<?xi32>, %n: index, %t: tensor<?x4xi32>) {
  // expected-error @below {{'autosage.build_tasks' op expects colind to be a tensor as rowptr is, got 'memref<?xi32>'}}
  %0 = autosage.build_tasks stored on(%rp, %ci, %n : tensor<?xi32>, memref<?xi32>, index)
      outs(%t) {chunk = 4 : i64} : -> tensor<?x4xi32>
  return
}

// -----

func.func @build_tasks_c1_rowptr_rank(%rp: tensor<i32>, %ci: tensor<?xi32>, %n: index, %t: tensor<?x4xi32>) {
  // expected-error @below {{'autosage.build_tasks' op expects rowptr to have rank 1, got 0}}
  %0 = autosage.build_tasks stored on(%rp, %ci, %n : tensor<i32>, tensor<?xi32>, index)
      outs(%t) {chunk = 4 : i64} : -> tensor<?x4xi32>
  return
}

// -----

func.func @build_tasks_c1_colind_rank(%rp: tensor<?xi32>, %ci: tensor<?x1xi32>, %n: index, %t: tensor<?x4xi32>) {
  // expected-error @below {{'autosage.build_tasks' op expects colind to have rank 1, got 2}}
  %0 = autosage.build_tasks stored on(%rp, %ci, %n : tensor<?xi32>, tensor<?x1xi32>, index)
      outs(%t) {chunk = 4 : i64} : -> tensor<?x4xi32>
  return
}

// -----

func.func @build_tasks_c1_outs_rank(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %t: tensor<?xi32>) {
  // expected-error @below {{'autosage.build_tasks' op expects outs to have rank 2, got 1}}
  %0 = autosage.build_tasks stored on(%rp, %ci, %n : tensor<?xi32>, tensor<?xi32>, index)
      outs(%t) {chunk = 4 : i64} : -> tensor<?xi32>
  return
}

// -----

func.func @build_tasks_c1_outs_columns(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %t: tensor<?x5xi32>) {
  // expected-error @below {{'autosage.build_tasks' op expects outs to have 4 columns, got 'tensor<?x5xi32>'}}
  %0 = autosage.build_tasks stored on(%rp, %ci, %n : tensor<?xi32>, tensor<?xi32>, index)
      outs(%t) {chunk = 4 : i64} : -> tensor<?x5xi32>
  return
}

// -----

func.func @build_tasks_c2_type(%rp: tensor<?xi64>, %ci: tensor<?xi32>, %n: index, %t: tensor<?x4xi32>) {
  // expected-error @below {{'autosage.build_tasks' op expects outs to have the element type of rowptr, 'i64', got 'i32'}}
  %0 = autosage.build_tasks stored on(%rp, %ci, %n : tensor<?xi64>, tensor<?xi32>, index)
      outs(%t) {chunk = 4 : i64} : -> tensor<?x4xi32>
  return
}

// -----

func.func @build_tasks_c3_chunk(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %t: tensor<?x4xi32>) {
  // expected-error @below {{'autosage.build_tasks' op expects chunk to be at least 1, got -32}}
  %0 = autosage.build_tasks stored on(%rp, %ci, %n : tensor<?xi32>, tensor<?xi32>, index)
      outs(%t) {chunk = -32 : i64} : -> tensor<?x4xi32>
  return
}

// -----

func.func @build_tasks_c4_input(%rp: memref<?xi32>, %ci: memref<?xi32, strided<[?], offset: ?>>, %n: index,
                                %t: memref<?x4xi32>) {
  // expected-error @below {{'autosage.build_tasks' op expects colind to be contiguous, got 'memref<?xi32, strided<[?], offset: ?>>'}}
  autosage.build_tasks stored on(%rp, %ci, %n : memref<?xi32>, memref<?xi32, strided<[?], offset: ?>>, index)
      outs(%t) {chunk = 4 : i64} : memref<?x4xi32>
  return
}

// -----

func.func @build_tasks_c4_output(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index,
                                 %t: memref<?x4xi32, strided<[5, 1]>>) {
  // expected-error @below {{'autosage.build_tasks' op expects outs to be contiguous, got 'memref<?x4xi32, strided<[5, 1]>>'}}
  autosage.build_tasks stored on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)
      outs(%t) {chunk = 4 : i64} : memref<?x4xi32, strided<[5, 1]>>
  return
}
