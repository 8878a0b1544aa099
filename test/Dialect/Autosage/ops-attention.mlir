// Every form of autosage.attention, in text, in generic form and in bytecode.
//
// RUN: autosage-opt %s --verify-roundtrip | FileCheck %s
// RUN: autosage-opt %s | autosage-opt | FileCheck %s
// RUN: autosage-opt %s | not grep -E '[^ ]  '
// RUN: autosage-opt %s --mlir-print-op-generic | autosage-opt | FileCheck %s
// RUN: autosage-opt %s --emit-bytecode | autosage-opt | FileCheck %s

!p = !autosage.pattern<?x?, i32, i32>

// CHECK-LABEL: func.func @dot
func.func @dot(%p: !p, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x16xf32>, %o0: tensor<?x16xf32>) -> tensor<?x16xf32> {
  // CHECK: autosage.attention dot %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} outs(%{{.*}}) {scale = 3.535000e-01 : f32} : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x16xf32> -> tensor<?x16xf32>
  %0 = autosage.attention dot %p, %q, %k, %v outs(%o0) {scale = 0.3535 : f32}
      : !p, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x16xf32> -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}

// Bias and log-sum-exp.
// CHECK-LABEL: func.func @gat
func.func @gat(%p: !p, %b: tensor<?x1xf64>, %q: tensor<?x2xf64>, %k: tensor<?x2xf64>, %v: tensor<?x2x16xf64>,
               %o0: tensor<?x2x16xf64>, %l0: tensor<?x2xf64>) -> (tensor<?x2x16xf64>, tensor<?x2xf64>) {
  // CHECK: %{{.*}}:2 = autosage.attention gat %{{.*}}[%{{.*}} : tensor<?x1xf64>], %{{.*}}, %{{.*}}, %{{.*}} outs(%{{.*}}, %{{.*}}) stats<rows = 4> schedule<row_parallel, vec = 4> decision<cache> {negative_slope = 1.000000e-01 : f64} : !autosage.pattern<?x?, i32, i32>, tensor<?x2xf64>, tensor<?x2xf64>, tensor<?x2x16xf64> -> tensor<?x2x16xf64>, tensor<?x2xf64>
  %0:2 = autosage.attention gat %p[%b : tensor<?x1xf64>], %q, %k, %v outs(%o0, %l0) stats<rows = 4> schedule<row_parallel, vec = 4>
      decision<cache> {negative_slope = 0.1 : f64}
      : !p, tensor<?x2xf64>, tensor<?x2xf64>, tensor<?x2x16xf64> -> tensor<?x2x16xf64>, tensor<?x2xf64>
  return %0#0, %0#1 : tensor<?x2x16xf64>, tensor<?x2xf64>
}

// Without heads the score vector has one line.
// CHECK-LABEL: func.func @gatv2
func.func @gatv2(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %tasks: tensor<?x4xi32>, %n: index, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x16xf32>,
                 %a: tensor<1x8xf32>, %o0: tensor<?x16xf32>) -> tensor<?x16xf32> {
  // CHECK: autosage.attention gatv2 on(%{{.*}} : tensor<?xi32>, tensor<?xi32>, tensor<?x4xi32>, index), %{{.*}}, %{{.*}}, %{{.*}} vec(%{{.*}} : tensor<1x8xf32>) outs(%{{.*}}) layout<tasks<128, stored>> : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x16xf32> -> tensor<?x16xf32>
  %0 = autosage.attention gatv2 on(%rp, %ci, %tasks, %n : tensor<?xi32>, tensor<?xi32>, tensor<?x4xi32>, index), %q, %k, %v vec(%a : tensor<1x8xf32>)
      outs(%o0) layout<tasks<128, stored>> : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x16xf32> -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}

// Log-sum-exp is a second output; it is f32 where the inputs are narrow.
// CHECK-LABEL: func.func @buffers
func.func @buffers(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %q: memref<?x2x8xf16>, %k: memref<?x2x8xf16>, %v: memref<?x2x4xf16>,
                   %a: memref<2x8xf16>, %o: memref<?x2x4xf16>, %l: memref<?x2xf32>) {
  // CHECK: autosage.attention gatv2 on(%{{.*}} : memref<?xi32>, memref<?xi32>, index), %{{.*}}, %{{.*}}, %{{.*}} vec(%{{.*}} : memref<2x8xf16>) outs(%{{.*}}, %{{.*}}) : memref<?x2x8xf16>, memref<?x2x8xf16>, memref<?x2x4xf16>, memref<?x2x4xf16>, memref<?x2xf32>
  autosage.attention gatv2 on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %k, %v vec(%a : memref<2x8xf16>) outs(%o, %l)
      : memref<?x2x8xf16>, memref<?x2x8xf16>, memref<?x2x4xf16>, memref<?x2x4xf16>, memref<?x2xf32>
  return
}
