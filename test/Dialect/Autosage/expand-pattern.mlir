// RUN: autosage-opt %s -split-input-file --autosage-expand-pattern | FileCheck %s

// Through a public function, a call and a return.
// CHECK-LABEL: func.func private @callee
// CHECK-SAME: (%[[RP:.*]]: tensor<?xi32>, %[[CI:.*]]: tensor<?xi64>, %[[N:.*]]: index) -> (tensor<?xi32>, tensor<?xi64>, index)
// CHECK: return %[[RP]], %[[CI]], %[[N]]
func.func private @callee(%p: !autosage.pattern<?x?, i32, i64>) -> !autosage.pattern<?x?, i32, i64> {
  return %p : !autosage.pattern<?x?, i32, i64>
}
// CHECK-LABEL: func.func @call
// CHECK-SAME: (%[[RP:.*]]: tensor<?xi32>, %[[CI:.*]]: tensor<?xi64>, %[[N:.*]]: index, %[[X:.*]]: tensor<?x64xf32>, %[[Y:.*]]: tensor<?x64xf32>)
// CHECK: %[[Q:.*]]:3 = call @callee(%[[RP]], %[[CI]], %[[N]])
// CHECK: autosage.spmm sum on(%[[Q]]#0, %[[Q]]#1, %[[Q]]#2 : tensor<?xi32>, tensor<?xi64>, index), %[[X]] outs(%[[Y]]) : tensor<?x64xf32> -> tensor<?x64xf32>
func.func @call(%p: !autosage.pattern<?x?, i32, i64>, %x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %q = call @callee(%p) : (!autosage.pattern<?x?, i32, i64>) -> !autosage.pattern<?x?, i32, i64>
  %y = autosage.spmm sum %q, %x outs(%y0) : !autosage.pattern<?x?, i32, i64>, tensor<?x64xf32> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// -----

// A declaration changes its signature, too.
// CHECK: func.func private @external(tensor<5xi32>, tensor<?xi32>, tensor<?x4xi32>, index)
func.func private @external(!autosage.pattern<4x?, i32, i32, tasks<64, stored>>)

// -----

// CHECK-LABEL: func.func @select
// CHECK-SAME: %[[C:.*]]: i1, %[[A0:.*]]: tensor<?xi32>, %[[A1:.*]]: tensor<?xi32>, %[[A2:.*]]: index, %[[B0:.*]]: tensor<?xi32>, %[[B1:.*]]: tensor<?xi32>, %[[B2:.*]]: index
// CHECK-DAG: arith.select %[[C]], %[[A0]], %[[B0]] : tensor<?xi32>
// CHECK-DAG: arith.select %[[C]], %[[A1]], %[[B1]] : tensor<?xi32>
// CHECK-DAG: arith.select %[[C]], %[[A2]], %[[B2]] : index
func.func @select(%c: i1, %a: !autosage.pattern<?x?, i32, i32>, %b: !autosage.pattern<?x?, i32, i32>) -> !autosage.pattern<?x?, i32, i32> {
  %p = arith.select %c, %a, %b : !autosage.pattern<?x?, i32, i32>
  return %p : !autosage.pattern<?x?, i32, i32>
}

// -----

// CHECK-LABEL: func.func @scf_if
// CHECK: scf.if %{{.*}} -> (tensor<?xi32>, tensor<?xi32>, index)
// CHECK: scf.yield %{{.*}}, %{{.*}}, %{{.*}} : tensor<?xi32>, tensor<?xi32>, index
func.func @scf_if(%c: i1, %a: !autosage.pattern<?x?, i32, i32>, %b: !autosage.pattern<?x?, i32, i32>) -> !autosage.pattern<?x?, i32, i32> {
  %p = scf.if %c -> !autosage.pattern<?x?, i32, i32> {
    scf.yield %a : !autosage.pattern<?x?, i32, i32>
  } else {
    scf.yield %b : !autosage.pattern<?x?, i32, i32>
  }
  return %p : !autosage.pattern<?x?, i32, i32>
}

// -----

// CHECK-LABEL: func.func @scf_for
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<?xi32>, tensor<?xi32>, index)
func.func @scf_for(%n: index, %a: !autosage.pattern<?x?, i32, i32>) -> !autosage.pattern<?x?, i32, i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = scf.for %i = %c0 to %n step %c1 iter_args(%q = %a) -> !autosage.pattern<?x?, i32, i32> {
    %t, %perm = autosage.transpose %q : !autosage.pattern<?x?, i32, i32>
    scf.yield %t : !autosage.pattern<?x?, i32, i32>
  }
  return %p : !autosage.pattern<?x?, i32, i32>
}

