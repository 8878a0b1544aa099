// RUN: autosage-opt %s --autosage-fuse-attention --split-input-file | FileCheck %s
// Fused and taken apart again, and fused once more.
// RUN: autosage-opt %s --autosage-fuse-attention --split-input-file \
// RUN:   | autosage-opt --autosage-decompose-attention --autosage-fuse-attention --canonicalize --split-input-file | FileCheck %s

!p = !autosage.pattern<?x?, i32, i32>

// CHECK-LABEL: func @dot(
// CHECK-SAME:      %[[P:[a-z0-9]+]]: !autosage.pattern<?x?, i32, i32>, %[[Q:[a-z0-9]+]]: tensor<?x64xf32>, %[[K:[a-z0-9]+]]: tensor<?x64xf32>, %[[V:[a-z0-9]+]]: tensor<?x32xf32>, %[[Y:[a-z0-9]+]]: tensor<?x32xf32>
// CHECK-NEXT:    %[[R:.*]] = autosage.attention dot %[[P]], %[[Q]], %[[K]], %[[V]] outs(%[[Y]]) {scale = 2.500000e-01 : f64}
// CHECK-NEXT:    return %[[R]]
func.func @dot(%p: !p, %q: tensor<?x64xf32>, %k: tensor<?x64xf32>, %v: tensor<?x32xf32>,
               %y: tensor<?x32xf32>, %s0: tensor<?xf32>) -> tensor<?x32xf32> {
  %s = autosage.sddmm dot %p, %q, %k outs(%s0) {scale = 0.5 : f32} : !p, tensor<?x64xf32>, tensor<?x64xf32> -> tensor<?xf32>
  %w = autosage.row_softmax %p[%s : tensor<?xf32>] outs(%s) {scale = 0.5 : f32} : !p -> tensor<?xf32>
  %r = autosage.spmm sum %p[%w : tensor<?xf32>], %v outs(%y) : !p, tensor<?x32xf32> -> tensor<?x32xf32>
  return %r : tensor<?x32xf32>
}

// -----

!p = !autosage.pattern<?x?, i32, i32>

// Scale and bias by elementwise ops on tensors; one schedule for all.
// CHECK-LABEL: func @scale_and_bias(
// CHECK-SAME:      %[[B:[a-z0-9]+]]: tensor<?x4xf32>)
// CHECK:         autosage.attention dot %{{.*}}[%[[B]] : tensor<?x4xf32>], %{{.*}} schedule<row_tasks, chunk = 128> {scale = 1.250000e-01 : f64}
// CHECK-NEXT:    return
func.func @scale_and_bias(%p: !p, %q: tensor<?x4x8xf32>, %k: tensor<?x4x8xf32>, %v: tensor<?x4x8xf32>,
                          %y: tensor<?x4x8xf32>, %s0: tensor<8x4xf32>, %n: index, %b: tensor<?x4xf32>) -> tensor<?x4x8xf32> {
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %c = arith.constant 8.0 : f32
  %cs = tensor.splat %c[%n] : tensor<?x4xf32>
  %s = autosage.sddmm dot %p, %q, %k outs(%e) schedule<row_tasks, chunk = 128> : !p, tensor<?x4x8xf32>, tensor<?x4x8xf32> -> tensor<?x4xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %z = arith.divf %x, %c : f32
    linalg.yield %z : f32
  } -> tensor<?x4xf32>
  %l = arith.addf %b, %scaled : tensor<?x4xf32>
  %w = autosage.row_softmax %p[%l : tensor<?x4xf32>] outs(%e) schedule<row_tasks, chunk = 128> : !p -> tensor<?x4xf32>
  %r = autosage.spmm sum %p[%w : tensor<?x4xf32>], %v outs(%y) schedule<row_tasks, chunk = 128> : !p, tensor<?x4x8xf32> -> tensor<?x4x8xf32>
  return %r : tensor<?x4x8xf32>
}

// -----

!p = !autosage.pattern<?x?, i32, i32>

