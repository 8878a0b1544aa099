// A grid that is larger than the device's is launched in pieces, each told its
// first block.
// RUN: autosage-opt %s --autosage-dense-to-gpu=max-grid-x=7 --canonicalize --cse | FileCheck %s

// CHECK:     %[[STEP:.*]] = arith.constant 7 : i64
// CHECK:     scf.for %[[FIRST:.*]] = %{{.*}} to %{{.*}} step %[[STEP]]
// CHECK:       arith.minsi %{{.*}}, %[[STEP]] : i64
// CHECK:       gpu.launch_func {{.*}}, %[[FIRST]] : i64)
// CHECK:     gpu.func @fill({{.*}}, %[[START:[^:]*]]: i64)
// CHECK:       %[[BLOCK:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK:       arith.addi %[[BLOCK]], %[[START]]
func.func @fill(%x: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%x : memref<?xf32>)
  return
}
