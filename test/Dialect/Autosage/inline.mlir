// Functions that take and return patterns inline. An argument's statistics are
// lost with the argument, an assumption's are not.
//
// RUN: autosage-opt %s --inline | FileCheck %s

!p = !autosage.pattern<?x?, i32, i32>

// CHECK-LABEL: func.func @caller
// CHECK-SAME: %[[P:[^:]*]]: !autosage.pattern<?x?, i32, i32>
// CHECK-NOT: call
// CHECK: %[[A:.*]] = autosage.assume_stats %[[P]] stats<rows = 4>
// CHECK: %[[T:.*]], %{{.*}} = autosage.transpose %[[A]]
// CHECK: autosage.spmm sum %[[T]]
// CHECK: return
func.func @caller(%p: !p, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %t = call @callee(%p) : (!p) -> !p
  %y = autosage.spmm sum %t, %x outs(%y0) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
func.func private @callee(%p: !p {autosage.stats = #autosage.stats<nnz = 9>}) -> !p {
  %a = autosage.assume_stats %p stats<rows = 4> : !p
  %t, %perm = autosage.transpose %a : !p
  return %t : !p
}

// CHECK-LABEL: func.func @buffers
// CHECK-NOT: call
// CHECK: autosage.row_softmax
func.func @buffers(%rp: memref<?xi32>, %n: index, %s: memref<?xf32>) {
  call @softmax(%rp, %n, %s) : (memref<?xi32>, index, memref<?xf32>) -> ()
  return
}
func.func private @softmax(%rp: memref<?xi32>, %n: index, %s: memref<?xf32>) {
  autosage.row_softmax on(%rp, %rp, %n : memref<?xi32>, memref<?xi32>, index)[%s : memref<?xf32>] outs(%s) : memref<?xf32>
  return
}
