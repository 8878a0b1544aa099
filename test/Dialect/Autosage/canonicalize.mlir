// RUN: autosage-opt %s --canonicalize -split-input-file | FileCheck %s

!p = !autosage.pattern<?x?, i32, i32>

// Two assumptions in a row become one; the later one wins.
// CHECK-LABEL: func.func @assume_twice
// CHECK-SAME: %[[P:[^:]*]]:
// CHECK-NEXT: %[[A:.*]] = autosage.assume_stats %[[P]] stats<max = 3, nnz = 9, rows = 5>
// CHECK-NEXT: return %[[A]]
func.func @assume_twice(%p: !p) -> !p {
  %0 = autosage.assume_stats %p stats<rows = 4, nnz = 9> : !p
  %1 = autosage.assume_stats %0 stats<rows = 5, max = 3> : !p
  return %1 : !p
}

// -----

// What is assumed of an explicit pattern holds for the pattern.
// CHECK-LABEL: func.func @assume_of_pattern
// CHECK-NEXT: %[[P:.*]] = autosage.pattern {{.*}} stats<max = 4, nnz = 9, rows = 4>
// CHECK-NEXT: return %[[P]]
func.func @assume_of_pattern(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index) -> !autosage.pattern<?x?, i32, i32> {
  %0 = autosage.pattern %rp, %ci, %n stats<rows = 4, max = 3> : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  %1 = autosage.assume_stats %0 stats<nnz = 9, max = 4> : !autosage.pattern<?x?, i32, i32>
  return %1 : !autosage.pattern<?x?, i32, i32>
}

// -----

// A pattern that has its layout already is prepared.
// CHECK-LABEL: func.func @prepare_again
// CHECK-SAME: %[[P:[^:]*]]: !autosage.pattern<?x?, i32, i32, tasks<64, stored>>, %[[Q:[^:]*]]: !autosage.pattern<?x?, i32, i32>
// CHECK-NEXT: return %[[P]], %[[Q]]
func.func @prepare_again(%p: !autosage.pattern<?x?, i32, i32, tasks<64, stored>>, %q: !autosage.pattern<?x?, i32, i32>)
    -> (!autosage.pattern<?x?, i32, i32, tasks<64, stored>>, !autosage.pattern<?x?, i32, i32>) {
  %0 = autosage.prepare %p layout<tasks<64, stored>> : !autosage.pattern<?x?, i32, i32, tasks<64, stored>>
  %1 = autosage.prepare %q layout<csr> : !autosage.pattern<?x?, i32, i32>
  return %0, %1 : !autosage.pattern<?x?, i32, i32, tasks<64, stored>>, !autosage.pattern<?x?, i32, i32>
}

// -----

// CHECK-LABEL: func.func @dim_static
// CHECK-SAME: %[[P:[^:]*]]:
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[C5:.*]] = arith.constant 5 : index
// CHECK-DAG: %[[NNZ:.*]] = autosage.dim nnz %[[P]]
// CHECK: return %[[C4]], %[[C5]], %[[NNZ]]
func.func @dim_static(%p: !autosage.pattern<4x5, i32, i32>) -> (index, index, index) {
  %0 = autosage.dim rows %p : !autosage.pattern<4x5, i32, i32>
  %1 = autosage.dim cols %p : !autosage.pattern<4x5, i32, i32>
  %2 = autosage.dim nnz %p : !autosage.pattern<4x5, i32, i32>
  return %0, %1, %2 : index, index, index
}

// -----

// CHECK-LABEL: func.func @dim_of_arrays
// CHECK-SAME: %{{.*}}: tensor<5xi32>, %{{.*}}: tensor<9xi32>, %[[N:.*]]: index
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[C9:.*]] = arith.constant 9 : index
// CHECK: return %[[C4]], %[[N]], %[[C9]]
func.func @dim_of_arrays(%rp: tensor<5xi32>, %ci: tensor<9xi32>, %n: index) -> (index, index, index) {
  %p = autosage.pattern %rp, %ci, %n : tensor<5xi32>, tensor<9xi32> -> <?x?, i32, i32>
  %0 = autosage.dim rows %p : !autosage.pattern<?x?, i32, i32>
  %1 = autosage.dim cols %p : !autosage.pattern<?x?, i32, i32>
  %2 = autosage.dim nnz %p : !autosage.pattern<?x?, i32, i32>
  return %0, %1, %2 : index, index, index
}

