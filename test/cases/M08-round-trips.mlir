// M08: text and bytecode hold every bit of an attribute, and locations and aliases
// survive.
//
// RUN: autosage-opt %s --verify-roundtrip
// RUN: autosage-opt %s -mlir-print-debuginfo > %t.text
// RUN: autosage-opt %t.text -mlir-print-debuginfo | diff - %t.text
// RUN: autosage-opt %s --emit-bytecode -o %t.mlirbc
// RUN: autosage-opt %t.mlirbc -mlir-print-debuginfo | diff - %t.text
// RUN: autosage-opt %t.text --emit-bytecode | autosage-opt -mlir-print-debuginfo | diff - %t.text
// RUN: autosage-opt %t.mlirbc --emit-bytecode -o %t.again && diff %t.mlirbc %t.again
// RUN: autosage-opt %t.mlirbc -mlir-print-debuginfo --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: FileCheck %s < %t.text

#stats = #autosage.stats<rows = 3, mean = 0.1, fingerprint = "00112233445566778899aabbccddeeff">
#schedule = #autosage.schedule<row_parallel, vec = 8, tile = 8>
#decision = #autosage.decision<probe, ms = 0.1, spread = 0x3FB999999999999B : f64, note = "two words">
#where = loc("graph.py":12:3)
!p = !autosage.pattern<3x?, i64, i32>

// CHECK-LABEL: func.func @M08
func.func @M08(%rp: tensor<4xi64>, %ci: tensor<?xi32>, %n: index, %w: tensor<?xf64>, %x: tensor<?x?xf64>, %y0: tensor<3x?xf64>,
               %q: tensor<3x?xf64>, %s0: tensor<?xf64>) -> (tensor<3x?xf64>, tensor<?xf64>) {
  // CHECK: autosage.pattern {{.*}} stats<fingerprint = "00112233445566778899aabbccddeeff", mean = 1.000000e-01, rows = 3>
  %p = "autosage.pattern"(%rp, %ci, %n) <{stats = #stats}> : (tensor<4xi64>, tensor<?xi32>, index) -> !p
  // CHECK: autosage.spmm sum {{.*}} schedule<row_parallel, tile = 8, vec = 8>
  // CHECK-SAME: decision<probe, ms = 1.000000e-01, note = "two words", spread = 0.10000000000000002>
  // CHECK-SAME: loc(#[[WHERE:.*]])
  %y = "autosage.spmm"(%p, %w, %x, %y0) <{operandSegmentSizes = array<i32: 1, 0, 1, 1, 1>, reduction = #autosage<reduction sum>,
      schedule = #schedule, decision = #decision}> : (!p, tensor<?xf64>, tensor<?x?xf64>, tensor<3x?xf64>) -> tensor<3x?xf64> loc(#where)
  // The double nearest to 0.1 and its neighbours are three different scales.
  // CHECK: scale = 1.000000e-01 : f64
  // GENERIC: scale = 1.000000e-01 : f64
  %0 = autosage.sddmm dot %p, %q, %x outs(%s0) {scale = 0.1 : f64} : !p, tensor<3x?xf64>, tensor<?x?xf64> -> tensor<?xf64>
  // CHECK: scale = 0.10000000000000002 : f64
  // GENERIC: scale = 0.10000000000000002 : f64
  %1 = autosage.sddmm dot %p[%0 : tensor<?xf64>], %q, %x outs(%s0) {scale = 0x3FB999999999999B : f64} : !p, tensor<3x?xf64>, tensor<?x?xf64> -> tensor<?xf64>
  // CHECK: scale = 0.099999999999999992 : f64
  // GENERIC: scale = 0.099999999999999992 : f64
  %2 = autosage.sddmm dot %p[%1 : tensor<?xf64>], %q, %x outs(%s0) {scale = 0x3FB9999999999999 : f64} : !p, tensor<3x?xf64>, tensor<?x?xf64> -> tensor<?xf64>
  return %y, %2 : tensor<3x?xf64>, tensor<?xf64>
}
// CHECK: #[[WHERE]] = loc("graph.py":12:3)
