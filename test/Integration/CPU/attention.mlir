// Attention through the whole pipeline, against literal results (printed with
// six digits; the last ones are left open).
//
// RUN: autosage-opt %s --autosage-cpu-pipeline \
// RUN:   | mlir-runner -e main --entry-point-result=void \
// RUN:     --shared-libs=%mlir_lib_dir/libmlir_runner_utils.so,%mlir_lib_dir/libmlir_c_runner_utils.so \
// RUN:   | FileCheck %s

func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}

// A bias of -inf masks edges; rows with no other edge give exactly zero, even
// where v is infinite, and their log-sum-exp is -inf.
func.func @n04_all_minus_inf() {
  %rp = arith.constant dense<[0, 2, 5, 6]> : tensor<4xi32>
  %ci = arith.constant dense<[0, 1, 0, 1, 2, 3]> : tensor<6xi32>
  %bias = arith.constant dense<[0xFF800000, 0xFF800000, 0xFF800000, 0.0, 0.0, 0xFF800000]> : tensor<6xf32>
  %q = arith.constant dense<1.0> : tensor<3x2xf32>
  %k = arith.constant dense<0.5> : tensor<4x2xf32>
  %v = arith.constant dense<[[1.0], [2.0], [4.0], [0x7F800000]]> : tensor<4x1xf32>
  %n = arith.constant 4 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<4xi32>, tensor<6xi32> -> <3x4, i32, i32>
  %o0 = tensor.empty() : tensor<3x1xf32>
  %l0 = tensor.empty() : tensor<3xf32>
  %o, %l = autosage.attention dot %p[%bias : tensor<6xf32>], %q, %k, %v outs(%o0, %l0)
      : !autosage.pattern<3x4, i32, i32>, tensor<3x2xf32>, tensor<4x2xf32>, tensor<4x1xf32>
      -> tensor<3x1xf32>, tensor<3xf32>
  // CHECK:      sizes = [3, 1]
  // CHECK-NEXT: {{^\[\[}}0],
  // CHECK-NEXT: {{^}} [3],
  // CHECK-NEXT: {{^}} [0]]
  %b = bufferization.to_buffer %o : tensor<3x1xf32> to memref<3x1xf32>
  %print = memref.cast %b : memref<3x1xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  // 1 + log 2
  // CHECK:      sizes = [3]
  // CHECK-NEXT: {{^}}[-inf, 1.6931{{[0-9]*}}, -inf]
  %b1 = bufferization.to_buffer %l : tensor<3xf32> to memref<3xf32>
  %print1 = memref.cast %b1 : memref<3xf32> to memref<*xf32>
  call @printMemrefF32(%print1) : (memref<*xf32>) -> ()
  return
}

// A node without neighbours gives zeros.
func.func @n21_no_neighbours() {
  %rp = arith.constant dense<[0, 2, 2, 3]> : tensor<4xi32>
  %ci = arith.constant dense<[0, 2, 1]> : tensor<3xi32>
  %q = arith.constant dense<[[1.0, 0.0], [0.0, 2.0], [3.0, -1.0]]> : tensor<3x2xf32>
  %k = arith.constant dense<[[1.0, 2.0], [0.0, 1.0], [-1.0, 1.0]]> : tensor<3x2xf32>
  %v = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]]> : tensor<3x2xf32>
  %n = arith.constant 3 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<4xi32>, tensor<3xi32> -> <3x3, i32, i32>
  %o0 = tensor.empty() : tensor<3x2xf32>
  %l0 = tensor.empty() : tensor<3xf32>
  %o, %l = autosage.attention dot %p, %q, %k, %v outs(%o0, %l0) {scale = 0.5 : f32}
      : !autosage.pattern<3x3, i32, i32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>
      -> tensor<3x2xf32>, tensor<3xf32>
  // CHECK:      sizes = [3, 2]
  // CHECK-NEXT: {{^\[\[}}2.0757{{[67][0-9]*}}, 3.3447{{[01]?[0-9]*}}],
  // CHECK-NEXT: {{^}} [0, 0],
  // CHECK-NEXT: {{^}} [3, 4]]
  %b = bufferization.to_buffer %o : tensor<3x2xf32> to memref<3x2xf32>
  %print = memref.cast %b : memref<3x2xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  // log(exp 0.5 + exp -0.5), -inf, and the only logit -0.5
  // CHECK:      sizes = [3]
  // CHECK-NEXT: {{^}}[0.81326{{[12][0-9]*}}, -inf, -0.5]
  %b1 = bufferization.to_buffer %l : tensor<3xf32> to memref<3xf32>
  %print1 = memref.cast %b1 : memref<3xf32> to memref<*xf32>
  call @printMemrefF32(%print1) : (memref<*xf32>) -> ()
  return
}

