// M01: a malformed schedule is an error at its place that names the knob and what
// it may be, in the short form of an op and in the generic one.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

func.func @M01_negative(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects vec to be a power of two in [1, 64], got -32}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_parallel, vec = -32> : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_negative_generic(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects vec to be a power of two in [1, 64], got -32}}
  %0 = "autosage.spmm"(%p, %x, %y0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>, reduction = #autosage<reduction sum>, schedule = #autosage.schedule<row_parallel, vec = -32>}> : (!autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_zero(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects tile to be in [1, 1024], got 0}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_parallel, tile = 0> : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_zero_generic(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects tile to be in [1, 1024], got 0}}
  %0 = "autosage.spmm"(%p, %x, %y0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>, reduction = #autosage<reduction sum>, schedule = #autosage.schedule<row_parallel, tile = 0>}> : (!autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_beyond_range(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects grain to be in [1, 1048576], got 1048577}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_parallel, grain = 1048577> : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_beyond_range_generic(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects grain to be in [1, 1048576], got 1048577}}
  %0 = "autosage.spmm"(%p, %x, %y0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>, reduction = #autosage<reduction sum>, schedule = #autosage.schedule<row_parallel, grain = 1048577>}> : (!autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_unknown_word(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects vec to be a power of two in [1, 64], got 'no_such_mapping'}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_parallel, vec = "no_such_mapping"> : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_unknown_word_generic(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects vec to be a power of two in [1, 64], got 'no_such_mapping'}}
  %0 = "autosage.spmm"(%p, %x, %y0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>, reduction = #autosage<reduction sum>, schedule = #autosage.schedule<row_parallel, vec = "no_such_mapping">}> : (!autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_typed(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{integer constant out of range for attribute}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_parallel, vec = 3 : i1> : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_typed_generic(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{integer constant out of range for attribute}}
  %0 = "autosage.spmm"(%p, %x, %y0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>, reduction = #autosage<reduction sum>, schedule = #autosage.schedule<row_parallel, vec = 3 : i1>}> : (!autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_typed_in_range(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects vec to be an integer, a number, a keyword or a string, got true}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_parallel, vec = 1 : i1> : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_typed_in_range_generic(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects vec to be an integer, a number, a keyword or a string, got true}}
  %0 = "autosage.spmm"(%p, %x, %y0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>, reduction = #autosage<reduction sum>, schedule = #autosage.schedule<row_parallel, vec = 1 : i1>}> : (!autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_twice(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects 'vec' once, got it twice}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_parallel, vec = 4, vec = 8> : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_twice_generic(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects 'vec' once, got it twice}}
  %0 = "autosage.spmm"(%p, %x, %y0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>, reduction = #autosage<reduction sum>, schedule = #autosage.schedule<row_parallel, vec = 4, vec = 8>}> : (!autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_unknown_knob(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{unknown knob 'block_threads' of row_parallel, expects one of vec, tile, unroll, prefetch, grain, attention}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_parallel, block_threads = 1025> : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_unknown_knob_generic(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{unknown knob 'block_threads' of row_parallel, expects one of vec, tile, unroll, prefetch, grain, attention}}
  %0 = "autosage.spmm"(%p, %x, %y0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>, reduction = #autosage<reduction sum>, schedule = #autosage.schedule<row_parallel, block_threads = 1025>}> : (!autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_attribute_twice(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expected ':'}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_parallel> schedule<row_parallel> : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_attribute_twice_in_dictionary(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{expects 'schedule' in front of the attribute dictionary, got it inside}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_parallel> {schedule = #autosage.schedule<row_parallel>} : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_attribute_twice_generic(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{duplicate key 'schedule' in dictionary attribute}}
  %0 = "autosage.spmm"(%p, %x, %y0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>, reduction = #autosage<reduction sum>, schedule = #autosage.schedule<row_parallel>, schedule = #autosage.schedule<row_parallel>}> : (!autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @M01_other_attribute(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>) {
  // expected-error @below {{Invalid attribute `schedule` in property conversion: "row_parallel"}}
  %0 = "autosage.spmm"(%p, %x, %y0) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>, reduction = #autosage<reduction sum>, schedule = "row_parallel"}> : (!autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}
