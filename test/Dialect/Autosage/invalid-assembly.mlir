// What the text form of an op refuses. A clause that is repeated in the attribute
// dictionary would silently win there.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

func.func @reduction(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects 'reduction' in front of the attribute dictionary, got it inside}}
  %0 = autosage.spmm sum %p, %x outs(%y0) {reduction = #autosage<reduction max>} : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @combine(%p: !autosage.pattern<?x?, i32, i32>, %q: tensor<?x8xf32>, %s0: tensor<?xf32>) {
  // expected-error @below {{expects 'combine' in front of the attribute dictionary, got it inside}}
  %0 = autosage.sddmm dot %p, %q, %q outs(%s0) {combine = #autosage<combine add>} : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?xf32>
  return
}

// -----

func.func @score(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects 'score' in front of the attribute dictionary, got it inside}}
  %0 = autosage.attention dot %p, %x, %x, %x outs(%y0) {score = #autosage<score gat>} : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @schedule(%p: !autosage.pattern<?x?, i32, i32>, %s: tensor<?xf32>) {
  // expected-error @below {{expects 'schedule' in front of the attribute dictionary, got it inside}}
  %0 = autosage.row_softmax %p[%s : tensor<?xf32>] outs(%s) {schedule = #autosage.schedule<row_parallel>} : !autosage.pattern<?x?, i32, i32> -> tensor<?xf32>
  return
}

// -----

func.func @decision(%p: !autosage.pattern<?x?, i32, i32>, %s: tensor<?xf32>) {
  // expected-error @below {{expects 'decision' in front of the attribute dictionary, got it inside}}
  %0 = autosage.row_softmax %p[%s : tensor<?xf32>] outs(%s) decision<user> {decision = #autosage.decision<cache>} : !autosage.pattern<?x?, i32, i32> -> tensor<?xf32>
  return
}

// -----

func.func @stats(%rp: tensor<?xi32>, %n: index) {
  // expected-error @below {{expects 'stats' in front of the attribute dictionary, got it inside}}
  %0 = autosage.pattern %rp, %rp, %n stats<rows = 4> {stats = #autosage.stats<rows = 5>} : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  return
}

// -----

func.func @assumed_stats(%p: !autosage.pattern<?x?, i32, i32>) {
  // expected-error @below {{expects 'stats' in front of the attribute dictionary, got it inside}}
  %0 = autosage.assume_stats %p stats<rows = 4> {stats = #autosage.stats<rows = 5>} : !autosage.pattern<?x?, i32, i32>
  return
}

// -----

func.func @layout(%p: !autosage.pattern<?x?, i32, i32>) {
  // expected-error @below {{expects 'layout' in front of the attribute dictionary, got it inside}}
  %0 = autosage.prepare %p layout<tasks<32, stored>> {layout = #autosage.layout<csr>} : !autosage.pattern<?x?, i32, i32>
  return
}

// -----

func.func @kind(%p: !autosage.pattern<?x?, i32, i32>) {
  // expected-error @below {{expects 'kind' in front of the attribute dictionary, got it inside}}
  %0 = autosage.dim rows %p {kind = #autosage<dim_kind cols>} : !autosage.pattern<?x?, i32, i32>
  return
}

// -----

func.func @order(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %t: memref<?x4xi32>) {
  // expected-error @below {{expects 'order' in front of the attribute dictionary, got it inside}}
  autosage.build_tasks stored on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index) outs(%t) {chunk = 4 : i64, order = #autosage<task_order length>} : memref<?x4xi32>
  return
}

// -----

func.func @segments(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects 'operandSegmentSizes' in front of the attribute dictionary, got it inside}}
  %0 = autosage.spmm sum %p, %x outs(%y0) {operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>} : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @types_too_few(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects 2 operand types before '->', got 1}}
  %0 = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<?x?, i32, i32> -> tensor<?x8xf32>
  return
}

// -----

func.func @types_too_many(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects 2 operand types before '->', got 3}}
  %0 = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @types_without_outs(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %x: memref<?x8xf32>,
                              %y: memref<?x8xf32>) {
  // expected-error @below {{number of operands and types do not match: got 1 operands and 0 types}}
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x outs(%y) : memref<?x8xf32>
  return
}

// -----

func.func @types_without_pattern(%p: !autosage.pattern<?x?, i32, i32>, %q: tensor<?x8xf32>, %s0: tensor<?xf32>) {
  // expected-error @below {{expects 3 operand types, got 2}}
  %0 = autosage.sddmm dot %p, %q, %q outs(%s0) : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>
  return
}

// -----

// Results are inferred while operands are not yet verified.
func.func @transpose_of_another_type(%n: index) {
  // expected-error @below {{'autosage.transpose' op operand #0 must be where the nonzeros of a matrix are, but got 'index'}}
  %t, %perm = autosage.transpose %n : index
  return
}

// -----

func.func @prepare_of_another_type(%n: index) {
  // expected-error @below {{'autosage.prepare' op operand #0 must be where the nonzeros of a matrix are, but got 'index'}}
  %q = autosage.prepare %n layout<tasks<64, length>> : index
  return
}
