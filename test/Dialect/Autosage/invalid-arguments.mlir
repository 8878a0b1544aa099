// Attributes of the dialect on function arguments.
//
// RUN: autosage-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{unknown argument attribute 'autosage.statistics', expects 'autosage.stats'}}
func.func private @unknown(!autosage.pattern<?x?, i32, i32> {autosage.statistics = 4 : i64})

// -----

// expected-error @below {{expects 'autosage.stats' to be #autosage.stats, got 4 : i64}}
func.func private @kind(!autosage.pattern<?x?, i32, i32> {autosage.stats = 4 : i64})

// -----

// expected-error @below {{expects argument 1 with 'autosage.stats' to be a pattern, got 'tensor<?xi32>'}}
func.func private @type(!autosage.pattern<?x?, i32, i32>, tensor<?xi32> {autosage.stats = #autosage.stats<rows = 4>})
