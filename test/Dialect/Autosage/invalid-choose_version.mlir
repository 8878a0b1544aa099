// RUN: autosage-opt %s -split-input-file -verify-diagnostics

!p = !autosage.pattern<?x?, i32, i32>

func.func @choose_version_c1_none() -> index {
  // expected-error @below {{'autosage.choose_version' op expects a pattern, or rowptr, colind and the number of columns, got 0 arrays}}
  %v = "autosage.choose_version"() <{operandSegmentSizes = array<i32: 0, 0>, kernel = "", versions = [#autosage.schedule<row_group>, #autosage.schedule<row_tasks>]}> : () -> index
  return %v : index
}

// -----

!p = !autosage.pattern<?x?, i32, i32>

func.func @choose_version_c1_arrays(%rp: tensor<?xi32>, %n: index) -> index {
  // expected-error @below {{'autosage.choose_version' op expects a pattern, or rowptr, colind and the number of columns, got 2 arrays}}
  %v = autosage.choose_version on(%rp, %n : tensor<?xi32>, index) for "" of [#autosage.schedule<row_group>, #autosage.schedule<row_tasks>]
  return %v : index
}

// -----

!t = !autosage.pattern<?x?, i32, i32, tasks<64, stored>>

func.func @choose_version_c1_layout(%p: !t) -> index {
  // expected-error @below {{'autosage.choose_version' op expects a pattern of layout csr, got '!autosage.pattern<?x?, i32, i32, tasks<64, stored>>'}}
  %v = autosage.choose_version %p : !t for "" of [#autosage.schedule<row_group>, #autosage.schedule<row_tasks>]
  return %v : index
}

// -----

!p = !autosage.pattern<?x?, i32, i32>

func.func @choose_version_c2_number(%p: !p) -> index {
  // expected-error @below {{'autosage.choose_version' op expects at least 2 versions, got 1}}
  %v = autosage.choose_version %p : !p for "" of [#autosage.schedule<row_group>]
  return %v : index
}

// -----

!p = !autosage.pattern<?x?, i32, i32>

func.func @choose_version_c2_kind(%p: !p) -> index {
  // expected-error @below {{'autosage.choose_version' op expects versions to be schedules, got 3 : i64}}
  %v = autosage.choose_version %p : !p for "" of [#autosage.schedule<row_group>, 3]
  return %v : index
}

// -----

!p = !autosage.pattern<?x?, i32, i32>

func.func @choose_version_c3(%p: !p) -> index {
  // expected-error @below {{'autosage.choose_version' op expects op of a kernel to be a word of its own, got 'gemm'}}
  %v = autosage.choose_version %p : !p for "op=gemm" of [#autosage.schedule<row_group>, #autosage.schedule<row_tasks>]
  return %v : index
}

// -----

func.func @choose_version_c4_rank(%rp: memref<?x4xi32>, %ci: memref<?xi32>, %n: index) -> index {
  // expected-error @below {{'autosage.choose_version' op expects rowptr to have rank 1, got 2}}
  %v = autosage.choose_version on(%rp, %ci, %n : memref<?x4xi32>, memref<?xi32>, index) for "" of [#autosage.schedule<row_group>, #autosage.schedule<row_tasks>]
  return %v : index
}

// -----

func.func @choose_version_c4_contiguous(%rp: memref<?xi32, strided<[2]>>, %ci: memref<?xi32>, %n: index) -> index {
  // expected-error @below {{'autosage.choose_version' op expects rowptr to be contiguous, got 'memref<?xi32, strided<[2]>>'}}
  %v = autosage.choose_version on(%rp, %ci, %n : memref<?xi32, strided<[2]>>, memref<?xi32>, index) for "" of [#autosage.schedule<row_group>, #autosage.schedule<row_tasks>]
  return %v : index
}
