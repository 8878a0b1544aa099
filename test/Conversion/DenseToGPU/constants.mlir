// Ops that differ in a constant alone, of the body or an operand, have kernels
// of their own.
// RUN: autosage-opt %s --autosage-dense-to-gpu --canonicalize --cse | FileCheck %s

#id = affine_map<(i) -> (i)>

// CHECK: gpu.func @fill
// CHECK: arith.constant 1.000000e+00 : f32
// CHECK: gpu.func @fill_1
// CHECK: arith.constant 2.000000e+00 : f32
// CHECK: gpu.func @generic
// CHECK: arith.constant 3.000000e+00 : f32
// CHECK: gpu.func @generic_1
// CHECK: arith.constant 4.000000e+00 : f32
func.func @constants(%x: memref<?xf32>) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %four = arith.constant 4.0 : f32
  linalg.fill ins(%one : f32) outs(%x : memref<?xf32>)
  linalg.fill ins(%two : f32) outs(%x : memref<?xf32>)
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : memref<?xf32>) {
  ^bb0(%a: f32):
    %b = arith.mulf %a, %three : f32
    linalg.yield %b : f32
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : memref<?xf32>) {
  ^bb0(%a: f32):
    %b = arith.mulf %a, %four : f32
    linalg.yield %b : f32
  }
  return
}