// -----

// Nothing is known of arrays of dynamic size.
// CHECK-LABEL: func.func @dim_of_dynamic_arrays
// CHECK: autosage.dim rows
// CHECK: autosage.dim nnz
func.func @dim_of_dynamic_arrays(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index) -> (index, index) {
  %p = autosage.pattern %rp, %ci, %n : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  %0 = autosage.dim rows %p : !autosage.pattern<?x?, i32, i32>
  %1 = autosage.dim nnz %p : !autosage.pattern<?x?, i32, i32>
  return %0, %1 : index, index
}

// -----

// Sizes are looked up past what changes none, or swaps two.
// CHECK-LABEL: func.func @dim_through
// CHECK-SAME: %[[P:[^:]*]]:
// CHECK-NEXT: %[[R:.*]] = autosage.dim rows %[[P]] : !autosage.pattern<?x?, i32, i32>
// CHECK-NEXT: %[[C:.*]] = autosage.dim cols %[[P]] : !autosage.pattern<?x?, i32, i32>
// CHECK-NEXT: %[[Z:.*]] = autosage.dim nnz %[[P]] : !autosage.pattern<?x?, i32, i32>
// CHECK-NEXT: return %[[R]], %[[C]], %[[Z]]
func.func @dim_through(%p: !autosage.pattern<?x?, i32, i32>) -> (index, index, index) {
  %a = autosage.assume_stats %p stats<rows = 4> : !autosage.pattern<?x?, i32, i32>
  %t, %perm = autosage.transpose %a : !autosage.pattern<?x?, i32, i32>
  %q = autosage.prepare %t layout<tasks<64, length>> : !autosage.pattern<?x?, i32, i32>
  %0 = autosage.dim cols %q : !autosage.pattern<?x?, i32, i32, tasks<64, length>>
  %1 = autosage.dim rows %q : !autosage.pattern<?x?, i32, i32, tasks<64, length>>
  %2 = autosage.dim nnz %q : !autosage.pattern<?x?, i32, i32, tasks<64, length>>
  return %0, %1, %2 : index, index, index
}

// -----

// Pure ops without uses go.
// CHECK-LABEL: func.func @dead
// CHECK-NEXT: return
func.func @dead(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  %t, %perm = autosage.transpose %p : !autosage.pattern<?x?, i32, i32>
  %q = autosage.prepare %p layout<tasks<64, length>> : !autosage.pattern<?x?, i32, i32>
  %y = autosage.spmm sum %t, %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

// Writing to a buffer is no dead code.
// CHECK-LABEL: func.func @effects
// CHECK: autosage.row_softmax
func.func @effects(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %s: memref<?xf32>) {
  autosage.row_softmax on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%s : memref<?xf32>] outs(%s) : memref<?xf32>
  return
}

// -----

// Gradients overwrite what they are written to.
// CHECK-LABEL: func.func @attention_backward_fill
// CHECK-SAME: %[[DQ:[^:]*]]: tensor<?x8xf32>)
// CHECK-NEXT: autosage.attention_backward dot {{.*}} outs(%[[DQ]], %{{.*}}, %{{.*}}) :
func.func @attention_backward_fill(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %l: tensor<?xf32>, %dq0: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %zero = arith.constant 0.0 : f32
  %dq = linalg.fill ins(%zero : f32) outs(%dq0 : tensor<?x8xf32>) -> tensor<?x8xf32>
  %0:3 = autosage.attention_backward dot %p, %x, %x, %x from(%x, %l, %x) outs(%dq, %x, %x) {scale = 1.0 : f32}
      : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?xf32>, tensor<?x8xf32>
      -> tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
  return %0#0 : tensor<?x8xf32>
}
