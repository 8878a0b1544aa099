// Every attribute in all its forms, in text and in bytecode. Entries print in
// the order of their keys.
//
// RUN: autosage-opt %s --verify-roundtrip | FileCheck %s
// RUN: autosage-opt %s --emit-bytecode | autosage-opt | FileCheck %s

// CHECK-LABEL: module @layouts
// CHECK-SAME: test.a = #autosage.layout<csr>
// CHECK-SAME: test.b = #autosage.layout<tasks<512, length>>
module @layouts attributes {test.a = #autosage.layout<csr>, test.b = #autosage.layout<tasks<512, length>>} {}

// CHECK-LABEL: module @no_stats
// CHECK-SAME: test.a = #autosage.stats<>
module @no_stats attributes {test.a = #autosage.stats<>} {}

// CHECK-LABEL: module @all_stats
// CHECK-SAME: #autosage.stats<cols = 4, cv = 5.000000e-01, empty_rows = 0, fingerprint = "00112233445566778899aabbccddeeff",
// CHECK-SAME: hub_fraction = 0.000000e+00, locality = 1.000000e+00, max = 3, mean = 2.250000e+00, nnz = 9, p50 = 2, p90 = 3, p99 = 3, p999 = 3, rows = 4>
module @all_stats attributes {test.a = #autosage.stats<rows = 4, cols = 4, nnz = 9, max = 3, p50 = 2, p90 = 3, p99 = 3, p999 = 3,
    empty_rows = 0, mean = 2.25, cv = 0.5, hub_fraction = 0.0, locality = 1.0 : f64, fingerprint = "00112233445566778899aabbccddeeff">} {}

// The largest count, and a double that needs 17 digits.
// CHECK-LABEL: module @extremes
// CHECK-SAME: #autosage.stats<mean = 0.30000000000000004, nnz = 9223372036854775807>
module @extremes attributes {test.a = #autosage.stats<nnz = 9223372036854775807, mean = 0.30000000000000004>} {}

// CHECK-LABEL: module @schedules
// CHECK-SAME: test.a = #autosage.schedule<row_parallel>
// CHECK-SAME: test.b = #autosage.schedule<row_parallel, grain = 1, tile = 64, vec = 16>
// CHECK-SAME: test.c = #autosage.schedule<row_tasks, chunk = 512, order = locality, unroll = 2>
module @schedules attributes {test.a = #autosage.schedule<row_parallel>, test.b = #autosage.schedule<row_parallel, vec = 16, tile = 64, grain = 1>,
    test.c = #autosage.schedule<row_tasks, order = "locality", unroll = 2, chunk = 512>} {}

// CHECK-LABEL: module @decisions
// CHECK-SAME: test.a = #autosage.decision<user>
// CHECK-SAME: test.b = #autosage.decision<cache, file = "a b.db">
// CHECK-SAME: test.c = #autosage.decision<class, seen = 3>
// CHECK-SAME: test.d = #autosage.decision<probe, "best of" = 4, ms = 2.500000e-01>
// CHECK-SAME: test.e = #autosage.decision<estimate, rule = cpu_row_parallel>
// CHECK-SAME: test.f = #autosage.decision<fallback, delta = -1>
module @decisions attributes {test.a = #autosage.decision<user>, test.b = #autosage.decision<cache, file = "a b.db">,
    test.c = #autosage.decision<class, seen = 3>, test.d = #autosage.decision<probe, ms = 0.25, "best of" = 4>,
    test.e = #autosage.decision<estimate, rule = "cpu_row_parallel">, test.f = #autosage.decision<fallback, delta = -1>} {}

// Strings with quotes, newlines and no letters, and words that look like
// numbers stay strings.
// CHECK-LABEL: module @strings
// CHECK-SAME: #autosage.decision<user, a = "say \22no\22\0A", b = "", c = "12", d = true, e = "1.5", f = i1>
module @strings attributes {test.a = #autosage.decision<user, a = "say \22no\22\0A", b = "", c = "12", d = "true", e = "1.5", f = "i1">} {}

// Numbers that upstream prints by their bits stay numbers.
// CHECK-LABEL: module @bits
// CHECK-SAME: test.a = #autosage.stats<mean = 0x4170000010000000 : f64>
// CHECK-SAME: test.b = #autosage.decision<probe, ms = 0xC170000010000000 : f64>
module @bits attributes {test.a = #autosage.stats<mean = 16777217.0>, test.b = #autosage.decision<probe, ms = -16777217.0>} {}

// CHECK-LABEL: module @keywords
// CHECK-SAME: test.a = #autosage<reduction max>
// CHECK-SAME: test.b = #autosage<combine add>
// CHECK-SAME: test.c = #autosage<score gatv2>
// CHECK-SAME: test.d = #autosage<task_order locality>
// CHECK-SAME: test.e = #autosage<dim_kind nnz>
module @keywords attributes {test.a = #autosage<reduction max>, test.b = #autosage<combine add>, test.c = #autosage<score gatv2>,
    test.d = #autosage<task_order locality>, test.e = #autosage<dim_kind nnz>} {}
