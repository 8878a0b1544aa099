// Sparse times dense products through the whole pipeline, against literal
// results. Outputs hold NaN before the call, so that an element that is not
// written shows.
//
// RUN: autosage-opt %s --autosage-cpu-pipeline \
// RUN:   | mlir-runner -e main --entry-point-result=void \
// RUN:     --shared-libs=%mlir_lib_dir/libmlir_runner_utils.so,%mlir_lib_dir/libmlir_c_runner_utils.so \
// RUN:   | FileCheck %s

func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}

func.func private @nan_output(%rows: index, %features: index) -> memref<?x?xf32> {
  %nan = arith.constant 0x7FC00000 : f32
  %y = memref.alloc(%rows, %features) : memref<?x?xf32>
  linalg.fill ins(%nan : f32) outs(%y : memref<?x?xf32>)
  return %y : memref<?x?xf32>
}

memref.global "private" constant @n01_rowptr : memref<5xi32> = dense<[0, 2, 2, 3, 3]>
memref.global "private" constant @n01_colind : memref<3xi32> = dense<[0, 2, 1]>
memref.global "private" constant @n01_values : memref<3xf32> = dense<[1.0, 2.0, 3.0]>
memref.global "private" constant @n01_x : memref<3x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]>

// Empty rows overwrite whatever the output held.
func.func @n01_empty_rows() {
  %rp = memref.get_global @n01_rowptr : memref<5xi32>
  %ci = memref.get_global @n01_colind : memref<3xi32>
  %w = memref.get_global @n01_values : memref<3xf32>
  %x = memref.get_global @n01_x : memref<3x2xf32>
  %n = arith.constant 3 : index
  %rows = arith.constant 4 : index
  %features = arith.constant 2 : index
  %y = call @nan_output(%rows, %features) : (index, index) -> memref<?x?xf32>
  %print = memref.cast %y : memref<?x?xf32> to memref<*xf32>

  autosage.spmm sum on(%rp, %ci, %n : memref<5xi32>, memref<3xi32>, index)[%w : memref<3xf32>], %x
      outs(%y) : memref<3x2xf32>, memref<?x?xf32>
  // CHECK:      sizes = [4, 2]
  // CHECK-NEXT: {{^\[\[}}11, 14],
  // CHECK-NEXT: {{^}} [0, 0],
  // CHECK-NEXT: {{^}} [9, 12],
  // CHECK-NEXT: {{^}} [0, 0]]
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()

  // Every reduction; row 0 has two edges, with products [1, 2] and [10, 12].
  autosage.spmm mean on(%rp, %ci, %n : memref<5xi32>, memref<3xi32>, index)[%w : memref<3xf32>], %x
      outs(%y) : memref<3x2xf32>, memref<?x?xf32>
  // CHECK:      {{^\[\[}}5.5, 7],
  // CHECK-NEXT: {{^}} [0, 0],
  // CHECK-NEXT: {{^}} [9, 12],
  // CHECK-NEXT: {{^}} [0, 0]]
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  autosage.spmm max on(%rp, %ci, %n : memref<5xi32>, memref<3xi32>, index)[%w : memref<3xf32>], %x
      outs(%y) : memref<3x2xf32>, memref<?x?xf32>
  // CHECK:      {{^\[\[}}10, 12],
  // CHECK-NEXT: {{^}} [0, 0],
  // CHECK-NEXT: {{^}} [9, 12],
  // CHECK-NEXT: {{^}} [0, 0]]
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  autosage.spmm min on(%rp, %ci, %n : memref<5xi32>, memref<3xi32>, index)[%w : memref<3xf32>], %x
      outs(%y) : memref<3x2xf32>, memref<?x?xf32>
  // CHECK:      {{^\[\[}}1, 2],
  // CHECK-NEXT: {{^}} [0, 0],
  // CHECK-NEXT: {{^}} [9, 12],
  // CHECK-NEXT: {{^}} [0, 0]]
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()

  // On top of the minima: their double plus the means.
  autosage.spmm mean on(%rp, %ci, %n : memref<5xi32>, memref<3xi32>, index)[%w : memref<3xf32>], %x
      outs(%y) {accumulate} : memref<3x2xf32>, memref<?x?xf32>
  // CHECK:      {{^\[\[}}6.5, 9],
  // CHECK-NEXT: {{^}} [0, 0],
  // CHECK-NEXT: {{^}} [18, 24],
  // CHECK-NEXT: {{^}} [0, 0]]
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  return
}

