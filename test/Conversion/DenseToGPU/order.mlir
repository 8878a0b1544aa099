// Neighbouring threads store side by side also where the loops are in another
// order than the dimensions of the output.
// RUN: autosage-opt %s --autosage-dense-to-gpu --canonicalize --cse | FileCheck %s

// CHECK:       gpu.func @generic(%[[X:[^:]*]]: {{.*}}, %[[Y:[^:]*]]: !llvm.ptr<1> {{.*}} kernel
// CHECK-DAG:     %[[INNER:.*]] = arith.constant 8 : i64
// CHECK:         scf.if
// CHECK:           %[[FAST:.*]] = arith.remui %[[POINT:.*]], %[[INNER]]
// CHECK:           %[[SLOW:.*]] = arith.divui %[[POINT]], %[[INNER]]
// CHECK:           %[[ROW:.*]] = arith.muli %[[SLOW]], %[[INNER]]
// CHECK:           %[[OUT:.*]] = arith.addi %[[ROW]], %[[FAST]]
// CHECK:           llvm.getelementptr inbounds %[[Y]][%[[OUT]]]
func.func @transpose(%x: memref<8x4xf32>, %y: memref<4x8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<8x4xf32>) outs(%y : memref<4x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}
