// Every message about an attribute that is written by hand. What the attribute
// says of an op is in the files invalid-<op>.mlir.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{unknown layout 'coo', expects csr or tasks<chunk, order>}}
module attributes {test.layout_unknown = #autosage.layout<coo>} {}

// -----

// expected-error @below {{expects chunk to be at least 1, got -1}}
module attributes {test.layout_c1 = #autosage.layout<tasks<-1, stored>>} {}

// -----

// expected-error @below {{unknown task order '_', expects stored, length or locality}}
module attributes {test.layout_order = #autosage.layout<tasks<1, _>>} {}

// -----

// expected-error @below {{unknown statistic 'diameter'}}
module attributes {test.stats_c1_key = #autosage.stats<diameter = 4>} {}

// -----

// expected-error @below {{expects statistic 'rows' to be an integer, got 4.000000e+00 : f64}}
module attributes {test.stats_c1_count = #autosage.stats<rows = 4.0>} {}

// -----

// expected-error @below {{expects statistic 'nnz' to be an integer, got "many"}}
module attributes {test.stats_c1_word = #autosage.stats<nnz = many>} {}

// -----

// expected-error @below {{expects statistic 'mean' to be a number, got 4 : i64}}
module attributes {test.stats_c1_number = #autosage.stats<mean = 4>} {}

// -----

// expected-error @below {{expects statistic 'empty_rows' to be at least 0, got -1}}
module attributes {test.stats_c2_negative = #autosage.stats<empty_rows = -1>} {}

// -----

// expected-error @below {{expects statistic 'cv' to be finite and at least 0, got -5.000000e-01 : f64}}
module attributes {test.stats_c2_number = #autosage.stats<cv = -0.5>} {}

// -----

// expected-error @below {{expects statistic 'cv' to be finite and at least 0, got 0x7FF0000000000000 : f64}}
module attributes {test.stats_c2_infinite = #autosage.stats<cv = 0x7FF0000000000000 : f64>} {}

// -----

// expected-error @below {{expects statistic 'fingerprint' to be 32 hexadecimal digits, got "0123"}}
module attributes {test.stats_c3_short = #autosage.stats<fingerprint = "0123">} {}

// -----

// expected-error @below {{expects statistic 'fingerprint' to be 32 hexadecimal digits, got 123 : i64}}
module attributes {test.stats_c3_integer = #autosage.stats<fingerprint = 123>} {}

// -----

// expected-error @below {{integer constant out of range for attribute}}
module attributes {test.entry_i1 = #autosage.stats<rows = 3 : i1>} {}

// -----

// expected-error @below {{expects rows to be an integer, a number, a keyword or a string, got 3 : si64}}
module attributes {test.entry_signed = #autosage.stats<rows = 3 : si64>} {}

// -----

// expected-error @below {{expects rows to be an integer, a number, a keyword or a string, got 3 : i32}}
module attributes {test.entry_i32 = #autosage.stats<rows = 3 : i32>} {}

// -----

// expected-error @below {{expects mean to be an integer, a number, a keyword or a string, got 3.000000e+00 : f32}}
module attributes {test.entry_f32 = #autosage.stats<mean = 3.0 : f32>} {}

// -----

// expected-error @below {{expects rows to be an integer, a number, a keyword or a string, got [4]}}
module attributes {test.entry_list = #autosage.stats<rows = [4]>} {}

// -----

// expected-error @below {{integer constant out of range for attribute}}
module attributes {test.entry_huge = #autosage.stats<rows = 18446744073709551616>} {}

// -----

// expected-error @below {{expects 'rows' once, got it twice}}
module attributes {test.entry_twice = #autosage.stats<rows = 4, nnz = 9, rows = 4>} {}

// -----

// expected-error @below {{unknown decider 'nobody', expects user, cache, class, probe, estimate or fallback}}
module attributes {test.decision_unknown = #autosage.decision<nobody>} {}

// -----

// expected-error @below {{expects 'ms' to be finite, got 0x7FF8000000000000 : f64}}
module attributes {test.decision_c1 = #autosage.decision<probe, ms = 0x7FF8000000000000 : f64>} {}

// -----

// expected-error @below {{expects 'ms' once, got it twice}}
module attributes {test.decision_twice = #autosage.decision<probe, ms = 1.0, ms = 2.0>} {}

// -----

// expected-error @below {{expected ::mlir::autosage::Reduction to be one of: sum, mean, max, min}}
// expected-error @below {{failed to parse Autosage_ReductionAttr parameter 'value' which is to be a `::mlir::autosage::Reduction`}}
module attributes {test.keyword = #autosage<reduction product>} {}
