// The estimate for the CPU: vectors of the width of the registers, at most as
// wide as the features; tiles of whole vectors, at most eight, of equal size.
//
// RUN: autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule{vector-bits=128}))" | FileCheck %s --check-prefixes=CHECK,V128
// RUN: autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule{oracle=estimate target=cpu vector-bits=256}))" | FileCheck %s --check-prefixes=CHECK,V256
// RUN: autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule))" | FileCheck %s --check-prefixes=CHECK,V512

!p = !autosage.pattern<?x?, i32, i32>

// CHECK-LABEL: func.func @f32_1
// V128: schedule<row_parallel, grain = 64, tile = 1, vec = 1> decision<estimate, rule = cpu_row_parallel, statistics = unknown, vector_bits = 128>
// V256: schedule<row_parallel, grain = 64, tile = 1, vec = 1> decision<estimate, rule = cpu_row_parallel, statistics = unknown, vector_bits = 256>
// V512: schedule<row_parallel, grain = 64, tile = 1, vec = 1> decision<estimate, rule = cpu_row_parallel, statistics = unknown, vector_bits = 512>
func.func @f32_1(%p: !p, %x: tensor<?x1xf32>, %y0: tensor<?x1xf32>) -> tensor<?x1xf32> {
  %y = autosage.spmm sum %p, %x outs(%y0) : !p, tensor<?x1xf32> -> tensor<?x1xf32>
  return %y : tensor<?x1xf32>
}

