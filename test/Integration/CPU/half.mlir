// f16 and bf16 through the whole pipeline, against literal results; f16 also as
// for a CPU without F16C. Nothing but the runner's own library is loaded.
//
// RUN: autosage-opt %s --autosage-cpu-pipeline \
// RUN:   | mlir-runner -e main --entry-point-result=void \
// RUN:     --shared-libs=%mlir_lib_dir/libmlir_runner_utils.so,%mlir_lib_dir/libmlir_c_runner_utils.so \
// RUN:   | FileCheck %s
// RUN: autosage-opt %s --autosage-cpu-pipeline=expand-f16 \
// RUN:   | mlir-runner -e main --entry-point-result=void \
// RUN:     --shared-libs=%mlir_lib_dir/libmlir_runner_utils.so,%mlir_lib_dir/libmlir_c_runner_utils.so \
// RUN:   | FileCheck %s

func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}

// The runner prints f32 alone.
func.func private @printF16(%y: tensor<2x1xf16>) {
  %w0 = tensor.empty() : tensor<2x1xf32>
  %w = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<2x1xf16>) outs(%w0 : tensor<2x1xf32>) {
  ^bb0(%a: f16, %b: f32):
    %wide = arith.extf %a : f16 to f32
    linalg.yield %wide : f32
  } -> tensor<2x1xf32>
  call @print(%w) : (tensor<2x1xf32>) -> ()
  return
}

func.func private @printBF16(%y: tensor<2x1xbf16>) {
  %w0 = tensor.empty() : tensor<2x1xf32>
  %w = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<2x1xbf16>) outs(%w0 : tensor<2x1xf32>) {
  ^bb0(%a: bf16, %b: f32):
    %wide = arith.extf %a : bf16 to f32
    linalg.yield %wide : f32
  } -> tensor<2x1xf32>
  call @print(%w) : (tensor<2x1xf32>) -> ()
  return
}

func.func private @print(%y: tensor<2x1xf32>) {
  %b = bufferization.to_buffer %y read_only : tensor<2x1xf32> to memref<2x1xf32>
  %u = memref.cast %b : memref<2x1xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}

// An accumulator of f16 would stop at 2048.
func.func @n08_f16_sums() {
  %rp = arith.constant dense<[0, 4096, 4099]> : tensor<3xi32>
  %ci = arith.constant dense<0> : tensor<4099xi32>
  %w = arith.constant dense<1.0> : tensor<4099xf16>
  %x = arith.constant dense<1.0> : tensor<1x1xf16>
  %n = arith.constant 1 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<3xi32>, tensor<4099xi32> -> <2x1, i32, i32>
  %y0 = tensor.empty() : tensor<2x1xf16>
  %y = autosage.spmm sum %p[%w : tensor<4099xf16>], %x outs(%y0)
      : !autosage.pattern<2x1, i32, i32>, tensor<1x1xf16> -> tensor<2x1xf16>
  // CHECK:      {{^\[\[}}4096],
  // CHECK-NEXT: {{^}} [3]]
  call @printF16(%y) : (tensor<2x1xf16>) -> ()
  return
}

// One of bf16 at 256. 257 is a tie between 256 and 258, of which 256 is even.
func.func @n10_bf16_sums() {
  %rp = arith.constant dense<[0, 300, 557]> : tensor<3xi32>
  %ci = arith.constant dense<0> : tensor<557xi32>
  %w = arith.constant dense<1.0> : tensor<557xbf16>
  %x = arith.constant dense<1.0> : tensor<1x1xbf16>
  %n = arith.constant 1 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<3xi32>, tensor<557xi32> -> <2x1, i32, i32>
  %y0 = tensor.empty() : tensor<2x1xbf16>
  %y = autosage.spmm sum %p[%w : tensor<557xbf16>], %x outs(%y0)
      : !autosage.pattern<2x1, i32, i32>, tensor<1x1xbf16> -> tensor<2x1xbf16>
  // CHECK:      {{^\[\[}}300],
  // CHECK-NEXT: {{^}} [256]]
  call @printBF16(%y) : (tensor<2x1xbf16>) -> ()
  %z0 = tensor.empty() : tensor<2x1xf32>
  %z = autosage.spmm sum %p[%w : tensor<557xbf16>], %x outs(%z0)
      : !autosage.pattern<2x1, i32, i32>, tensor<1x1xbf16> -> tensor<2x1xf32>
  // CHECK:      {{^\[\[}}300],
  // CHECK-NEXT: {{^}} [257]]
  call @print(%z) : (tensor<2x1xf32>) -> ()
  return
}

// Infinity and the least denormal pass; a stored zero times infinity is NaN.
func.func @f16_extremes() {
  %rp = arith.constant dense<[0, 2, 3]> : tensor<3xi32>
  %ci = arith.constant dense<[0, 1, 2]> : tensor<3xi32>
  %w = arith.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf16>
  %x = arith.constant dense<[[0x7C00], [0x3C00], [0x0001]]> : tensor<3x1xf16>
  %n = arith.constant 3 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<3xi32>, tensor<3xi32> -> <2x3, i32, i32>
  %y0 = tensor.empty() : tensor<2x1xf16>
  %y = autosage.spmm sum %p[%w : tensor<3xf16>], %x outs(%y0)
      : !autosage.pattern<2x3, i32, i32>, tensor<3x1xf16> -> tensor<2x1xf16>
  // CHECK:      {{^\[\[-?}}nan],
  // CHECK-NEXT: {{^}} [1.19209e-07]]
  call @printF16(%y) : (tensor<2x1xf16>) -> ()
  return
}

func.func @main() {
  call @n08_f16_sums() : () -> ()
  call @n10_bf16_sums() : () -> ()
  call @f16_extremes() : () -> ()
  return
}
