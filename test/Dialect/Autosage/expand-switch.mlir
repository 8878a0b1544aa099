// A switch that yields tensors is a chain of ifs before bufferization, whose
// analysis of LLVM 22 loses what a case yields; one that yields numbers stays.
//
// RUN: autosage-opt %s --autosage-expand-pattern | FileCheck %s
// RUN: autosage-opt %s --autosage-expand-pattern --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s --check-prefix=BUFFERS

!p = !autosage.pattern<?x?, i32, i32>

// CHECK-LABEL: func.func @three
// CHECK-SAME: %[[I:[a-z0-9]+]]: index, %{{[a-z0-9]+}}: tensor<?x8xf32>
// CHECK-NOT: index_switch
// CHECK: %[[C3:.*]] = arith.constant 3 : index
// CHECK: %[[IS3:.*]] = arith.cmpi eq, %[[I]], %[[C3]]
// CHECK: %[[R:.*]] = scf.if %[[IS3]] -> (tensor<?x8xf32>) {
// CHECK-NEXT: autosage.spmm sum
// CHECK: } else {
// CHECK: %[[C5:.*]] = arith.constant 5 : index
// CHECK: %[[IS5:.*]] = arith.cmpi eq, %[[I]], %[[C5]]
// CHECK: scf.if %[[IS5]] -> (tensor<?x8xf32>) {
// CHECK-NEXT: autosage.spmm max
// CHECK: } else {
// CHECK-NEXT: autosage.spmm min
// CHECK: return %[[R]]
func.func @three(%p: !p, %i: index, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %r = scf.index_switch %i -> tensor<?x8xf32>
  case 3 {
    %y = autosage.spmm sum %p, %x outs(%y0) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
    scf.yield %y : tensor<?x8xf32>
  }
  case 5 {
    %y = autosage.spmm max %p, %x outs(%y0) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
    scf.yield %y : tensor<?x8xf32>
  }
  default {
    %y = autosage.spmm min %p, %x outs(%y0) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
    scf.yield %y : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

// What is read after the fill does not lie where the fill writes.
// BUFFERS-LABEL: func.func @overwritten
// BUFFERS: %[[A:.*]] = memref.alloc
// BUFFERS: autosage.spmm sum {{.*}} outs(%[[A]])
// BUFFERS: autosage.spmm max {{.*}} outs(%[[B:.*]]) :
// BUFFERS-NOT: linalg.fill {{.*}}outs(%[[A]]
// BUFFERS-NOT: linalg.fill {{.*}}outs(%[[B]]
// BUFFERS: return
func.func @overwritten(%i: index, %rp: tensor<?xi32>, %x: tensor<?x8xf32>, %e: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 4 : index
  %r = scf.index_switch %i -> tensor<?x8xf32>
  case 1 {
    %y = autosage.spmm sum on(%rp, %rp, %n : tensor<?xi32>, tensor<?xi32>, index), %x outs(%e) : tensor<?x8xf32> -> tensor<?x8xf32>
    scf.yield %y : tensor<?x8xf32>
  }
  default {
    %y = autosage.spmm max on(%rp, %rp, %n : tensor<?xi32>, tensor<?xi32>, index), %x outs(%e) : tensor<?x8xf32> -> tensor<?x8xf32>
    scf.yield %y : tensor<?x8xf32>
  }
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r, %f : tensor<?x8xf32>, tensor<?x8xf32>
}

// CHECK-LABEL: func.func @numbers
// CHECK: scf.index_switch
func.func @numbers(%i: index) -> index {
  %r = scf.index_switch %i -> index
  case 1 {
    scf.yield %i : index
  }
  default {
    %c = arith.constant 7 : index
    scf.yield %c : index
  }
  return %r : index
}
