// The constraints of autosage.count_tasks.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

func.func @count_tasks_c1_zero(%rp: tensor<?xi32>) {
  // expected-error @below {{'autosage.count_tasks' op expects chunk to be at least 1, got 0}}
  %0 = autosage.count_tasks %rp {chunk = 0 : i64} : tensor<?xi32>
  return
}

// -----

func.func @count_tasks_c1_negative(%rp: tensor<?xi32>) {
  // expected-error @below {{'autosage.count_tasks' op expects chunk to be at least 1, got -9223372036854775808}}
  %0 = autosage.count_tasks %rp {chunk = -9223372036854775808 : i64} : tensor<?xi32>
  return
}

// -----

func.func @count_tasks_rank(%rp: tensor<?x?xi32>) {
  // expected-error @below {{'autosage.count_tasks' op expects rowptr to have rank 1, got 2}}
  %0 = autosage.count_tasks %rp {chunk = 4 : i64} : tensor<?x?xi32>
  return
}

// -----

func.func @count_tasks_c2_strided(%rp: memref<?xi32, strided<[2]>>) {
  // expected-error @below {{'autosage.count_tasks' op expects rowptr to be contiguous, got 'memref<?xi32, strided<[2]>>'}}
  %0 = autosage.count_tasks %rp {chunk = 4 : i64} : memref<?xi32, strided<[2]>>
  return
}
