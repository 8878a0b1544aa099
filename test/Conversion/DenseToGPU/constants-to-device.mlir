// A constant of one value is filled in, any other gets a copy of its own; what
// is no ranked tensor stays.
// RUN: autosage-opt %s --autosage-constants-to-device | FileCheck %s

// CHECK-LABEL: func @constants
// CHECK:         %[[HOST:.*]] = arith.constant dense<[1, 2]> : tensor<2xi32>
// CHECK:         %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[HOST]]) : tensor<2xi32>
// CHECK-NOT:     dense
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<64x2xf32>
// CHECK:         %[[FILLED:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[EMPTY]] : tensor<64x2xf32>)
// CHECK:         arith.constant dense<7> : vector<4xi32>
// CHECK:         return %[[COPY]], %[[FILLED]]
func.func @constants() -> (tensor<2xi32>, tensor<64x2xf32>, vector<4xi32>) {
  %numbers = arith.constant dense<[1, 2]> : tensor<2xi32>
  %zeros = arith.constant dense<0.0> : tensor<64x2xf32>
  %vector = arith.constant dense<7> : vector<4xi32>
  return %numbers, %zeros, %vector : tensor<2xi32>, tensor<64x2xf32>, vector<4xi32>
}
