// Copies with gaps on either side become linalg, those of one range stay, those
// of nothing go.
// RUN: autosage-opt %s --autosage-expand-copy | FileCheck %s

// CHECK-LABEL: func @target
// CHECK-NOT:     memref.copy
// CHECK:         linalg.generic {indexing_maps = [#[[ID:.*]], #[[ID]]], iterator_types = ["parallel", "parallel"]}
// CHECK-SAME:      ins(%{{.*}} : memref<?x4xf32>) outs(%{{.*}} : memref<?x4xf32, strided<[7, 1], offset: 3>>)
func.func @target(%x: memref<?x4xf32>, %y: memref<?x4xf32, strided<[7, 1], offset: 3>>) {
  memref.copy %x, %y : memref<?x4xf32> to memref<?x4xf32, strided<[7, 1], offset: 3>>
  return
}

// CHECK-LABEL: func @source
// CHECK:         linalg.generic
func.func @source(%x: memref<4xf32, strided<[2]>>, %y: memref<4xf32>) {
  memref.copy %x, %y : memref<4xf32, strided<[2]>> to memref<4xf32>
  return
}

// CHECK-LABEL: func @contiguous
// CHECK-COUNT-2: memref.copy
// CHECK-NOT:     linalg.generic
func.func @contiguous(%x: memref<?x4xf32>, %y: memref<?x4xf32>, %v: memref<2x4xf32, strided<[4, 1], offset: ?>>,
                      %w: memref<2x4xf32>) {
  memref.copy %x, %y : memref<?x4xf32> to memref<?x4xf32>
  memref.copy %v, %w : memref<2x4xf32, strided<[4, 1], offset: ?>> to memref<2x4xf32>
  return
}

// CHECK-LABEL: func @nothing
// CHECK-NOT:     memref.copy
// CHECK-NOT:     linalg.generic
func.func @nothing(%x: memref<0x4xf32, strided<[7, 1]>>, %y: memref<0x4xf32>) {
  memref.copy %x, %y : memref<0x4xf32, strided<[7, 1]>> to memref<0x4xf32>
  return
}