// A stored zero still multiplies: 0 x inf and 0 x NaN give NaN.
func.func @n02_stored_zero() {
  %rp = arith.constant dense<[0, 2, 3, 4]> : tensor<4xi32>
  %ci = arith.constant dense<[0, 1, 0, 2]> : tensor<4xi32>
  %w = arith.constant dense<[0.0, 1.0, 2.0, 0.0]> : tensor<4xf32>
  %x = arith.constant dense<[[0x7F800000, 1.0], [2.0, 3.0], [0x7FC00000, 0xFF800000]]> : tensor<3x2xf32>
  %n = arith.constant 3 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<4xi32>, tensor<4xi32> -> <3x3, i32, i32>
  %y0 = tensor.empty() : tensor<3x2xf32>
  %y = autosage.spmm sum %p[%w : tensor<4xf32>], %x outs(%y0)
      : !autosage.pattern<3x3, i32, i32>, tensor<3x2xf32> -> tensor<3x2xf32>
  // CHECK:      sizes = [3, 2]
  // CHECK-NEXT: {{^\[\[}}{{-?}}nan, 3],
  // CHECK-NEXT: {{^}} [inf, 2],
  // CHECK-NEXT: {{^}} [{{-?}}nan, {{-?}}nan]]
  %b = bufferization.to_buffer %y : tensor<3x2xf32> to memref<3x2xf32>
  %print = memref.cast %b : memref<3x2xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  return
}

// Duplicate columns: every stored entry is an edge of its own.
func.func @n11_duplicates() {
  %rp = arith.constant dense<[0, 5, 7]> : tensor<3xi32>
  %ci = arith.constant dense<[1, 1, 1, 1, 1, 0, 0]> : tensor<7xi32>
  %w = arith.constant dense<[1.0, 2.0, 4.0, 8.0, 16.0, 1.0, 1.0]> : tensor<7xf32>
  %x = arith.constant dense<[[10.0], [100.0], [1000.0]]> : tensor<3x1xf32>
  %n = arith.constant 3 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<3xi32>, tensor<7xi32> -> <2x3, i32, i32>
  %y0 = tensor.empty() : tensor<2x1xf32>
  %y = autosage.spmm sum %p[%w : tensor<7xf32>], %x outs(%y0)
      : !autosage.pattern<2x3, i32, i32>, tensor<3x1xf32> -> tensor<2x1xf32>
  // CHECK:      sizes = [2, 1]
  // CHECK-NEXT: {{^\[\[}}3100],
  // CHECK-NEXT: {{^}} [20]]
  %b = bufferization.to_buffer %y : tensor<2x1xf32> to memref<2x1xf32>
  %print = memref.cast %b : memref<2x1xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  return
}