// Rows exist, keys do not.
func.func @x09_no_columns() {
  %nan = arith.constant 0x7FC00000 : f32
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %rp = memref.alloc() : memref<4xi32>
  linalg.fill ins(%zero : i32) outs(%rp : memref<4xi32>)
  %ci = memref.alloc(%c0) : memref<?xi32>
  %q = memref.alloc() : memref<3x2xf32>
  linalg.fill ins(%nan : f32) outs(%q : memref<3x2xf32>)
  %k = memref.alloc(%c0) : memref<?x2xf32>
  %o = memref.alloc() : memref<3x2xf32>
  linalg.fill ins(%nan : f32) outs(%o : memref<3x2xf32>)
  %l = memref.alloc() : memref<3xf32>
  linalg.fill ins(%nan : f32) outs(%l : memref<3xf32>)
  autosage.attention dot on(%rp, %ci, %c0 : memref<4xi32>, memref<?xi32>, index), %q, %k, %k
      outs(%o, %l) : memref<3x2xf32>, memref<?x2xf32>, memref<?x2xf32>, memref<3x2xf32>, memref<3xf32>
  // CHECK:      sizes = [3, 2]
  // CHECK-NEXT: {{^\[\[}}0, 0],
  // CHECK-NEXT: {{^}} [0, 0],
  // CHECK-NEXT: {{^}} [0, 0]]
  %print = memref.cast %o : memref<3x2xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  // CHECK:      sizes = [3]
  // CHECK-NEXT: {{^}}[-inf, -inf, -inf]
  %printl = memref.cast %l : memref<3xf32> to memref<*xf32>
  call @printMemrefF32(%printl) : (memref<*xf32>) -> ()
  return
}

