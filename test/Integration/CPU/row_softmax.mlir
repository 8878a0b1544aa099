// Row softmax through the whole pipeline, against literal results (printed with
// six digits; the last ones are left open).
//
// RUN: autosage-opt %s --autosage-cpu-pipeline \
// RUN:   | mlir-runner -e main --entry-point-result=void \
// RUN:     --shared-libs=%mlir_lib_dir/libmlir_runner_utils.so,%mlir_lib_dir/libmlir_c_runner_utils.so \
// RUN:   | FileCheck %s

func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}

// A row without a logit above -inf gives zeros.
func.func @n04_all_minus_inf() {
  %rp = arith.constant dense<[0, 2, 5, 6]> : tensor<4xi32>
  %ci = arith.constant dense<[0, 1, 0, 1, 2, 3]> : tensor<6xi32>
  %s = arith.constant dense<[0xFF800000, 0xFF800000, 0xFF800000, 0.0, 0.0, 0xFF800000]> : tensor<6xf32>
  %n = arith.constant 4 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<4xi32>, tensor<6xi32> -> <3x4, i32, i32>
  %a0 = tensor.empty() : tensor<6xf32>
  %a = autosage.row_softmax %p[%s : tensor<6xf32>] outs(%a0)
      : !autosage.pattern<3x4, i32, i32> -> tensor<6xf32>
  // CHECK:      sizes = [6]
  // CHECK-NEXT: {{^}}[0, 0, 0, 0.5, 0.5, 0]
  %b = bufferization.to_buffer %a : tensor<6xf32> to memref<6xf32>
  %print = memref.cast %b : memref<6xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  return
}

// Large logits do not overflow the exponential.
func.func @n06_large_logits() {
  %rp = arith.constant dense<[0, 3, 5, 6]> : tensor<4xi32>
  %ci = arith.constant dense<[0, 1, 2, 0, 1, 2]> : tensor<6xi32>
  %s = arith.constant dense<[1000.0, 1000.0, 999.0, -1000.0, -1001.0, 50000.0]> : tensor<6xf32>
  %n = arith.constant 3 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<4xi32>, tensor<6xi32> -> <3x3, i32, i32>
  %a0 = tensor.empty() : tensor<6xf32>
  %a = autosage.row_softmax %p[%s : tensor<6xf32>] outs(%a0)
      : !autosage.pattern<3x3, i32, i32> -> tensor<6xf32>
  // CHECK:      sizes = [6]
  // CHECK-NEXT: {{^}}[0.42231{{[89][0-9]*}}, 0.42231{{[89][0-9]*}}, 0.15536{{[0-9]*}}, 0.73105{{[89][0-9]*}}, 0.26894{{[0-9]*}}, 1]
  %b = bufferization.to_buffer %a : tensor<6xf32> to memref<6xf32>
  %print = memref.cast %b : memref<6xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  return
}

// Duplicates count once each.
func.func @n11_duplicates() {
  %rp = arith.constant dense<[0, 5, 7]> : tensor<3xi32>
  %ci = arith.constant dense<[1, 1, 1, 1, 1, 0, 0]> : tensor<7xi32>
  %s = arith.constant dense<[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]> : tensor<7xf32>
  %n = arith.constant 3 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<3xi32>, tensor<7xi32> -> <2x3, i32, i32>
  %a0 = tensor.empty() : tensor<7xf32>
  %a = autosage.row_softmax %p[%s : tensor<7xf32>] outs(%a0)
      : !autosage.pattern<2x3, i32, i32> -> tensor<7xf32>
  // CHECK:      sizes = [7]
  // CHECK-NEXT: {{^}}[0.2, 0.2, 0.2, 0.2, 0.2, 0.5, 0.5]
  %b = bufferization.to_buffer %a : tensor<7xf32> to memref<7xf32>
  %print = memref.cast %b : memref<7xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  return
}

// Positions that are not stored act as -inf: row 0 gives exactly 1.
func.func @n24_stored_only() {
  %rp = arith.constant dense<[0, 1, 3, 5]> : tensor<4xi32>
  %ci = arith.constant dense<[1, 0, 2, 2, 0]> : tensor<5xi32>
  %s = arith.constant dense<[4.0, -1.0, 2.0, 0.0, 0.5]> : tensor<5xf32>
  %n = arith.constant 3 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<4xi32>, tensor<5xi32> -> <3x3, i32, i32>
  %a0 = tensor.empty() : tensor<5xf32>
  %a = autosage.row_softmax %p[%s : tensor<5xf32>] outs(%a0)
      : !autosage.pattern<3x3, i32, i32> -> tensor<5xf32>
  // CHECK:      sizes = [5]
  // CHECK-NEXT: {{^}}[1, 0.04742{{[56][0-9]*}}, 0.95257{{[0-9]*}}, 0.37754{{[01][0-9]*}}, 0.62245{{[89][0-9]*}}]
  %b = bufferization.to_buffer %a : tensor<5xf32> to memref<5xf32>
  %print = memref.cast %b : memref<5xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  return
}