// Unsorted columns, and the transposed product of the same matrix.
func.func @n12_unsorted() {
  %rp = arith.constant dense<[0, 3, 6]> : tensor<3xi32>
  %ci = arith.constant dense<[2, 0, 1, 3, 1, 2]> : tensor<6xi32>
  %w = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %x = arith.constant dense<[[1.0], [10.0], [100.0], [1000.0]]> : tensor<4x1xf32>
  %n = arith.constant 4 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<3xi32>, tensor<6xi32> -> <2x4, i32, i32>
  %y0 = tensor.empty() : tensor<2x1xf32>
  %y = autosage.spmm sum %p[%w : tensor<6xf32>], %x outs(%y0)
      : !autosage.pattern<2x4, i32, i32>, tensor<4x1xf32> -> tensor<2x1xf32>
  // CHECK:      sizes = [2, 1]
  // CHECK-NEXT: {{^\[\[}}132],
  // CHECK-NEXT: {{^}} [4650]]
  %b = bufferization.to_buffer %y : tensor<2x1xf32> to memref<2x1xf32>
  %print = memref.cast %b : memref<2x1xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()

  // Columns 1 and 2 have two edges: 3 * 1 + 5 * 10 and 1 * 1 + 6 * 10.
  %xt = arith.constant dense<[[1.0], [10.0]]> : tensor<2x1xf32>
  %t0 = tensor.empty() : tensor<4x1xf32>
  %t = autosage.spmm sum %p[%w : tensor<6xf32>], %xt outs(%t0) {transpose}
      : !autosage.pattern<2x4, i32, i32>, tensor<2x1xf32> -> tensor<4x1xf32>
  // CHECK:      sizes = [4, 1]
  // CHECK-NEXT: {{^\[\[}}2],
  // CHECK-NEXT: {{^}} [53],
  // CHECK-NEXT: {{^}} [61],
  // CHECK-NEXT: {{^}} [40]]
  %tb = bufferization.to_buffer %t : tensor<4x1xf32> to memref<4x1xf32>
  %tprint = memref.cast %tb : memref<4x1xf32> to memref<*xf32>
  call @printMemrefF32(%tprint) : (memref<*xf32>) -> ()
  return
}

// One hub row holds every entry.
func.func @n17_hub_row() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %nnz = arith.constant 100000 : index
  %nnz32 = arith.constant 100000 : i32
  %zero = arith.constant 0 : i32
  %rp = memref.alloc() : memref<6xi32>
  %ci = memref.alloc(%nnz) : memref<?xi32>
  scf.for %i = %c0 to %c6 step %c1 {
    %before = arith.cmpi slt, %i, %c3 : index
    %position = arith.select %before, %zero, %nnz32 : i32
    memref.store %position, %rp[%i] : memref<6xi32>
  }
  scf.for %e = %c0 to %nnz step %c1 {
    %col = arith.remui %e, %c7 : index
    %col32 = arith.index_cast %col : index to i32
    memref.store %col32, %ci[%e] : memref<?xi32>
  }
  %x = memref.alloc() : memref<7x2xf32>
  %ten = arith.constant 10.0 : f32
  scf.for %k = %c0 to %c7 step %c1 {
    %k32 = arith.index_cast %k : index to i32
    %kf = arith.sitofp %k32 : i32 to f32
    %k10 = arith.addf %kf, %ten : f32
    memref.store %kf, %x[%k, %c0] : memref<7x2xf32>
    memref.store %k10, %x[%k, %c1] : memref<7x2xf32>
  }
  %y = call @nan_output(%c5, %c2) : (index, index) -> memref<?x?xf32>
  autosage.spmm sum on(%rp, %ci, %c7 : memref<6xi32>, memref<?xi32>, index), %x
      outs(%y) : memref<7x2xf32>, memref<?x?xf32>
  // CHECK:      sizes = [5, 2]
  // CHECK-NEXT: {{^\[\[}}0, 0],
  // CHECK-NEXT: {{^}} [0, 0],
  // CHECK-NEXT: {{^}} [299995, 1.3e+06],
  // CHECK-NEXT: {{^}} [0, 0],
  // CHECK-NEXT: {{^}} [0, 0]]
  %print = memref.cast %y : memref<?x?xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  // The printer rounds to six digits.
  %expected = arith.constant 1299995.0 : f32
  %got = memref.load %y[%c2, %c1] : memref<?x?xf32>
  %difference = arith.subf %got, %expected : f32
  // CHECK-NEXT: {{^}}0{{$}}
  vector.print %difference : f32
  return
}