// -----

// CHECK-LABEL: func.func @scf_while
// CHECK: scf.while {{.*}} : (tensor<?xi32>, tensor<?xi32>, index) -> (tensor<?xi32>, tensor<?xi32>, index)
// CHECK: scf.condition(%{{.*}}) %{{.*}}, %{{.*}}, %{{.*}} : tensor<?xi32>, tensor<?xi32>, index
func.func @scf_while(%c: i1, %a: !autosage.pattern<?x?, i32, i32>) -> !autosage.pattern<?x?, i32, i32> {
  %p = scf.while (%q = %a) : (!autosage.pattern<?x?, i32, i32>) -> !autosage.pattern<?x?, i32, i32> {
    scf.condition(%c) %q : !autosage.pattern<?x?, i32, i32>
  } do {
  ^bb0(%q: !autosage.pattern<?x?, i32, i32>):
    scf.yield %q : !autosage.pattern<?x?, i32, i32>
  }
  return %p : !autosage.pattern<?x?, i32, i32>
}

// -----

// CHECK-LABEL: func.func @scf_index_switch
// CHECK: scf.if %{{.*}} -> (tensor<?xi32>, tensor<?xi32>, index)
func.func @scf_index_switch(%i: index, %a: !autosage.pattern<?x?, i32, i32>, %b: !autosage.pattern<?x?, i32, i32>) -> !autosage.pattern<?x?, i32, i32> {
  %p = scf.index_switch %i -> !autosage.pattern<?x?, i32, i32>
  case 0 {
    scf.yield %a : !autosage.pattern<?x?, i32, i32>
  }
  default {
    scf.yield %b : !autosage.pattern<?x?, i32, i32>
  }
  return %p : !autosage.pattern<?x?, i32, i32>
}

// -----

// CHECK-LABEL: func.func @scf_execute_region
// CHECK: scf.execute_region -> (tensor<?xi32>, tensor<?xi32>, index)
func.func @scf_execute_region(%a: !autosage.pattern<?x?, i32, i32>) -> !autosage.pattern<?x?, i32, i32> {
  %p = scf.execute_region -> !autosage.pattern<?x?, i32, i32> {
    scf.yield %a : !autosage.pattern<?x?, i32, i32>
  }
  return %p : !autosage.pattern<?x?, i32, i32>
}

// -----

// CHECK-LABEL: func.func @branches
// CHECK: cf.cond_br %{{.*}}, ^[[BB1:.*]](%{{.*}}, %{{.*}}, %{{.*}} : tensor<?xi32>, tensor<?xi32>, index), ^[[BB1]](%{{.*}}, %{{.*}}, %{{.*}} : tensor<?xi32>, tensor<?xi32>, index)
// CHECK: ^[[BB1]](%{{.*}}: tensor<?xi32>, %{{.*}}: tensor<?xi32>, %{{.*}}: index):
func.func @branches(%c: i1, %a: !autosage.pattern<?x?, i32, i32>, %b: !autosage.pattern<?x?, i32, i32>) -> !autosage.pattern<?x?, i32, i32> {
  cf.cond_br %c, ^bb1(%a : !autosage.pattern<?x?, i32, i32>), ^bb1(%b : !autosage.pattern<?x?, i32, i32>)
^bb1(%p: !autosage.pattern<?x?, i32, i32>):
  return %p : !autosage.pattern<?x?, i32, i32>
}

// -----

