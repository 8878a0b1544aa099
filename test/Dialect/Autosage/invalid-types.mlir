// Every message about the pattern type, also where it is made of parts that
// read well by themselves.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expects rows x columns, got 1 sizes}}
func.func private @pattern_type_one_size(!autosage.pattern<4, i32, i32>)

// -----

// expected-error @below {{expects rows x columns, got 3 sizes}}
func.func private @pattern_type_three_sizes(!autosage.pattern<4x4x4, i32, i32>)

// -----

// expected-error @below {{expects rows x columns, got 0 sizes}}
func.func private @pattern_type_c1_rows(!autosage.pattern<-4x4, i32, i32>)

// -----

// expected-error @below {{expects positions to be i32, i64 or index, got 'f32'}}
func.func private @pattern_type_c2_positions(!autosage.pattern<4x4, f32, i32>)

// -----

// expected-error @below {{expects coordinates to be i32, i64 or index, got 'i16'}}
func.func private @pattern_type_c2_coordinates(!autosage.pattern<4x4, i32, i16>)

// -----

// expected-error @below {{expects positions to be i32, i64 or index, got 'si32'}}
func.func private @pattern_type_c2_signed(!autosage.pattern<4x4, si32, i32>)

// -----

// expected-error @below {{unknown layout 'ell', expects csr or tasks<chunk, order>}}
func.func private @layout_unknown(!autosage.pattern<4x4, i32, i32, ell>)

// -----

// expected-error @below {{expects chunk to be at least 1, got 0}}
func.func private @layout_c1_zero(!autosage.pattern<4x4, i32, i32, tasks<0, stored>>)

// -----

// expected-error @below {{expects chunk to be at least 1, got -32}}
func.func private @layout_c1_negative(!autosage.pattern<4x4, i32, i32, tasks<-32, stored>>)

// -----

// expected-error @below {{unknown task order 'random', expects stored, length or locality}}
func.func private @layout_unknown_order(!autosage.pattern<4x4, i32, i32, tasks<32, random>>)

// -----

// expected-error @below {{integer value too large}}
func.func private @layout_huge_chunk(!autosage.pattern<4x4, i32, i32, tasks<99999999999999999999, stored>>)

// -----

// expected-error @below {{expected '<'}}
func.func private @layout_no_parameters(!autosage.pattern<4x4, i32, i32, tasks>)

// -----

// expected-error @below {{invalid dimension}}
func.func private @pattern_type_c1_huge(!autosage.pattern<99999999999999999999x4, i32, i32>)

// -----

// expected-error @below {{expects rows to be at most 9223372036854775806, got 9223372036854775807}}
func.func private @pattern_type_c1_rows_plus_one(!autosage.pattern<9223372036854775807x4, i32, i32>)