// 64-bit positions with 32-bit columns: all four combinations.
func.func @x07_mixed_index_types() {
  %rp32 = arith.constant dense<[0, 2, 2, 3]> : tensor<4xi32>
  %rp64 = arith.constant dense<[0, 2, 2, 3]> : tensor<4xi64>
  %ci32 = arith.constant dense<[0, 2, 1]> : tensor<3xi32>
  %ci64 = arith.constant dense<[0, 2, 1]> : tensor<3xi64>
  %w = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %x = arith.constant dense<[[1.0], [10.0], [100.0]]> : tensor<3x1xf32>
  %n = arith.constant 3 : index
  %p00 = autosage.pattern %rp32, %ci32, %n : tensor<4xi32>, tensor<3xi32> -> <3x3, i32, i32>
  %p01 = autosage.pattern %rp32, %ci64, %n : tensor<4xi32>, tensor<3xi64> -> <3x3, i32, i64>
  %p10 = autosage.pattern %rp64, %ci32, %n : tensor<4xi64>, tensor<3xi32> -> <3x3, i64, i32>
  %p11 = autosage.pattern %rp64, %ci64, %n : tensor<4xi64>, tensor<3xi64> -> <3x3, i64, i64>
  %y0 = tensor.empty() : tensor<3x1xf32>
  %y00 = autosage.spmm sum %p00[%w : tensor<3xf32>], %x outs(%y0)
      : !autosage.pattern<3x3, i32, i32>, tensor<3x1xf32> -> tensor<3x1xf32>
  %y01 = autosage.spmm sum %p01[%w : tensor<3xf32>], %x outs(%y0)
      : !autosage.pattern<3x3, i32, i64>, tensor<3x1xf32> -> tensor<3x1xf32>
  %y10 = autosage.spmm sum %p10[%w : tensor<3xf32>], %x outs(%y0)
      : !autosage.pattern<3x3, i64, i32>, tensor<3x1xf32> -> tensor<3x1xf32>
  %y11 = autosage.spmm sum %p11[%w : tensor<3xf32>], %x outs(%y0)
      : !autosage.pattern<3x3, i64, i64>, tensor<3x1xf32> -> tensor<3x1xf32>
  // CHECK-COUNT-4: {{^\[\[201\],[[:space:]]+\[0\],[[:space:]]+\[30\]\]}}
  %b00 = bufferization.to_buffer %y00 : tensor<3x1xf32> to memref<3x1xf32>
  %b01 = bufferization.to_buffer %y01 : tensor<3x1xf32> to memref<3x1xf32>
  %b10 = bufferization.to_buffer %y10 : tensor<3x1xf32> to memref<3x1xf32>
  %b11 = bufferization.to_buffer %y11 : tensor<3x1xf32> to memref<3x1xf32>
  %print00 = memref.cast %b00 : memref<3x1xf32> to memref<*xf32>
  %print01 = memref.cast %b01 : memref<3x1xf32> to memref<*xf32>
  %print10 = memref.cast %b10 : memref<3x1xf32> to memref<*xf32>
  %print11 = memref.cast %b11 : memref<3x1xf32> to memref<*xf32>
  call @printMemrefF32(%print00) : (memref<*xf32>) -> ()
  call @printMemrefF32(%print01) : (memref<*xf32>) -> ()
  call @printMemrefF32(%print10) : (memref<*xf32>) -> ()
  call @printMemrefF32(%print11) : (memref<*xf32>) -> ()
  return
}

// Rows exist, columns do not.
func.func @x09_no_columns() {
  %rp = memref.alloc() : memref<4xi32>
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%rp : memref<4xi32>)
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %ci = memref.alloc(%c0) : memref<?xi32>
  %x = memref.alloc(%c0, %c2) : memref<?x?xf32>
  %y = call @nan_output(%c3, %c2) : (index, index) -> memref<?x?xf32>
  autosage.spmm sum on(%rp, %ci, %c0 : memref<4xi32>, memref<?xi32>, index), %x
      outs(%y) : memref<?x?xf32>, memref<?x?xf32>
  // CHECK:      sizes = [3, 2]
  // CHECK-NEXT: {{^\[\[}}0, 0],
  // CHECK-NEXT: {{^}} [0, 0],
  // CHECK-NEXT: {{^}} [0, 0]]
  %print = memref.cast %y : memref<?x?xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  return
}

