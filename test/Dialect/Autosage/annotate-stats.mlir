// RUN: autosage-opt %s --autosage-annotate-stats > %t.once
// RUN: FileCheck %s < %t.once
// RUN: autosage-opt %t.once --autosage-annotate-stats | diff %t.once -

// All of a constant pattern is known, in any index type.
// CHECK-LABEL: func.func @constants
// CHECK: autosage.pattern {{.*}} stats<cols = 4, cv = 0.66332495807107994, empty_rows = 1, fingerprint = "[[F:[0-9a-f]+]]", hub_fraction = 0.000000e+00, locality = 1.250000e+00, max = 2, mean = 1.250000e+00, nnz = 5, p50 = 1, p90 = 2, p99 = 2, p999 = 2, rows = 4>
// CHECK: autosage.pattern {{.*}} stats<{{.*}}fingerprint = "[[F]]"
func.func @constants() -> (!autosage.pattern<4x4, i32, i32>, !autosage.pattern<4x4, i64, index>) {
  %rp = arith.constant dense<[0, 2, 2, 3, 5]> : tensor<5xi32>
  %ci = arith.constant dense<[0, 3, 1, 0, 2]> : tensor<5xi32>
  %rp64 = arith.constant dense<[0, 2, 2, 3, 5]> : tensor<5xi64>
  %ci64 = arith.constant dense<[0, 3, 1, 0, 2]> : tensor<5xindex>
  %n = arith.constant 4 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<5xi32>, tensor<5xi32> -> <4x4, i32, i32>
  %q = autosage.pattern %rp64, %ci64, %n : tensor<5xi64>, tensor<5xindex> -> <4x4, i64, index>
  return %p, %q : !autosage.pattern<4x4, i32, i32>, !autosage.pattern<4x4, i64, index>
}

// Positions alone tell the lengths of rows, and nothing of columns.
// CHECK-LABEL: func.func @positions
// CHECK: stats<cv = {{[^,]+}}, empty_rows = 1, hub_fraction = 0.000000e+00, max = 2, mean = 1.250000e+00, nnz = 5, p50 = 1, p90 = 2, p99 = 2, p999 = 2, rows = 4>
func.func @positions(%ci: tensor<?xi32>, %n: index) -> !autosage.pattern<4x?, i32, i32> {
  %rp = arith.constant dense<[0, 2, 2, 3, 5]> : tensor<5xi32>
  %p = autosage.pattern %rp, %ci, %n : tensor<5xi32>, tensor<?xi32> -> <4x?, i32, i32>
  return %p : !autosage.pattern<4x?, i32, i32>
}

// What is written stays, entry by entry.
// CHECK-LABEL: func.func @written
// CHECK: stats<{{.*}}locality = 7.000000e+00,
func.func @written() -> !autosage.pattern<2x2, i32, i32> {
  %rp = arith.constant dense<[0, 1, 2]> : tensor<3xi32>
  %ci = arith.constant dense<[0, 1]> : tensor<2xi32>
  %n = arith.constant 2 : index
  %p = autosage.pattern %rp, %ci, %n stats<locality = 7.0> : tensor<3xi32>, tensor<2xi32> -> <2x2, i32, i32>
  return %p : !autosage.pattern<2x2, i32, i32>
}

// Zero rows have statistics, too.
// CHECK-LABEL: func.func @nothing
// CHECK: stats<{{.*}}mean = 0.000000e+00, nnz = 0, {{.*}}rows = 0>
func.func @nothing() -> !autosage.pattern<0x0, i32, i32> {
  %rp = arith.constant dense<0> : tensor<1xi32>
  %ci = arith.constant dense<> : tensor<0xi32>
  %n = arith.constant 0 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<1xi32>, tensor<0xi32> -> <0x0, i32, i32>
  return %p : !autosage.pattern<0x0, i32, i32>
}

// An argument's attribute is carried on by an op; one that nothing uses is left,
// as is one of a declaration.
// CHECK-LABEL: func.func @argument
// CHECK-SAME: %[[P:.*]]: !autosage.pattern<?x?, i32, i32> {autosage.stats = #autosage.stats<nnz = 9, rows = 4>}
// CHECK-NEXT: %[[Q:.*]] = autosage.assume_stats %[[P]] stats<nnz = 9, rows = 4>
// CHECK-NEXT: autosage.dim rows %[[Q]]
// CHECK-NEXT: return
func.func @argument(%p: !autosage.pattern<?x?, i32, i32> {autosage.stats = #autosage.stats<nnz = 9, rows = 4>}, %unused: !autosage.pattern<?x?, i32, i32> {autosage.stats = #autosage.stats<nnz = 9>}) -> index {
  %n = autosage.dim rows %p : !autosage.pattern<?x?, i32, i32>
  return %n : index
}
// CHECK: func.func private @declared
func.func private @declared(!autosage.pattern<?x?, i32, i32> {autosage.stats = #autosage.stats<nnz = 9>})
