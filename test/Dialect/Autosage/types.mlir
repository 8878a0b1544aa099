// The pattern type in all its forms, in text and in bytecode.
//
// RUN: autosage-opt %s --verify-roundtrip | FileCheck %s
// RUN: autosage-opt %s --emit-bytecode | autosage-opt | FileCheck %s

// CHECK: func.func private @dynamic(!autosage.pattern<?x?, i32, i32>)
func.func private @dynamic(!autosage.pattern<?x?, i32, i32>)
// CHECK: func.func private @static(!autosage.pattern<4x5, i64, i32>)
func.func private @static(!autosage.pattern<4x5, i64, i32>)
// CHECK: func.func private @mixed(!autosage.pattern<?x5, i32, i64>, !autosage.pattern<4x?, index, index>)
func.func private @mixed(!autosage.pattern<?x5, i32, i64>, !autosage.pattern<4x?, index, index>)
// CHECK: func.func private @empty(!autosage.pattern<0x0, i32, i32>)
func.func private @empty(!autosage.pattern<0x0, i32, i32>)
// Beyond 32 bits.
// CHECK: func.func private @huge(!autosage.pattern<4294967296x9223372036854775807, i64, i64>)
func.func private @huge(!autosage.pattern<4294967296x9223372036854775807, i64, i64>)
// The default layout is not printed.
// CHECK: func.func private @csr(!autosage.pattern<?x?, i32, i32>)
func.func private @csr(!autosage.pattern<?x?, i32, i32, csr>)
// CHECK: func.func private @tasks(!autosage.pattern<?x?, i32, i32, tasks<1, stored>>, !autosage.pattern<?x?, i32, i32, tasks<512, length>>, !autosage.pattern<?x?, i32, i32, tasks<65536, locality>>)
func.func private @tasks(!autosage.pattern<?x?, i32, i32, tasks<1, stored>>, !autosage.pattern<?x?, i32, i32, tasks<512, length>>, !autosage.pattern<?x?, i32, i32, tasks<65536, locality>>)
