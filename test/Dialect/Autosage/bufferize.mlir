// Expanded ops bufferize as any destination-style op: in place where that is
// right, into a copy where it is not.
//
// RUN: autosage-opt %s --autosage-expand-pattern --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @in_place
// CHECK-SAME: %[[RP:[^:]*]]: memref<?xi32>, %[[CI:[^:]*]]: memref<?xi32>, %[[N:[^:]*]]: index, %[[X:[^:]*]]: memref<?x8xf32>, %[[Y:[^:]*]]: memref<?x8xf32>
// CHECK-NEXT: autosage.spmm sum on(%[[RP]], %[[CI]], %[[N]] : memref<?xi32>, memref<?xi32>, index), %[[X]] outs(%[[Y]]) stats<nnz = 9> schedule<row_parallel, vec = 8> decision<user> {transpose} : memref<?x8xf32>, memref<?x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @in_place(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %y = autosage.spmm sum %p, %x outs(%y0) stats<nnz = 9> schedule<row_parallel, vec = 8> decision<user> {transpose}
      : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

// outs is used again: the op writes into memory of its own, and does not copy
// what it overwrites.
// CHECK-LABEL: func.func @outs_used_later
// CHECK-SAME: %[[Y0:[^:]*]]: memref<?x8xf32>
// CHECK: %[[NEW:.*]] = memref.alloc(%{{.*}})
// CHECK-NOT: memref.copy
// CHECK: autosage.spmm sum {{.*}} outs(%[[NEW]])
// CHECK: return %[[NEW]], %[[Y0]]
func.func @outs_used_later(%y0: tensor<?x8xf32>, %p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %y = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return %y, %y0 : tensor<?x8xf32>, tensor<?x8xf32>
}

// -----

// With accumulate it reads outs, so the memory of its own starts as a copy.
// CHECK-LABEL: func.func @accumulate_used_later
// CHECK-SAME: %[[Y0:[^:]*]]: memref<?x8xf32>
// CHECK: %[[NEW:.*]] = memref.alloc(%{{.*}})
// CHECK: memref.copy %[[Y0]], %[[NEW]]
// CHECK: autosage.spmm sum {{.*}} outs(%[[NEW]]) {accumulate}
func.func @accumulate_used_later(%y0: tensor<?x8xf32>, %p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %y = autosage.spmm sum %p, %x outs(%y0) {accumulate} : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return %y, %y0 : tensor<?x8xf32>, tensor<?x8xf32>
}

// -----

