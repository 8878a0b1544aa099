// Every form of autosage.sddmm, in text, in generic form and in bytecode.
//
// RUN: autosage-opt %s --verify-roundtrip | FileCheck %s
// RUN: autosage-opt %s | autosage-opt | FileCheck %s
// RUN: autosage-opt %s | not grep -E '[^ ]  '
// RUN: autosage-opt %s --mlir-print-op-generic | autosage-opt | FileCheck %s
// RUN: autosage-opt %s --emit-bytecode | autosage-opt | FileCheck %s

!p = !autosage.pattern<?x?, i32, i64>

// CHECK-LABEL: func.func @dot
func.func @dot(%p: !p, %w: tensor<?xf32>, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %s0: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK: autosage.sddmm dot %{{.*}}[%{{.*}} : tensor<?xf32>], %{{.*}}, %{{.*}} outs(%{{.*}}) {scale = 1.250000e-01 : f32} : !autosage.pattern<?x?, i32, i64>, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?xf32>
  %0 = autosage.sddmm dot %p[%w : tensor<?xf32>], %q, %k outs(%s0) {scale = 0.125 : f32}
      : !p, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @dot_heads
func.func @dot_heads(%p: !p, %w: tensor<?x1xf32>, %q: tensor<?x2x8xf32>, %k: tensor<?x2x8xf32>, %s0: tensor<?x2xf32>) -> tensor<?x2xf32> {
  // CHECK: autosage.sddmm dot %{{.*}}[%{{.*}} : tensor<?x1xf32>], %{{.*}}, %{{.*}} outs(%{{.*}}) stats<nnz = 9> schedule<row_parallel> decision<fallback> {scale = 1.000000e-01 : f64}
  %0 = autosage.sddmm dot %p[%w : tensor<?x1xf32>], %q, %k outs(%s0) stats<nnz = 9> schedule<row_parallel>
      decision<fallback> {scale = 0.1 : f64} : !p, tensor<?x2x8xf32>, tensor<?x2x8xf32> -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// CHECK-LABEL: func.func @add
func.func @add(%p: !p, %q: tensor<?x4xbf16>, %k: tensor<?x4xbf16>, %s0: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // CHECK: autosage.sddmm add %{{.*}}, %{{.*}}, %{{.*}} outs(%{{.*}}) : !autosage.pattern<?x?, i32, i64>, tensor<?x4xbf16>, tensor<?x4xbf16> -> tensor<?x4xf32>
  %0 = autosage.sddmm add %p, %q, %k outs(%s0) : !p, tensor<?x4xbf16>, tensor<?x4xbf16> -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @arrays
func.func @arrays(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %tasks: tensor<?x4xi32>, %n: index, %q: tensor<?x8xf64>, %k: tensor<?x8xf64>,
                  %s0: tensor<?xf64>) -> tensor<?xf64> {
  // CHECK: autosage.sddmm dot on(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<?xi32>, tensor<?xi32>, tensor<?x4xi32>, index), %{{.*}}, %{{.*}} outs(%{{.*}}) layout<tasks<32, length>> : tensor<?x8xf64>, tensor<?x8xf64> -> tensor<?xf64>
  %0 = autosage.sddmm dot on(%rp, %ci, %tasks, %n : tensor<?xi32>, tensor<?xi32>, tensor<?x4xi32>, index), %q, %k outs(%s0)
      layout<tasks<32, length>> : tensor<?x8xf64>, tensor<?x8xf64> -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

// CHECK-LABEL: func.func @buffers
func.func @buffers(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %w: memref<?x3xf32>, %q: memref<?x3xf32>, %k: memref<?x3xf32>, %s: memref<?x3xf32>) {
  // CHECK: autosage.sddmm add on(%{{.*}}, %{{.*}}, %{{.*}} : memref<?xi32>, memref<?xi32>, index)[%{{.*}} : memref<?x3xf32>], %{{.*}}, %{{.*}} outs(%{{.*}}) : memref<?x3xf32>, memref<?x3xf32>, memref<?x3xf32>
  autosage.sddmm add on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%w : memref<?x3xf32>], %q, %k outs(%s)
      : memref<?x3xf32>, memref<?x3xf32>, memref<?x3xf32>
  return
}