memref.global "private" constant @x17_colind : memref<2xi32> = dense<[1, 0]>
memref.global "private" constant @x17_values : memref<2xf32> = dense<[2.0, 5.0]>
memref.global "private" constant @x17_x : memref<2x3xf32> = dense<[[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]]>

// Many leading empty rows before the only one with entries. NaN in any of
// them would make the sum of squares NaN.
func.func @x17_leading_empty_rows() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %rows = arith.constant 100001 : index
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %positions = arith.addi %rows, %c1 : index
  %rp = memref.alloc(%positions) : memref<?xi32>
  linalg.fill ins(%zero : i32) outs(%rp : memref<?xi32>)
  memref.store %two, %rp[%rows] : memref<?xi32>
  %ci = memref.get_global @x17_colind : memref<2xi32>
  %w = memref.get_global @x17_values : memref<2xf32>
  %x = memref.get_global @x17_x : memref<2x3xf32>
  %y = call @nan_output(%rows, %c3) : (index, index) -> memref<?x?xf32>
  autosage.spmm sum on(%rp, %ci, %c2 : memref<?xi32>, memref<2xi32>, index)[%w : memref<2xf32>], %x
      outs(%y) : memref<2x3xf32>, memref<?x?xf32>
  %last = arith.subi %rows, %c1 : index
  %sub = memref.subview %y[%last, 0] [1, 3] [1, 1]
      : memref<?x?xf32> to memref<1x3xf32, strided<[?, 1], offset: ?>>
  // CHECK:      sizes = [1, 3]
  // CHECK-NEXT: {{^\[\[}}25, 50, 75]]
  %print = memref.cast %sub : memref<1x3xf32, strided<[?, 1], offset: ?>> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  %none = arith.constant 0.0 : f32
  %squares = scf.for %i = %c0 to %last step %c1 iter_args(%outer = %none) -> (f32) {
    %row = scf.for %f = %c0 to %c3 step %c1 iter_args(%sum = %outer) -> (f32) {
      %v = memref.load %y[%i, %f] : memref<?x?xf32>
      %square = arith.mulf %v, %v : f32
      %next = arith.addf %sum, %square : f32
      scf.yield %next : f32
    }
    scf.yield %row : f32
  }
  // CHECK-NEXT: {{^}}0{{$}}
  vector.print %squares : f32
  return
}