// GAT in one linalg op, with one bias for all heads.
// CHECK-LABEL: func @gat(
// CHECK-SAME:      %[[B:[a-z0-9]+]]: tensor<?xf32>)
// CHECK:         autosage.attention gat %{{.*}}[%[[B]] : tensor<?xf32>], %{{.*}} {negative_slope = {{.*}} : f64, scale = 2.000000e+00 : f64}
// CHECK-NEXT:    return
func.func @gat(%p: !p, %q: tensor<?x4xf32>, %k: tensor<?x4xf32>, %v: tensor<?x4x8xf32>,
               %y: tensor<?x4x8xf32>, %e: tensor<?x4xf32>, %b: tensor<?xf32>) -> tensor<?x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %slope = arith.constant 0.25 : f32
  %two = arith.constant 2.0 : f32
  %s = autosage.sddmm add %p, %q, %k outs(%e) : !p, tensor<?x4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>
  %l = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %b : tensor<?x4xf32>, tensor<?xf32>) outs(%e : tensor<?x4xf32>) {
  ^bb0(%x: f32, %t: f32, %o: f32):
    %is = arith.cmpf ogt, %x, %zero : f32
    %less = arith.mulf %slope, %x : f32
    %leaky = arith.select %is, %x, %less : f32
    %scaled = arith.mulf %leaky, %two : f32
    %z = arith.addf %scaled, %t : f32
    linalg.yield %z : f32
  } -> tensor<?x4xf32>
  %w = autosage.row_softmax %p[%l : tensor<?x4xf32>] outs(%e) : !p -> tensor<?x4xf32>
  %r = autosage.spmm sum %p[%w : tensor<?x4xf32>], %v outs(%y) : !p, tensor<?x4x8xf32> -> tensor<?x4x8xf32>
  return %r : tensor<?x4x8xf32>
}

// -----

!p = !autosage.pattern<?x?, i32, i32>

// A leaky ReLU as a maximum, on tensors. Without one, the slope is 1.
// CHECK-LABEL: func @gat_maximum(
// CHECK:         autosage.attention gat {{.*}} {negative_slope = 2.500000e-01 : f64}
// CHECK:         autosage.attention gat {{.*}} {negative_slope = 1.000000e+00 : f64}
// CHECK-NEXT:    return
func.func @gat_maximum(%p: !p, %q: tensor<?x4xf64>, %k: tensor<?x4xf64>, %v: tensor<?x4x8xf64>,
                       %y: tensor<?x4x8xf64>, %n: index, %e: tensor<16x4xf64>) -> (tensor<?x4x8xf64>, tensor<?x4x8xf64>) {
  %slope = arith.constant dense<0.25> : tensor<16x4xf64>
  %s = autosage.sddmm add %p, %q, %k outs(%e) : !p, tensor<?x4xf64>, tensor<?x4xf64> -> tensor<16x4xf64>
  %less = arith.mulf %s, %slope : tensor<16x4xf64>
  %l = arith.maximumf %less, %s : tensor<16x4xf64>
  %w = autosage.row_softmax %p[%l : tensor<16x4xf64>] outs(%e) : !p -> tensor<16x4xf64>
  %r = autosage.spmm sum %p[%w : tensor<16x4xf64>], %v outs(%y) : !p, tensor<?x4x8xf64> -> tensor<?x4x8xf64>
  %s1 = autosage.sddmm add %p, %k, %q outs(%e) : !p, tensor<?x4xf64>, tensor<?x4xf64> -> tensor<16x4xf64>
  %w1 = autosage.row_softmax %p[%s1 : tensor<16x4xf64>] outs(%e) : !p -> tensor<16x4xf64>
  %r1 = autosage.spmm sum %p[%w1 : tensor<16x4xf64>], %v outs(%y) : !p, tensor<?x4x8xf64> -> tensor<?x4x8xf64>
  return %r, %r1 : tensor<?x4x8xf64>, tensor<?x4x8xf64>
}

// -----

// Component arrays; f16 with an output of f32.
// CHECK-LABEL: func @arrays(
// CHECK:         autosage.attention dot on(%{{.*}}, %{{.*}}, %{{.*}} : tensor<?xi32>, tensor<?xi32>, index), {{.*}} -> tensor<?x8xf32>
// CHECK-NEXT:    return
func.func @arrays(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %q: tensor<?x8xf16>, %y: tensor<?x8xf32>, %e: tensor<?xf16>) -> tensor<?x8xf32> {
  %s = autosage.sddmm dot on(%rp, %ci, %n : tensor<?xi32>, tensor<?xi32>, index), %q, %q outs(%e) : tensor<?x8xf16>, tensor<?x8xf16> -> tensor<?xf16>
  %w = autosage.row_softmax on(%rp, %ci, %n : tensor<?xi32>, tensor<?xi32>, index)[%s : tensor<?xf16>] outs(%e) : -> tensor<?xf16>
  %r = autosage.spmm sum on(%rp, %ci, %n : tensor<?xi32>, tensor<?xi32>, index)[%w : tensor<?xf16>], %q outs(%y) : tensor<?x8xf16> -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
