// Every form of autosage.attention_backward, in text, in generic form and in bytecode.
//
// RUN: autosage-opt %s --verify-roundtrip | FileCheck %s
// RUN: autosage-opt %s | autosage-opt | FileCheck %s
// RUN: autosage-opt %s | not grep -E '[^ ]  '
// RUN: autosage-opt %s --mlir-print-op-generic | autosage-opt | FileCheck %s
// RUN: autosage-opt %s --emit-bytecode | autosage-opt | FileCheck %s

!p = !autosage.pattern<?x?, i32, i32>

// A bias whose gradient is not asked for.
// CHECK-LABEL: func.func @dot
func.func @dot(%p: !p, %b: tensor<?xf32>, %q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x16xf32>, %o: tensor<?x16xf32>, %l: tensor<?xf32>, %do: tensor<?x16xf32>,
               %dq0: tensor<?x8xf32>, %dk0: tensor<?x8xf32>, %dv0: tensor<?x16xf32>) -> tensor<?x8xf32> {
  // CHECK: %{{.*}}:3 = autosage.attention_backward dot %{{.*}}[%{{.*}} : tensor<?xf32>], %{{.*}}, %{{.*}}, %{{.*}} from(%{{.*}}, %{{.*}}, %{{.*}}) outs(%{{.*}}, %{{.*}}, %{{.*}}) stats<rows = 4> {scale = 3.535000e-01 : f32} : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x16xf32>, tensor<?x16xf32>, tensor<?xf32>, tensor<?x16xf32> -> tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x16xf32>
  %0:3 = autosage.attention_backward dot %p[%b : tensor<?xf32>], %q, %k, %v from(%o, %l, %do) outs(%dq0, %dk0, %dv0) stats<rows = 4> {scale = 0.3535 : f32}
      : !p, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x16xf32>, tensor<?x16xf32>, tensor<?xf32>, tensor<?x16xf32> -> tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x16xf32>
  return %0#0 : tensor<?x8xf32>
}

// Component arrays, vec and its gradient, f32 results of f16.
// CHECK-LABEL: func.func @gatv2
func.func @gatv2(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %b: memref<?x2xf16>, %q: memref<?x2x8xf16>, %k: memref<?x2x8xf16>, %v: memref<?x2x4xf16>,
                 %a: memref<2x8xf16>, %o: memref<?x2x4xf16>, %l: memref<?x2xf32>, %do: memref<?x2x4xf32>, %dq: memref<?x2x8xf16>, %dk: memref<?x2x8xf32>,
                 %dv: memref<?x2x4xf16>, %da: memref<2x8xf32>, %db: memref<?x2xf32>) {
  // CHECK: autosage.attention_backward gatv2 on(%{{.*}} : memref<?xi32>, memref<?xi32>, index)[%{{.*}} : memref<?x2xf16>], %{{.*}}, %{{.*}}, %{{.*}} vec(%{{.*}} : memref<2x8xf16>) from(%{{.*}}, %{{.*}}, %{{.*}}) outs(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {negative_slope = 1.000000e-01 : f64} : memref<?x2x8xf16>, memref<?x2x8xf16>, memref<?x2x4xf16>, memref<?x2x4xf16>, memref<?x2xf32>, memref<?x2x4xf32>, memref<?x2x8xf16>, memref<?x2x8xf32>, memref<?x2x4xf16>, memref<2x8xf32>, memref<?x2xf32>
  autosage.attention_backward gatv2 on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%b : memref<?x2xf16>], %q, %k, %v vec(%a : memref<2x8xf16>)
      from(%o, %l, %do) outs(%dq, %dk, %dv, %da, %db) {negative_slope = 0.1 : f64}
      : memref<?x2x8xf16>, memref<?x2x8xf16>, memref<?x2x4xf16>, memref<?x2x4xf16>, memref<?x2xf32>, memref<?x2x4xf32>,
        memref<?x2x8xf16>, memref<?x2x8xf32>, memref<?x2x4xf16>, memref<2x8xf32>, memref<?x2xf32>
  return
}

// A schedule, and the transposed pattern.
// CHECK-LABEL: func.func @scheduled
func.func @scheduled(%p: !p, %t: tensor<?xi32>, %x: tensor<?x8xf32>, %l: tensor<?xf32>, %e: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // CHECK: from(%{{.*}}, %{{.*}}, %{{.*}}) transposed(%{{.*}}, %{{.*}}, %{{.*}} : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) outs(%{{.*}}, %{{.*}}, %{{.*}}) schedule<row_group, attention = composed> decision<user> :
  %0:3 = autosage.attention_backward dot %p, %x, %x, %x from(%x, %l, %x) transposed(%t, %t, %t : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>)
      outs(%e, %e, %e) schedule<row_group, attention = composed> decision<user>
      : !p, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?xf32>, tensor<?x8xf32>
      -> tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
  return %0#0 : tensor<?x8xf32>
}
