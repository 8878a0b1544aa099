// RUN: autosage-opt %s --autosage-hoist-preparation | FileCheck %s

!p = !autosage.pattern<?x?, i32, i32>

// What a pattern needs leaves both loops, empty tensors and reads of buffers do not.
// CHECK-LABEL: func.func @nested
// CHECK: autosage.prepare
// CHECK: autosage.transpose
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: autosage.prepare
// CHECK: tensor.empty
// CHECK: autosage.count_tasks
// CHECK: autosage.spmm
func.func @nested(%p: !p, %x0: tensor<?x8xf32>, %steps: index, %rp: memref<?xi32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %steps step %c1 iter_args(%a = %x0) -> tensor<?x8xf32> {
    %s = scf.for %j = %c0 to %steps step %c1 iter_args(%x = %a) -> tensor<?x8xf32> {
      %q = autosage.prepare %p layout<tasks<64, stored>> : !p
      %t, %perm = autosage.transpose %p : !p
      %n = autosage.dim rows %p : !p
      %e = tensor.empty(%n) : tensor<?x8xf32>
      %count = autosage.count_tasks %rp {chunk = 4 : i64} : memref<?xi32>
      %y = autosage.spmm sum %q, %x outs(%e) : !autosage.pattern<?x?, i32, i32, tasks<64, stored>>, tensor<?x8xf32> -> tensor<?x8xf32>
      %f = tensor.empty(%count) : tensor<?x8xf32>
      %z = autosage.spmm sum %t, %y outs(%f) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
      scf.yield %z : tensor<?x8xf32>
    }
    scf.yield %s : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}
