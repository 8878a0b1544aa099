// Sampled dense dense products through the whole pipeline, against literal
// results.
//
// RUN: autosage-opt %s --autosage-cpu-pipeline \
// RUN:   | mlir-runner -e main --entry-point-result=void \
// RUN:     --shared-libs=%mlir_lib_dir/libmlir_runner_utils.so,%mlir_lib_dir/libmlir_c_runner_utils.so \
// RUN:   | FileCheck %s

func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}

// Duplicate columns: one result for every stored entry, in stored order.
func.func @n11_duplicates() {
  %rp = arith.constant dense<[0, 5, 7]> : tensor<3xi32>
  %ci = arith.constant dense<[1, 1, 1, 1, 1, 0, 0]> : tensor<7xi32>
  %q = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %k = arith.constant dense<[[1.0, 1.0], [2.0, 5.0], [0.0, 9.0]]> : tensor<3x2xf32>
  %n = arith.constant 3 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<3xi32>, tensor<7xi32> -> <2x3, i32, i32>
  %s0 = tensor.empty() : tensor<7xf32>
  %s = autosage.sddmm dot %p, %q, %k outs(%s0)
      : !autosage.pattern<2x3, i32, i32>, tensor<2x2xf32>, tensor<3x2xf32> -> tensor<7xf32>
  // CHECK:      sizes = [7]
  // CHECK-NEXT: {{^}}[12, 12, 12, 12, 12, 7, 7]
  %b = bufferization.to_buffer %s : tensor<7xf32> to memref<7xf32>
  %print = memref.cast %b : memref<7xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  return
}

// Unsorted columns: results keep the caller's order. Then with edge values and
// a scale.
func.func @n12_unsorted() {
  %rp = arith.constant dense<[0, 3, 6]> : tensor<3xi32>
  %ci = arith.constant dense<[2, 0, 1, 3, 1, 2]> : tensor<6xi32>
  %w = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %q = arith.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %k = arith.constant dense<[[1.0], [10.0], [100.0], [1000.0]]> : tensor<4x1xf32>
  %n = arith.constant 4 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<3xi32>, tensor<6xi32> -> <2x4, i32, i32>
  %s0 = tensor.empty() : tensor<6xf32>
  %s = autosage.sddmm dot %p, %q, %k outs(%s0)
      : !autosage.pattern<2x4, i32, i32>, tensor<2x1xf32>, tensor<4x1xf32> -> tensor<6xf32>
  // CHECK:      sizes = [6]
  // CHECK-NEXT: {{^}}[100, 1, 10, 2000, 20, 200]
  %b = bufferization.to_buffer %s : tensor<6xf32> to memref<6xf32>
  %print = memref.cast %b : memref<6xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  %t = autosage.sddmm dot %p[%w : tensor<6xf32>], %q, %k outs(%s0) {scale = 0.5 : f32}
      : !autosage.pattern<2x4, i32, i32>, tensor<2x1xf32>, tensor<4x1xf32> -> tensor<6xf32>
  // CHECK:      sizes = [6]
  // CHECK-NEXT: {{^}}[50, 1, 15, 4000, 50, 600]
  %b1 = bufferization.to_buffer %t : tensor<6xf32> to memref<6xf32>
  %print1 = memref.cast %b1 : memref<6xf32> to memref<*xf32>
  call @printMemrefF32(%print1) : (memref<*xf32>) -> ()
  return
}

// An empty sum is zero and is written.
func.func @n16_no_features() {
  %rp = arith.constant dense<[0, 2, 4]> : tensor<3xi32>
  %ci = arith.constant dense<[0, 1, 0, 1]> : tensor<4xi32>
  %n = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %nan = arith.constant 0x7FC00000 : f32
  %rpb = bufferization.to_buffer %rp : tensor<3xi32> to memref<3xi32>
  %cib = bufferization.to_buffer %ci : tensor<4xi32> to memref<4xi32>
  %q = memref.alloc(%n, %c0) : memref<?x?xf32>
  %q0 = memref.alloc() : memref<2x0xf32>
  %s = memref.alloc() : memref<4xf32>
  %print = memref.cast %s : memref<4xf32> to memref<*xf32>
  linalg.fill ins(%nan : f32) outs(%s : memref<4xf32>)
  autosage.sddmm dot on(%rpb, %cib, %n : memref<3xi32>, memref<4xi32>, index), %q, %q
      outs(%s) : memref<?x?xf32>, memref<?x?xf32>, memref<4xf32>
  // CHECK:      sizes = [4]
  // CHECK-NEXT: {{^}}[0, 0, 0, 0]
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  linalg.fill ins(%nan : f32) outs(%s : memref<4xf32>)
  autosage.sddmm dot on(%rpb, %cib, %n : memref<3xi32>, memref<4xi32>, index), %q0, %q0
      outs(%s) : memref<2x0xf32>, memref<2x0xf32>, memref<4xf32>
  // CHECK:      sizes = [4]
  // CHECK-NEXT: {{^}}[0, 0, 0, 0]
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  return
}