// A task list becomes count_tasks and build_tasks; compute ops carry the layout.
// CHECK-LABEL: func.func @prepare
// CHECK-SAME: (%[[RP:.*]]: tensor<?xi64>, %[[CI:.*]]: tensor<?xi32>, %[[N:.*]]: index
// CHECK: %[[COUNT:.*]] = autosage.count_tasks %[[RP]] {chunk = 512 : i64} : tensor<?xi64>
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[COUNT]]) : tensor<?x4xi64>
// CHECK: %[[TASKS:.*]] = autosage.build_tasks length on(%[[RP]], %[[CI]], %[[N]] : tensor<?xi64>, tensor<?xi32>, index) outs(%[[EMPTY]]) {chunk = 512 : i64} : -> tensor<?x4xi64>
// CHECK: autosage.sddmm dot on(%[[RP]], %[[CI]], %[[TASKS]], %[[N]] : tensor<?xi64>, tensor<?xi32>, tensor<?x4xi64>, index)
// CHECK-SAME: layout<tasks<512, length>>
func.func @prepare(%p: !autosage.pattern<?x?, i64, i32>, %q: tensor<?x8xf64>, %k: tensor<?x8xf64>, %s0: tensor<?xf64>) -> tensor<?xf64> {
  %t = autosage.prepare %p layout<tasks<512, length>> : !autosage.pattern<?x?, i64, i32>
  %s = autosage.sddmm dot %t, %q, %k outs(%s0) : !autosage.pattern<?x?, i64, i32, tasks<512, length>>, tensor<?x8xf64>, tensor<?x8xf64> -> tensor<?xf64>
  return %s : tensor<?xf64>
}

// -----

// Sizes: rows, columns and nonzeros in terms of the arrays.
// CHECK-LABEL: func.func @dim
// CHECK-SAME: (%[[RP:.*]]: tensor<?xi32>, %[[CI:.*]]: tensor<?xi32>, %[[N:.*]]: index)
// CHECK: %[[POSITIONS:.*]] = tensor.dim %[[RP]]
// CHECK: %[[ROWS:.*]] = arith.subi %[[POSITIONS]]
// CHECK: %[[NNZ:.*]] = tensor.dim %[[CI]]
// CHECK: return %[[ROWS]], %[[N]], %[[NNZ]]
func.func @dim(%p: !autosage.pattern<?x?, i32, i32>) -> (index, index, index) {
  %r = autosage.dim rows %p : !autosage.pattern<?x?, i32, i32>
  %c = autosage.dim cols %p : !autosage.pattern<?x?, i32, i32>
  %z = autosage.dim nnz %p : !autosage.pattern<?x?, i32, i32>
  return %r, %c, %z : index, index, index
}

// -----

// Statistics move to the ops that use the pattern: from the argument, through
// prepare and assume_stats, what is nearest winning.
// CHECK-LABEL: func.func @stats
// CHECK: autosage.row_softmax on
// CHECK-SAME: stats<max = 3, nnz = 7, rows = 5>
func.func @stats(%p: !autosage.pattern<?x?, i32, i32> {autosage.stats = #autosage.stats<rows = 4, nnz = 7>}, %s: tensor<?xf32>, %a0: tensor<?xf32>) -> tensor<?xf32> {
  %q = autosage.assume_stats %p stats<rows = 5, max = 3> : !autosage.pattern<?x?, i32, i32>
  %t = autosage.prepare %q layout<tasks<32, stored>> : !autosage.pattern<?x?, i32, i32>
  %a = autosage.row_softmax %t[%s : tensor<?xf32>] outs(%a0) : !autosage.pattern<?x?, i32, i32, tasks<32, stored>> -> tensor<?xf32>
  return %a : tensor<?xf32>
}

// -----

// Static sizes survive as static array shapes.
// CHECK-LABEL: func.func @static
// CHECK: %[[CI:.*]] = tensor.cast %{{.*}} : tensor<9xi32> to tensor<?xi32>
// CHECK: autosage.spmm max on(%{{.*}}, %[[CI]], %{{.*}} : tensor<5xi32>, tensor<?xi32>, index)
func.func @static(%rp: tensor<5xi32>, %ci: tensor<9xi32>, %x: tensor<4x3xf32>, %y0: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %n = arith.constant 4 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<5xi32>, tensor<9xi32> -> <4x4, i32, i32>
  %y = autosage.spmm max %p, %x outs(%y0) : !autosage.pattern<4x4, i32, i32>, tensor<4x3xf32> -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// -----

// CHECK-LABEL: func.func @arrays_of
// CHECK-SAME: (%[[RP:.*]]: tensor<5xi64>, %[[CI:.*]]: tensor<?xi32>, %{{.*}}: tensor<?x4xi64>, %{{.*}}: index)
// CHECK-NEXT: return %[[RP]], %[[CI]]
func.func @arrays_of(%p: !autosage.pattern<4x?, i64, i32, tasks<64, stored>>) -> (tensor<5xi64>, tensor<?xi32>) {
  %rowptr, %colind = autosage.arrays_of %p : !autosage.pattern<4x?, i64, i32, tasks<64, stored>>
  return %rowptr, %colind : tensor<5xi64>, tensor<?xi32>
}