// What is in outs before counts only for accumulate: the fill before it stays.
// CHECK-LABEL: func.func @accumulate_in_place
// CHECK-SAME: %[[Y0:[^:]*]]: memref<?x8xf32>
// CHECK-NOT: memref.alloc
// CHECK: linalg.fill {{.*}} outs(%[[Y0]]
// CHECK: autosage.spmm sum {{.*}} outs(%[[Y0]]) {accumulate}
func.func @accumulate_in_place(%y0: tensor<?x8xf32>, %p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %zero = arith.constant 0.0 : f32
  %filled = linalg.fill ins(%zero : f32) outs(%y0 : tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = autosage.spmm sum %p, %x outs(%filled) {accumulate} : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

// An input and outs that are one tensor become two buffers.
// CHECK-LABEL: func.func @x_is_outs
// CHECK-SAME: %[[X:[^:]*]]: memref<?x8xf32>
// CHECK: %[[NEW:.*]] = memref.alloc(%{{.*}})
// CHECK: autosage.spmm sum {{.*}}, %[[X]] outs(%[[NEW]])
func.func @x_is_outs(%x: tensor<?x8xf32>, %p: !autosage.pattern<?x?, i32, i32>) -> tensor<?x8xf32> {
  %y = autosage.spmm sum %p, %x outs(%x) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

// Softmax may write onto its logits ...
// CHECK-LABEL: func.func @softmax_onto_logits
// CHECK-SAME: %[[S:[^:]*]]: memref<?xf32>
// CHECK-NOT: memref.alloc
// CHECK: autosage.row_softmax {{.*}}[%[[S]] : memref<?xf32>] outs(%[[S]]) : memref<?xf32>
// CHECK: return %[[S]]
func.func @softmax_onto_logits(%s: tensor<?xf32>, %p: !autosage.pattern<?x?, i32, i32>) -> tensor<?xf32> {
  %a = autosage.row_softmax %p[%s : tensor<?xf32>] outs(%s) : !autosage.pattern<?x?, i32, i32> -> tensor<?xf32>
  return %a : tensor<?xf32>
}

// -----

// ... unless they are used later.
// CHECK-LABEL: func.func @softmax_keeps_logits
// CHECK-SAME: %[[S:[^:]*]]: memref<?xf32>
// CHECK: %[[NEW:.*]] = memref.alloc(%{{.*}})
// CHECK: autosage.row_softmax {{.*}}[%[[S]] : memref<?xf32>] outs(%[[NEW]]) : memref<?xf32>
func.func @softmax_keeps_logits(%s: tensor<?xf32>, %p: !autosage.pattern<?x?, i32, i32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %a = autosage.row_softmax %p[%s : tensor<?xf32>] outs(%s) : !autosage.pattern<?x?, i32, i32> -> tensor<?xf32>
  return %a, %s : tensor<?xf32>, tensor<?xf32>
}

// -----

// One tensor for both outputs cannot be one buffer.
// CHECK-LABEL: func.func @outputs_are_one
// CHECK: %[[NEW:.*]] = memref.alloc
// CHECK: autosage.build_transpose on({{.*}}) outs(%{{.*}}, %[[A:[^,]*]], %[[B:[^,)]*]])
func.func @outputs_are_one(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %r0: tensor<?xi32>, %e0: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %0:3 = autosage.build_transpose on(%rp, %ci, %n : tensor<?xi32>, tensor<?xi32>, index) outs(%r0, %e0, %e0) : -> tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
  return %0#0, %0#1, %0#2 : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}

// -----

// A task list is made in a buffer of the right size.
// CHECK-LABEL: func.func @tasks
// CHECK-SAME: %[[RP:[^:]*]]: memref<?xi32>, %[[CI:[^:]*]]: memref<?xi32>, %[[N:[^:]*]]: index
// CHECK: %[[COUNT:.*]] = autosage.count_tasks %[[RP]] {chunk = 64 : i64} : memref<?xi32>
// CHECK: %[[TASKS:.*]] = memref.alloc(%[[COUNT]]) {{.*}} : memref<?x4xi32>
// CHECK: autosage.build_tasks length on(%[[RP]], %[[CI]], %[[N]] : memref<?xi32>, memref<?xi32>, index) outs(%[[TASKS]]) {chunk = 64 : i64} : memref<?x4xi32>
// CHECK: autosage.row_softmax on(%[[RP]], %[[CI]], %[[TASKS]], %[[N]] : {{.*}} layout<tasks<64, length>>
func.func @tasks(%p: !autosage.pattern<?x?, i32, i32>, %s: tensor<?xf32>, %a0: tensor<?xf32>) -> tensor<?xf32> {
  %q = autosage.prepare %p layout<tasks<64, length>> : !autosage.pattern<?x?, i32, i32>
  %a = autosage.row_softmax %q[%s : tensor<?xf32>] outs(%a0) : !autosage.pattern<?x?, i32, i32, tasks<64, length>> -> tensor<?xf32>
  return %a : tensor<?xf32>
}

// -----

// Nothing reads colind and the permutation; they do not share a buffer even so.
// CHECK-LABEL: func.func @one_tensor_for_two_outputs
// CHECK: autosage.build_transpose {{.*}} outs(%[[R:.*]], %[[C:.*]], %[[E:.*]]) :
// CHECK: return %[[R]]
func.func @one_tensor_for_two_outputs(%p: !autosage.pattern<?x?, i32, i32>, %n: index, %m: index) -> tensor<?xi32> {
  %rp, %ci = autosage.arrays_of %p : !autosage.pattern<?x?, i32, i32>
  %r = tensor.empty(%n) : tensor<?xi32>
  %e = tensor.empty(%m) : tensor<?xi32>
  %0:3 = autosage.build_transpose on(%rp, %ci, %n : tensor<?xi32>, tensor<?xi32>, index) outs(%r, %e, %e)
      : -> tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
  return %0#0 : tensor<?xi32>
}