// 64-bit positions with 32-bit columns and the reverse.
func.func @x07_mixed_index_types() {
  %rp32 = arith.constant dense<[0, 2, 2, 3]> : tensor<4xi32>
  %rp64 = arith.constant dense<[0, 2, 2, 3]> : tensor<4xi64>
  %ci32 = arith.constant dense<[0, 2, 1]> : tensor<3xi32>
  %ci64 = arith.constant dense<[0, 2, 1]> : tensor<3xi64>
  %x = arith.constant dense<[[1.0], [10.0], [100.0]]> : tensor<3x1xf32>
  %n = arith.constant 3 : index
  %p01 = autosage.pattern %rp32, %ci64, %n : tensor<4xi32>, tensor<3xi64> -> <3x3, i32, i64>
  %p10 = autosage.pattern %rp64, %ci32, %n : tensor<4xi64>, tensor<3xi32> -> <3x3, i64, i32>
  %s0 = tensor.empty() : tensor<3xf32>
  %s = autosage.sddmm dot %p01, %x, %x outs(%s0)
      : !autosage.pattern<3x3, i32, i64>, tensor<3x1xf32>, tensor<3x1xf32> -> tensor<3xf32>
  // CHECK:      sizes = [3]
  // CHECK-NEXT: {{^}}[1, 100, 1000]
  %b = bufferization.to_buffer %s : tensor<3xf32> to memref<3xf32>
  %print = memref.cast %b : memref<3xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  %t = autosage.sddmm dot %p10, %x, %x outs(%s0)
      : !autosage.pattern<3x3, i64, i32>, tensor<3x1xf32>, tensor<3x1xf32> -> tensor<3xf32>
  // CHECK:      sizes = [3]
  // CHECK-NEXT: {{^}}[1, 100, 1000]
  %b1 = bufferization.to_buffer %t : tensor<3xf32> to memref<3xf32>
  %print1 = memref.cast %b1 : memref<3xf32> to memref<*xf32>
  call @printMemrefF32(%print1) : (memref<*xf32>) -> ()
  return
}

// Two heads: dot products of each head, and the sums of `add`.
func.func @heads() {
  %rp = arith.constant dense<[0, 2, 3]> : tensor<3xi32>
  %ci = arith.constant dense<[1, 0, 1]> : tensor<3xi32>
  %n = arith.constant 2 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<3xi32>, tensor<3xi32> -> <2x2, i32, i32>
  %q = arith.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]> : tensor<2x2x2xf32>
  %k = arith.constant dense<[[[1.0, 0.0], [0.0, 1.0]], [[1.0, 1.0], [2.0, -1.0]]]> : tensor<2x2x2xf32>
  %s0 = tensor.empty() : tensor<3x2xf32>
  %s = autosage.sddmm dot %p, %q, %k outs(%s0)
      : !autosage.pattern<2x2, i32, i32>, tensor<2x2x2xf32>, tensor<2x2x2xf32> -> tensor<3x2xf32>
  // CHECK:      sizes = [3, 2]
  // CHECK-NEXT: {{^\[\[}}3, 2],
  // CHECK-NEXT: {{^}} [1, 4],
  // CHECK-NEXT: {{^}} [11, 6]]
  %b = bufferization.to_buffer %s : tensor<3x2xf32> to memref<3x2xf32>
  %print = memref.cast %b : memref<3x2xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  %w = arith.constant dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>
  %l = arith.constant dense<[[1.0, 10.0], [2.0, 20.0]]> : tensor<2x2xf32>
  %r = arith.constant dense<[[100.0, 1000.0], [300.0, 3000.0]]> : tensor<2x2xf32>
  %t = autosage.sddmm add %p[%w : tensor<3x1xf32>], %l, %r outs(%s0)
      : !autosage.pattern<2x2, i32, i32>, tensor<2x2xf32>, tensor<2x2xf32> -> tensor<3x2xf32>
  // CHECK:      sizes = [3, 2]
  // CHECK-NEXT: {{^\[\[}}301, 3010],
  // CHECK-NEXT: {{^}} [202, 2020],
  // CHECK-NEXT: {{^}} [906, 9060]]
  %b1 = bufferization.to_buffer %t : tensor<3x2xf32> to memref<3x2xf32>
  %print1 = memref.cast %b1 : memref<3x2xf32> to memref<*xf32>
  call @printMemrefF32(%print1) : (memref<*xf32>) -> ()
  return
}

func.func @main() {
  call @n11_duplicates() : () -> ()
  call @n12_unsorted() : () -> ()
  call @n16_no_features() : () -> ()
  call @x07_mixed_index_types() : () -> ()
  call @heads() : () -> ()
  return
}
