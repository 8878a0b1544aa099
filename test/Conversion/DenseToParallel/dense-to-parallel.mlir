// RUN: autosage-opt %s --autosage-dense-to-parallel --canonicalize | FileCheck %s

// Rows of 1000 elements, an addition and a store each: 65536 / 2000 of them at a time.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME:    %[[X:[^:]*]]: memref<?x1000xf32>
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[GRAIN:.*]] = arith.constant 32 : index
// CHECK-DAG:     %[[N:.*]] = memref.dim %[[X]], %[[ZERO]]
// CHECK:         scf.parallel (%[[I:.*]]) = (%[[ZERO]]) to (%[[N]]) step (%[[GRAIN]]) {
// CHECK:           %[[NEXT:.*]] = arith.addi %[[I]], %[[GRAIN]]
// CHECK:           %[[LAST:.*]] = arith.minsi %[[NEXT]], %[[N]]
// CHECK:           scf.for %[[ROW:.*]] = %[[I]] to %[[LAST]]
// CHECK:             scf.for %[[COLUMN:.*]] =
// CHECK:               memref.load %[[X]][%[[ROW]], %[[COLUMN]]]
// CHECK-NOT:     linalg
func.func @rows(%x: memref<?x1000xf32>, %y: memref<?x1000xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x1000xf32>) outs(%y : memref<?x1000xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %a : f32
    linalg.yield %c : f32
  }
  return
}

// The work of a row that is not known.
// CHECK-LABEL: func.func @dynamic(
// CHECK:         %[[UNITS:.*]] = arith.minsi
// CHECK:         arith.divsi %{{.*}}, %{{.*}}
// CHECK:         scf.parallel
func.func @dynamic(%x: memref<?x?xf32>, %zero: f32) {
  linalg.fill ins(%zero : f32) outs(%x : memref<?x?xf32>)
  return
}

// One sum for all rows: its additions stay in one thread.
// CHECK-LABEL: func.func @reduction(
// CHECK:         linalg.generic
// CHECK-NOT:     scf.parallel
func.func @reduction(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(k, j) -> (k, j)>, affine_map<(k, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<?x?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %s, %a : f32
    linalg.yield %t : f32
  }
  return
}

// Known to be small.
// CHECK-LABEL: func.func @small(
// CHECK:         linalg.fill
func.func @small(%x: memref<100x100xf32>, %zero: f32) {
  linalg.fill ins(%zero : f32) outs(%x : memref<100x100xf32>)
  return
}
