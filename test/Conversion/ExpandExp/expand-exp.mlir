// RUN: autosage-opt %s --autosage-expand-exp --split-input-file | FileCheck %s

// Arguments outside of the range of results are clamped by comparisons that NaN
// fails; 2^n is two factors.
// CHECK-LABEL: func @vector
// CHECK-SAME:    %[[X:.*]]: vector<16xf32>
func.func @vector(%x: vector<16xf32>) -> vector<16xf32> {
  // CHECK-NOT:   math.exp
  // CHECK:       %[[LOW:.*]] = arith.constant dense<-1.040000e+02> : vector<16xf32>
  // CHECK:       %[[BELOW:.*]] = arith.cmpf olt, %[[X]], %[[LOW]]
  // CHECK:       %[[A:.*]] = arith.select %[[BELOW]], %[[LOW]], %[[X]]
  // CHECK:       %[[ABOVE:.*]] = arith.cmpf ogt, %[[A]]
  // CHECK:       arith.select %[[ABOVE]]
  // CHECK:       arith.mulf {{.*}} fastmath<contract> : vector<16xf32>
  // CHECK-NEXT:  %[[SHIFTED:.*]] = arith.addf {{.*}} fastmath<contract> : vector<16xf32>
  // CHECK:       arith.bitcast %[[SHIFTED]] : vector<16xf32> to vector<16xi32>
  // CHECK:       %[[LOWER:.*]] = arith.shrui
  // CHECK:       %[[UPPER:.*]] = arith.subi %{{.*}}, %[[LOWER]]
  // CHECK:       arith.shli %[[LOWER]]
  // CHECK:       arith.mulf
  // CHECK:       arith.shli %[[UPPER]]
  // CHECK:       %[[Y:.*]] = arith.mulf
  // CHECK-NEXT:  return %[[Y]]
  %y = math.exp %x : vector<16xf32>
  return %y : vector<16xf32>
}

// CHECK-LABEL: func @scalars
func.func @scalars(%x: f32, %z: f64) -> (f32, f64) {
  // CHECK-NOT:   math.exp
  // CHECK:       arith.bitcast {{.*}} : f32 to i32
  // CHECK:       arith.bitcast {{.*}} : f64 to i64
  // CHECK-NOT:   math.exp
  // CHECK:       return
  %y = math.exp %x : f32
  %w = math.exp %z : f64
  return %y, %w : f32, f64
}

// Other types are left to the passes behind.
// CHECK-LABEL: func @others
func.func @others(%h: f16, %t: tensor<4xf32>) -> (f16, tensor<4xf32>) {
  // CHECK:       math.exp {{.*}} : f16
  // CHECK:       math.exp {{.*}} : tensor<4xf32>
  %y = math.exp %h : f16
  %u = math.exp %t : tensor<4xf32>
  return %y, %u : f16, tensor<4xf32>
}
