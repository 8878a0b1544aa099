// What does not change in a training loop is made once, before and after
// expansion.
//
// RUN: autosage-opt %s --loop-invariant-code-motion | FileCheck %s
// RUN: autosage-opt %s --autosage-expand-pattern --loop-invariant-code-motion | FileCheck %s --check-prefix=EXPANDED

!p = !autosage.pattern<?x?, i32, i32>
!t = !autosage.pattern<?x?, i32, i32, tasks<64, stored>>

// CHECK-LABEL: func.func @tensors
// CHECK: autosage.prepare
// CHECK: autosage.transpose
// CHECK: scf.for
// CHECK-NOT: autosage.prepare
// CHECK-NOT: autosage.transpose
// CHECK: autosage.spmm
// CHECK: autosage.spmm

// EXPANDED-LABEL: func.func @tensors
// EXPANDED: autosage.count_tasks
// EXPANDED: autosage.build_tasks
// EXPANDED: autosage.build_transpose
// EXPANDED: scf.for
// EXPANDED-NOT: _tasks
// EXPANDED-NOT: build_transpose
// EXPANDED: autosage.spmm
// EXPANDED: autosage.spmm
func.func @tensors(%p: !p, %x0: tensor<?x8xf32>, %y0: tensor<?x8xf32>, %steps: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %steps step %c1 iter_args(%x = %x0) -> tensor<?x8xf32> {
    %q = autosage.prepare %p layout<tasks<64, stored>> : !p
    %t, %perm = autosage.transpose %p : !p
    %y = autosage.spmm sum %q, %x outs(%y0) : !t, tensor<?x8xf32> -> tensor<?x8xf32>
    %z = autosage.spmm sum %t, %y outs(%y0) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
    scf.yield %z : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

// Reads and writes of buffers stay where they are.
// CHECK-LABEL: func.func @buffers
// CHECK: scf.for
// CHECK: autosage.count_tasks
// CHECK: autosage.build_tasks
func.func @buffers(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %tasks: memref<?x4xi32>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %steps step %c1 {
    %count = autosage.count_tasks %rp {chunk = 4 : i64} : memref<?xi32>
    autosage.build_tasks stored on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index) outs(%tasks) {chunk = 4 : i64} : memref<?x4xi32>
    %v = arith.index_cast %count : index to i32
    memref.store %v, %rp[%i] : memref<?xi32>
  }
  return
}