// GAT: logits of row 0 are leaky_relu(1 + 1) = 2 and leaky_relu(1 - 11) = -2 in
// head 0; in head 1 both are 0. A slope of 0.5 makes the latter -5 in head 0.
func.func @gat() {
  %rp = arith.constant dense<[0, 2]> : tensor<2xi64>
  %ci = arith.constant dense<[0, 1]> : tensor<2xi32>
  %q = arith.constant dense<[[1.0, 0.0]]> : tensor<1x2xf32>
  %k = arith.constant dense<[[1.0, 0.0], [-11.0, 0.0]]> : tensor<2x2xf32>
  %v = arith.constant dense<[[[1.0], [1.0]], [[0.0], [3.0]]]> : tensor<2x2x1xf32>
  %n = arith.constant 2 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<2xi64>, tensor<2xi32> -> <1x2, i64, i32>
  %o0 = tensor.empty() : tensor<1x2x1xf32>
  %l0 = tensor.empty() : tensor<1x2xf32>
  %o, %l = autosage.attention gat %p, %q, %k, %v outs(%o0, %l0)
      : !autosage.pattern<1x2, i64, i32>, tensor<1x2xf32>, tensor<2x2xf32>, tensor<2x2x1xf32>
      -> tensor<1x2x1xf32>, tensor<1x2xf32>
  // 1 / (1 + exp -4) and (1 + 3) / 2
  // CHECK:      sizes = [1, 2, 1]
  // CHECK-NEXT: {{^\[\[\[}}0.98201{{[0-9]*}}],
  // CHECK-NEXT: {{^}} [2]]]
  %b = bufferization.to_buffer %o : tensor<1x2x1xf32> to memref<1x2x1xf32>
  %print = memref.cast %b : memref<1x2x1xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  // 2 + log(1 + exp -4) and log 2
  // CHECK:      sizes = [1, 2]
  // CHECK-NEXT: {{^\[\[}}2.0181{{[45][0-9]*}}, 0.69314{{[67][0-9]*}}]]
  %b1 = bufferization.to_buffer %l : tensor<1x2xf32> to memref<1x2xf32>
  %print1 = memref.cast %b1 : memref<1x2xf32> to memref<*xf32>
  call @printMemrefF32(%print1) : (memref<*xf32>) -> ()
  %steep = autosage.attention gat %p, %q, %k, %v outs(%o0) {negative_slope = 0.5 : f32}
      : !autosage.pattern<1x2, i64, i32>, tensor<1x2xf32>, tensor<2x2xf32>, tensor<2x2x1xf32>
      -> tensor<1x2x1xf32>
  // 1 / (1 + exp -7)
  // CHECK:      sizes = [1, 2, 1]
  // CHECK-NEXT: {{^\[\[\[}}0.99908{{[89][0-9]*}}],
  %b2 = bufferization.to_buffer %steep : tensor<1x2x1xf32> to memref<1x2x1xf32>
  %print2 = memref.cast %b2 : memref<1x2x1xf32> to memref<*xf32>
  call @printMemrefF32(%print2) : (memref<*xf32>) -> ()
  return
}

// GATv2: score = vec . leaky_relu(q + k) = 1 * 2 + 2 * (0.2 * -5) = 0 for
// column 0, and 1 * (0.2 * -5) + 2 * 3 = 5 for column 1.
func.func @gatv2() {
  %rp = arith.constant dense<[0, 2]> : tensor<2xi32>
  %ci = arith.constant dense<[1, 0]> : tensor<2xi32>
  %q = arith.constant dense<[[1.0, -1.0]]> : tensor<1x2xf32>
  %k = arith.constant dense<[[1.0, -4.0], [-6.0, 4.0]]> : tensor<2x2xf32>
  %a = arith.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %v = arith.constant dense<[[1.0], [0.0]]> : tensor<2x1xf32>
  %n = arith.constant 2 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<2xi32>, tensor<2xi32> -> <1x2, i32, i32>
  %o0 = tensor.empty() : tensor<1x1xf32>
  %l0 = tensor.empty() : tensor<1xf32>
  %o, %l = autosage.attention gatv2 %p, %q, %k, %v vec(%a : tensor<1x2xf32>) outs(%o0, %l0)
      : !autosage.pattern<1x2, i32, i32>, tensor<1x2xf32>, tensor<2x2xf32>, tensor<2x1xf32>
      -> tensor<1x1xf32>, tensor<1xf32>
  // 1 / (1 + exp 5)
  // CHECK:      sizes = [1, 1]
  // CHECK-NEXT: {{^\[\[}}0.006692{{[89][0-9]*}}]]
  %b = bufferization.to_buffer %o : tensor<1x1xf32> to memref<1x1xf32>
  %print = memref.cast %b : memref<1x1xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  // CHECK:      sizes = [1]
  // CHECK-NEXT: {{^}}[5.0067{{[0-9]*}}]
  %b1 = bufferization.to_buffer %l : tensor<1xf32> to memref<1xf32>
  %print1 = memref.cast %b1 : memref<1xf32> to memref<*xf32>
  call @printMemrefF32(%print1) : (memref<*xf32>) -> ()
  return
}

func.func @main() {
  call @n04_all_minus_inf() : () -> ()
  call @n21_no_neighbours() : () -> ()
  call @x09_no_columns() : () -> ()
  call @gat() : () -> ()
  call @gatv2() : () -> ()
  return
}
