// A schedule that is wrong by itself never reaches a pass: the parser refuses
// it at its place, with the range that the family allows.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{unknown schedule family 'row_parallels', expects one of row_parallel, nnz_parallel, row_group, row_tasks, vendor}}
module attributes {test.schedule_c1 = #autosage.schedule<row_parallels>} {}

// -----

// expected-error @below {{expected valid keyword}}
module attributes {test.schedule_c1_none = #autosage.schedule<>} {}

// -----

// expected-error @below {{unknown knob 'threads' of row_parallel, expects one of vec, tile, unroll, prefetch, grain, attention}}
module attributes {test.schedule_c2_unknown = #autosage.schedule<row_parallel, threads = 4>} {}

// -----

// expected-error @below {{unknown knob 'grain' of row_tasks, expects one of chunk, order, unroll, vec, tile, min_blocks}}
module attributes {test.schedule_c2_other_family = #autosage.schedule<row_tasks, grain = 4>} {}

// -----

// expected-error @below {{expects vec to be a power of two in [1, 64], got -32}}
module attributes {test.schedule_c2_negative = #autosage.schedule<row_parallel, vec = -32>} {}

// -----

// expected-error @below {{expects vec to be a power of two in [1, 64], got 0}}
module attributes {test.schedule_c2_zero = #autosage.schedule<row_parallel, vec = 0>} {}

// -----

// expected-error @below {{expects vec to be a power of two in [1, 64], got 3}}
module attributes {test.schedule_c2_no_power = #autosage.schedule<row_parallel, vec = 3>} {}

// -----

// expected-error @below {{expects tile to be in [1, 1024], got 1025}}
module attributes {test.schedule_c2_large = #autosage.schedule<row_parallel, tile = 1025>} {}

// -----

// expected-error @below {{expects grain to be in [1, 1048576], got 9223372036854775807}}
module attributes {test.schedule_c2_absurd = #autosage.schedule<row_parallel, grain = 9223372036854775807>} {}

// -----

// expected-error @below {{integer constant out of range for attribute}}
module attributes {test.schedule_c2_beyond_64_bits = #autosage.schedule<row_parallel, grain = 99999999999999999999>} {}

// -----

// expected-error @below {{expects tile to be a multiple of vec = 16, got 40}}
module attributes {test.schedule_c2_multiple = #autosage.schedule<row_parallel, tile = 40, vec = 16>} {}

// -----

// expected-error @below {{expects tile to be a multiple of vec = 16, got 8}}
module attributes {test.schedule_c2_default = #autosage.schedule<row_parallel, tile = 8>} {}

// -----

// expected-error @below {{expects vec to be a power of two in [1, 64], got 'wide'}}
module attributes {test.schedule_c2_word = #autosage.schedule<row_parallel, vec = wide>} {}

// -----

// expected-error @below {{expects order to be one of stored, length, locality, got 'random'}}
module attributes {test.schedule_c2_unknown_word = #autosage.schedule<row_tasks, order = random>} {}

// -----

// expected-error @below {{expects order to be one of stored, length, locality, got 2}}
module attributes {test.schedule_c2_number = #autosage.schedule<row_tasks, order = 2>} {}

// -----

// expected-error @below {{expects knob 'vec' to be an integer or a keyword, got 4.000000e+00 : f64}}
module attributes {test.schedule_c2_float = #autosage.schedule<row_parallel, vec = 4.0>} {}

// -----

// expected-error @below {{expects vec to be an integer, a number, a keyword or a string, got true}}
module attributes {test.schedule_c2_i1 = #autosage.schedule<row_parallel, vec = 1 : i1>} {}

// -----

// expected-error @below {{expects vec to be an integer, a number, a keyword or a string, got 4 : i32}}
module attributes {test.schedule_c2_i32 = #autosage.schedule<row_parallel, vec = 4 : i32>} {}

// -----

// expected-error @below {{expects 'vec' once, got it twice}}
module attributes {test.schedule_c2_twice = #autosage.schedule<row_parallel, vec = 4, tile = 8, vec = 4>} {}

// -----

// expected-error @below {{expected valid keyword or string}}
module attributes {test.schedule_c2_trailing = #autosage.schedule<row_parallel, vec = 4,>} {}
