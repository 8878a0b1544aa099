// M01, schedules of the GPU: a malformed one is an error at its place that names
// the knob and what it may be, in the short form of an op and in the generic one.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

func.func @M01_negative(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects block to be a power of two in [32, 1024], got -32}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_group, block = -32> : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_negative_generic(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects block to be a power of two in [32, 1024], got -32}}
  %0 = "autosage.spmm"(%p, %x, %y0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>, reduction = #autosage<reduction sum>, schedule = #autosage.schedule<row_group, block = -32>}> : (!autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_beyond_range(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects block to be a power of two in [32, 1024], got 1025}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_group, block = 1025> : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_beyond_range_generic(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects block to be a power of two in [32, 1024], got 1025}}
  %0 = "autosage.spmm"(%p, %x, %y0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>, reduction = #autosage<reduction sum>, schedule = #autosage.schedule<row_group, block = 1025>}> : (!autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_zero(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects chunk to be in [32, 65536], got 0}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_tasks, chunk = 0> : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_zero_generic(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects chunk to be in [32, 65536], got 0}}
  %0 = "autosage.spmm"(%p, %x, %y0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>, reduction = #autosage<reduction sum>, schedule = #autosage.schedule<row_tasks, chunk = 0>}> : (!autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_lanes(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects lanes to be 0 or a power of two, got 3}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_group, lanes = 3> : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_lanes_generic(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects lanes to be 0 or a power of two, got 3}}
  %0 = "autosage.spmm"(%p, %x, %y0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>, reduction = #autosage<reduction sum>, schedule = #autosage.schedule<row_group, lanes = 3>}> : (!autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_unknown_word(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects order to be one of stored, length, locality, got 'no_such_mapping'}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_tasks, order = no_such_mapping> : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_unknown_word_generic(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects order to be one of stored, length, locality, got 'no_such_mapping'}}
  %0 = "autosage.spmm"(%p, %x, %y0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>, reduction = #autosage<reduction sum>, schedule = #autosage.schedule<row_tasks, order = no_such_mapping>}> : (!autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_number_for_word(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects order to be one of stored, length, locality, got 2}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_tasks, order = 2> : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_number_for_word_generic(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects order to be one of stored, length, locality, got 2}}
  %0 = "autosage.spmm"(%p, %x, %y0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>, reduction = #autosage<reduction sum>, schedule = #autosage.schedule<row_tasks, order = 2>}> : (!autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_typed(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{integer constant out of range for attribute}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_group, vec = 3 : i1> : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_typed_generic(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{integer constant out of range for attribute}}
  %0 = "autosage.spmm"(%p, %x, %y0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>, reduction = #autosage<reduction sum>, schedule = #autosage.schedule<row_group, vec = 3 : i1>}> : (!autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_twice(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects 'chunk' once, got it twice}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_tasks, chunk = 64, chunk = 128> : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_twice_generic(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects 'chunk' once, got it twice}}
  %0 = "autosage.spmm"(%p, %x, %y0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>, reduction = #autosage<reduction sum>, schedule = #autosage.schedule<row_tasks, chunk = 64, chunk = 128>}> : (!autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_unknown_knob(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{unknown knob 'block_threads' of row_tasks, expects one of chunk, order, unroll, vec, tile, min_blocks}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_tasks, block_threads = 1025> : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_unknown_knob_generic(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{unknown knob 'block_threads' of row_tasks, expects one of chunk, order, unroll, vec, tile, min_blocks}}
  %0 = "autosage.spmm"(%p, %x, %y0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>, reduction = #autosage<reduction sum>, schedule = #autosage.schedule<row_tasks, block_threads = 1025>}> : (!autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_knob_of_another(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{unknown knob 'lanes' of row_tasks, expects one of chunk, order, unroll, vec, tile, min_blocks}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_tasks, lanes = 8> : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_knob_of_another_generic(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{unknown knob 'lanes' of row_tasks, expects one of chunk, order, unroll, vec, tile, min_blocks}}
  %0 = "autosage.spmm"(%p, %x, %y0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>, reduction = #autosage<reduction sum>, schedule = #autosage.schedule<row_tasks, lanes = 8>}> : (!autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}
