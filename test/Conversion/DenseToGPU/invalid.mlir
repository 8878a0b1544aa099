// RUN: autosage-opt %s --autosage-dense-to-gpu -split-input-file -verify-diagnostics
// RUN: not autosage-opt %s --autosage-dense-to-gpu=chip=sm_1 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not autosage-opt %s --autosage-dense-to-gpu=max-grid-x=0 2>&1 | FileCheck %s --check-prefix=GRID

// CHIP: error: unknown chip 'sm_1'
// GRID: error: expects max-grid-x to be at least 1, got 0

func.func @tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-error@+1 {{'linalg.fill' op expects buffers, got 'tensor<4xf32>'; bufferization comes first}}
  %0 = linalg.fill ins(%zero : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @elements(%x: memref<4xcomplex<f32>>, %y: memref<4xcomplex<f32>>) {
  // expected-error@+1 {{'linalg.copy' op expects buffers of numbers with strides, got 'memref<4xcomplex<f32>>'}}
  linalg.copy ins(%x : memref<4xcomplex<f32>>) outs(%y : memref<4xcomplex<f32>>)
  return
}

// -----

func.func private @f(f32) -> f32
func.func @call(%x: memref<4xf32>, %y: memref<4xf32>) {
  linalg.map ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) (%a: f32, %unused: f32) {
    // expected-error@+1 {{'func.call' op expects arithmetic in the body of a dense op}}
    %b = func.call @f(%a) : (f32) -> f32
    linalg.yield %b : f32
  }
  return
}

// -----

func.func @print(%x: memref<4xf32>, %y: memref<4xf32>) {
  linalg.map ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) (%a: f32, %unused: f32) {
    %zero = arith.constant 0.0 : f32
    %negative = arith.cmpf olt, %a, %zero : f32
    scf.if %negative {
      // expected-error@+1 {{'vector.print' op expects arithmetic in the body of a dense op}}
      vector.print %a : f32
    }
    linalg.yield %a : f32
  }
  return
}