// Edge values of one head go to all heads.
func.func @a15_heads() {
  %rp = arith.constant dense<[0, 2]> : tensor<2xi32>
  %ci = arith.constant dense<[0, 1]> : tensor<2xi32>
  %x = arith.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]> : tensor<2x2x2xf32>
  %n = arith.constant 2 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<2xi32>, tensor<2xi32> -> <1x2, i32, i32>
  %y0 = tensor.empty() : tensor<1x2x2xf32>
  %w = arith.constant dense<[[1.0, 10.0], [2.0, 20.0]]> : tensor<2x2xf32>
  %y = autosage.spmm sum %p[%w : tensor<2x2xf32>], %x outs(%y0)
      : !autosage.pattern<1x2, i32, i32>, tensor<2x2x2xf32> -> tensor<1x2x2xf32>
  // CHECK:      sizes = [1, 2, 2]
  // CHECK-NEXT: {{^\[\[\[}}11, 14],
  // CHECK-NEXT: {{^}} [170, 200]]]
  %b = bufferization.to_buffer %y : tensor<1x2x2xf32> to memref<1x2x2xf32>
  %print = memref.cast %b : memref<1x2x2xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()

  %w1 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y1 = autosage.spmm sum %p[%w1 : tensor<2xf32>], %x outs(%y0)
      : !autosage.pattern<1x2, i32, i32>, tensor<2x2x2xf32> -> tensor<1x2x2xf32>
  %w21 = arith.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %dynamic = tensor.cast %w21 : tensor<2x1xf32> to tensor<?x?xf32>
  %y2 = autosage.spmm sum %p[%w21 : tensor<2x1xf32>], %x outs(%y0)
      : !autosage.pattern<1x2, i32, i32>, tensor<2x2x2xf32> -> tensor<1x2x2xf32>
  %y3 = autosage.spmm sum %p[%dynamic : tensor<?x?xf32>], %x outs(%y0)
      : !autosage.pattern<1x2, i32, i32>, tensor<2x2x2xf32> -> tensor<1x2x2xf32>
  // CHECK-COUNT-3: {{^\[\[\[11, +14\],[[:space:]]+\[17, +20\]\]\]}}
  %b1 = bufferization.to_buffer %y1 : tensor<1x2x2xf32> to memref<1x2x2xf32>
  %b2 = bufferization.to_buffer %y2 : tensor<1x2x2xf32> to memref<1x2x2xf32>
  %b3 = bufferization.to_buffer %y3 : tensor<1x2x2xf32> to memref<1x2x2xf32>
  %print1 = memref.cast %b1 : memref<1x2x2xf32> to memref<*xf32>
  %print2 = memref.cast %b2 : memref<1x2x2xf32> to memref<*xf32>
  %print3 = memref.cast %b3 : memref<1x2x2xf32> to memref<*xf32>
  call @printMemrefF32(%print1) : (memref<*xf32>) -> ()
  call @printMemrefF32(%print2) : (memref<*xf32>) -> ()
  call @printMemrefF32(%print3) : (memref<*xf32>) -> ()
  return
}

// Absent values mean exactly 1.
func.func @a21_no_values() {
  %rp = arith.constant dense<[0, 2, 3]> : tensor<3xi32>
  %ci = arith.constant dense<[0, 2, 1]> : tensor<3xi32>
  %x = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %n = arith.constant 3 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<3xi32>, tensor<3xi32> -> <2x3, i32, i32>
  %y0 = tensor.empty() : tensor<2x2xf32>
  %y = autosage.spmm sum %p, %x outs(%y0)
      : !autosage.pattern<2x3, i32, i32>, tensor<3x2xf32> -> tensor<2x2xf32>
  // CHECK:      sizes = [2, 2]
  // CHECK-NEXT: {{^\[\[}}6, 8],
  // CHECK-NEXT: {{^}} [3, 4]]
  %b = bufferization.to_buffer %y : tensor<2x2xf32> to memref<2x2xf32>
  %print = memref.cast %b : memref<2x2xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()

  // Its gradient: ones through the transposed product.
  %ones = arith.constant dense<1.0> : tensor<2x2xf32>
  %g0 = tensor.empty() : tensor<3x2xf32>
  %g = autosage.spmm sum %p, %ones outs(%g0) {transpose}
      : !autosage.pattern<2x3, i32, i32>, tensor<2x2xf32> -> tensor<3x2xf32>
  // CHECK:      sizes = [3, 2]
  // CHECK-NEXT: {{^\[\[}}1, 1],
  // CHECK-NEXT: {{^}} [1, 1],
  // CHECK-NEXT: {{^}} [1, 1]]
  %gb = bufferization.to_buffer %g : tensor<3x2xf32> to memref<3x2xf32>
  %gprint = memref.cast %gb : memref<3x2xf32> to memref<*xf32>
  call @printMemrefF32(%gprint) : (memref<*xf32>) -> ()
  return
}

func.func @main() {
  call @n01_empty_rows() : () -> ()
  call @n02_stored_zero() : () -> ()
  call @n11_duplicates() : () -> ()
  call @n12_unsorted() : () -> ()
  call @n17_hub_row() : () -> ()
  call @x07_mixed_index_types() : () -> ()
  call @x09_no_columns() : () -> ()
  call @x17_leading_empty_rows() : () -> ()
  call @a15_heads() : () -> ()
  call @a21_no_values() : () -> ()
  return
}