// CHECK-LABEL: func.func @f32_3
// V128: schedule<row_parallel, grain = 64, tile = 4, vec = 4>
// V256: schedule<row_parallel, grain = 64, tile = 4, vec = 4>
// V512: schedule<row_parallel, grain = 64, tile = 4, vec = 4>
func.func @f32_3(%p: !p, %x: tensor<?x3xf32>, %y0: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %y = autosage.spmm sum %p, %x outs(%y0) : !p, tensor<?x3xf32> -> tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

// CHECK-LABEL: func.func @f32_64
// V128: schedule<row_parallel, grain = 64, tile = 32, vec = 4>
// V256: schedule<row_parallel, grain = 64, tile = 64, vec = 8>
// V512: schedule<row_parallel, grain = 64, tile = 64, vec = 16>
func.func @f32_64(%p: !p, %x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %y = autosage.spmm sum %p, %x outs(%y0) : !p, tensor<?x64xf32> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// Nine tiles of at most 32, five of at most 64, three of at most 128.
// CHECK-LABEL: func.func @f32_257
// V128: schedule<row_parallel, grain = 64, tile = 32, vec = 4>
// V256: schedule<row_parallel, grain = 64, tile = 56, vec = 8>
// V512: schedule<row_parallel, grain = 64, tile = 96, vec = 16>
func.func @f32_257(%p: !p, %x: tensor<?x257xf32>, %y0: tensor<?x257xf32>) -> tensor<?x257xf32> {
  %y = autosage.spmm sum %p, %x outs(%y0) : !p, tensor<?x257xf32> -> tensor<?x257xf32>
  return %y : tensor<?x257xf32>
}

// A width that only the run will tell: four registers.
// CHECK-LABEL: func.func @f32_dynamic
// V128: schedule<row_parallel, grain = 64, tile = 16, vec = 4>
// V256: schedule<row_parallel, grain = 64, tile = 32, vec = 8>
// V512: schedule<row_parallel, grain = 64, tile = 64, vec = 16>
func.func @f32_dynamic(%p: !p, %x: tensor<?x?xf32>, %y0: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %y = autosage.spmm sum %p, %x outs(%y0) : !p, tensor<?x?xf32> -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @f64_1
// V128: schedule<row_parallel, grain = 64, tile = 1, vec = 1>
// V256: schedule<row_parallel, grain = 64, tile = 1, vec = 1>
// V512: schedule<row_parallel, grain = 64, tile = 1, vec = 1>
func.func @f64_1(%p: !p, %x: tensor<?x1xf64>, %y0: tensor<?x1xf64>) -> tensor<?x1xf64> {
  %y = autosage.spmm max %p, %x outs(%y0) : !p, tensor<?x1xf64> -> tensor<?x1xf64>
  return %y : tensor<?x1xf64>
}

// CHECK-LABEL: func.func @f64_3
// V128: schedule<row_parallel, grain = 64, tile = 4, vec = 2>
// V256: schedule<row_parallel, grain = 64, tile = 4, vec = 4>
// V512: schedule<row_parallel, grain = 64, tile = 4, vec = 4>
func.func @f64_3(%p: !p, %x: tensor<?x3xf64>, %y0: tensor<?x3xf64>) -> tensor<?x3xf64> {
  %y = autosage.spmm max %p, %x outs(%y0) : !p, tensor<?x3xf64> -> tensor<?x3xf64>
  return %y : tensor<?x3xf64>
}

// CHECK-LABEL: func.func @f64_64
// V128: schedule<row_parallel, grain = 64, tile = 16, vec = 2>
// V256: schedule<row_parallel, grain = 64, tile = 32, vec = 4>
// V512: schedule<row_parallel, grain = 64, tile = 64, vec = 8>
func.func @f64_64(%p: !p, %x: tensor<?x64xf64>, %y0: tensor<?x64xf64>) -> tensor<?x64xf64> {
  %y = autosage.spmm max %p, %x outs(%y0) : !p, tensor<?x64xf64> -> tensor<?x64xf64>
  return %y : tensor<?x64xf64>
}

// CHECK-LABEL: func.func @f64_257
// V128: schedule<row_parallel, grain = 64, tile = 16, vec = 2>
// V256: schedule<row_parallel, grain = 64, tile = 32, vec = 4>
// V512: schedule<row_parallel, grain = 64, tile = 56, vec = 8>
func.func @f64_257(%p: !p, %x: tensor<?x257xf64>, %y0: tensor<?x257xf64>) -> tensor<?x257xf64> {
  %y = autosage.spmm max %p, %x outs(%y0) : !p, tensor<?x257xf64> -> tensor<?x257xf64>
  return %y : tensor<?x257xf64>
}

// CHECK-LABEL: func.func @f64_dynamic
// V128: schedule<row_parallel, grain = 64, tile = 8, vec = 2>
// V256: schedule<row_parallel, grain = 64, tile = 16, vec = 4>
// V512: schedule<row_parallel, grain = 64, tile = 32, vec = 8>
func.func @f64_dynamic(%p: !p, %x: tensor<?x?xf64>, %y0: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %y = autosage.spmm max %p, %x outs(%y0) : !p, tensor<?x?xf64> -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// Heads do not change the width; attention goes by that of v.
// CHECK-LABEL: func.func @attention
// V128: schedule<row_parallel, grain = 64, tile = 16, unroll = 4, vec = 4>
// V256: schedule<row_parallel, grain = 64, tile = 16, unroll = 4, vec = 8>
// V512: schedule<row_parallel, grain = 64, tile = 16, unroll = 4, vec = 16>
func.func @attention(%p: !p, %q: tensor<?x2x64xf32>, %v: tensor<?x2x16xf32>, %o0: tensor<?x2x16xf32>) -> tensor<?x2x16xf32> {
  %o = autosage.attention dot %p, %q, %q, %v outs(%o0) : !p, tensor<?x2x64xf32>, tensor<?x2x64xf32>, tensor<?x2x16xf32> -> tensor<?x2x16xf32>
  return %o : tensor<?x2x16xf32>
}

// Nothing is reduced over features where scores add, and softmax has none: its
// vectors run along the entries.
// CHECK-LABEL: func.func @scores
// V512: autosage.sddmm dot {{.*}} schedule<row_parallel, grain = 64, tile = 64, unroll = 4, vec = 16>
// V512: autosage.sddmm add {{.*}} schedule<row_parallel, grain = 64, tile = 1, vec = 1>
// V512: autosage.row_softmax {{.*}} schedule<row_parallel, grain = 64, tile = 64, vec = 16>
func.func @scores(%p: !p, %q: tensor<?x64xf32>, %s0: tensor<?xf32>, %h0: tensor<?x64xf32>) -> (tensor<?xf32>, tensor<?x64xf32>) {
  %s = autosage.sddmm dot %p, %q, %q outs(%s0) : !p, tensor<?x64xf32>, tensor<?x64xf32> -> tensor<?xf32>
  %h = autosage.sddmm add %p, %q, %q outs(%h0) : !p, tensor<?x64xf32>, tensor<?x64xf32> -> tensor<?x64xf32>
  %a = autosage.row_softmax %p[%h : tensor<?x64xf32>] outs(%h0) : !p -> tensor<?x64xf32>
  return %s, %a : tensor<?xf32>, tensor<?x64xf32>
}

// Where statistics are known the model of costs decides, with the facts of a
// usual server; they may stand anywhere. Hubs ask for parts of equal work.
// CHECK-LABEL: func.func @statistics
// CHECK: autosage.spmm sum {{.*}} decision<estimate, {{.*}}candidates = {{[0-9]+}}, cost_ms = {{[^,]+}}, device = cpu, {{.*}}second = "{{[^"]+}}", {{.*}}statistics = known, threads = 8, vector_bits = {{128|256|512}}>
// V512: autosage.spmm mean {{.*}} schedule<nnz_parallel, {{.*}}vec = 16> decision<estimate,
// V256: autosage.spmm mean {{.*}} schedule<nnz_parallel, {{.*}}vec = 8> decision<estimate,
// V128: autosage.spmm mean {{.*}} schedule<nnz_parallel, {{.*}}vec = 4> decision<estimate,
func.func @statistics(%p: !p {autosage.stats = #autosage.stats<rows = 1000, nnz = 3000, mean = 3.0, max = 10>}, %x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %y = autosage.spmm sum %p, %x outs(%y0) : !p, tensor<?x64xf32> -> tensor<?x64xf32>
  %z = autosage.spmm mean %p, %y outs(%y0) stats<rows = 100000, nnz = 3000000, mean = 30.0, max = 1500000, p50 = 5, hub_fraction = 0.8> : !p, tensor<?x64xf32> -> tensor<?x64xf32>
  return %z : tensor<?x64xf32>
}

// An unknown width is estimated as 64, and that is said.
// CHECK-LABEL: func.func @width
// CHECK: decision<estimate, assumed_features = 64,
func.func @width(%p: !p {autosage.stats = #autosage.stats<rows = 1000, nnz = 3000, mean = 3.0, max = 10>}, %x: tensor<?x?xf32>, %y0: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %y = autosage.spmm sum %p, %x outs(%y0) : !p, tensor<?x?xf32> -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
