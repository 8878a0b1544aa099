// The sum of a product stays in a register over the loop, between one load and
// one store.
// RUN: autosage-opt %s --autosage-dense-to-gpu --canonicalize --cse | FileCheck %s

// CHECK:       gpu.func @matmul
// CHECK:         scf.if
// CHECK:           %[[AT:.*]] = llvm.getelementptr
// CHECK-NEXT:      %[[INIT:.*]] = llvm.load %[[AT]]
// CHECK-NEXT:      %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %[[INIT]]) -> (f32)
// CHECK-NOT:         llvm.store
// CHECK:             %[[NEXT:.*]] = arith.addf %[[CARRIED]], %{{.*}} : f32
// CHECK-NEXT:        scf.yield %[[NEXT]] : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      llvm.store %[[SUM]], %[[AT]]
func.func @product(%x: memref<?x32xf32>, %w: memref<32x16xf32>, %y: memref<?x16xf32>) {
  linalg.matmul ins(%x, %w : memref<?x32xf32>, memref<32x16xf32>) outs(%y : memref<?x16xf32>)
  return
}