// NaN and +inf make their own row NaN and no other.
func.func @nan_and_inf_stay_in_their_row() {
  %rp = arith.constant dense<[0, 2, 4, 6]> : tensor<4xi32>
  %ci = arith.constant dense<[0, 1, 0, 1, 0, 1]> : tensor<6xi32>
  %s = arith.constant dense<[0x7FC00000, 1.0, 0x7F800000, 1.0, 3.0, 3.0]> : tensor<6xf32>
  %n = arith.constant 2 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<4xi32>, tensor<6xi32> -> <3x2, i32, i32>
  %a0 = tensor.empty() : tensor<6xf32>
  %a = autosage.row_softmax %p[%s : tensor<6xf32>] outs(%a0)
      : !autosage.pattern<3x2, i32, i32> -> tensor<6xf32>
  // CHECK:      sizes = [6]
  // CHECK-NEXT: {{^}}[{{-?}}nan, {{-?}}nan, {{-?}}nan, {{-?}}nan, 0.5, 0.5]
  %b = bufferization.to_buffer %a : tensor<6xf32> to memref<6xf32>
  %print = memref.cast %b : memref<6xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  return
}

// One hub row holds every entry; every weight is 1e-5. In place: the output is
// the buffer of the logits.
func.func @n17_hub_row() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %nnz = arith.constant 100000 : index
  %nnz32 = arith.constant 100000 : i32
  %zero = arith.constant 0 : i32
  %none = arith.constant 0.0 : f32
  %rp = memref.alloc() : memref<6xi32>
  %ci = memref.alloc(%nnz) : memref<?xi32>
  %s = memref.alloc(%nnz) : memref<?xf32>
  scf.for %i = %c0 to %c6 step %c1 {
    %before = arith.cmpi slt, %i, %c3 : index
    %position = arith.select %before, %zero, %nnz32 : i32
    memref.store %position, %rp[%i] : memref<6xi32>
  }
  linalg.fill ins(%zero : i32) outs(%ci : memref<?xi32>)
  linalg.fill ins(%none : f32) outs(%s : memref<?xf32>)
  autosage.row_softmax on(%rp, %ci, %c7 : memref<6xi32>, memref<?xi32>, index)[%s : memref<?xf32>]
      outs(%s) : memref<?xf32>
  // The largest error, and whether it is below 1e-9.
  %expected = arith.constant 1.0e-5 : f32
  %error = scf.for %e = %c0 to %nnz step %c1 iter_args(%largest = %none) -> (f32) {
    %v = memref.load %s[%e] : memref<?xf32>
    %difference = arith.subf %v, %expected : f32
    %magnitude = math.absf %difference : f32
    %next = arith.maximumf %largest, %magnitude : f32
    scf.yield %next : f32
  }
  %bound = arith.constant 1.0e-9 : f32
  %small = arith.cmpf olt, %error, %bound : f32
  // CHECK: {{^}}1{{$}}
  vector.print %small : i1
  return
}

// Two heads, each with its own softmax, and a scale of -1.
func.func @heads() {
  %rp = arith.constant dense<[0, 2, 2, 3]> : tensor<4xi32>
  %ci = arith.constant dense<[0, 1, 0]> : tensor<3xi32>
  %s = arith.constant dense<[[1.0, 0.0], [2.0, 0.0], [5.0, 0x7F800000]]> : tensor<3x2xf32>
  %n = arith.constant 2 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<4xi32>, tensor<3xi32> -> <3x2, i32, i32>
  %a0 = tensor.empty() : tensor<3x2xf32>
  %a = autosage.row_softmax %p[%s : tensor<3x2xf32>] outs(%a0) {scale = -1.0 : f32}
      : !autosage.pattern<3x2, i32, i32> -> tensor<3x2xf32>
  // CHECK:      sizes = [3, 2]
  // CHECK-NEXT: {{^\[\[}}0.73105{{[89][0-9]*}}, 0.5],
  // CHECK-NEXT: {{^}} [0.26894{{[0-9]*}}, 0.5],
  // CHECK-NEXT: {{^}} [1, 0]]
  %b = bufferization.to_buffer %a : tensor<3x2xf32> to memref<3x2xf32>
  %print = memref.cast %b : memref<3x2xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  return
}

func.func @main() {
  call @n04_all_minus_inf() : () -> ()
  call @n06_large_logits() : () -> ()
  call @n11_duplicates() : () -> ()
  call @n24_stored_only() : () -> ()
  call @nan_and_inf_stay_in_their_row() : () -> ()
  call @n17_hub_row() : () -> ()
  call @heads() : () -> ()
  return
}
