// RUN: autosage-opt %s --autosage-nvvm-pipeline=format=isa | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s
// RUN: autosage-opt %s --autosage-nvvm-pipeline=format=isa | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s --check-prefix=MEMORY

// No local memory (spills, arrays) and no call of a library.
// MEMORY-NOT: .local
// MEMORY-NOT: __nv_
// MEMORY-NOT: call

// One load of q a row. In the loop four column numbers and four vectors of k
// through the read-only cache before the first sum is complete; five shuffles.
// CHECK:       .visible .entry score_dot(
// CHECK:       .minnctapersm 8
// CHECK:       ld.global.nc.v4.b32
// CHECK:       nounroll
// CHECK-COUNT-4: ld.global.nc.b32
// CHECK-COUNT-4: ld.global.nc.v4.b32
// CHECK-NOT:   ld.
// CHECK-COUNT-2: shfl.sync.bfly.b32 %{{.*}}, %{{.*}}, 8, 31,
// CHECK:       shfl.sync.bfly.b32 %{{.*}}, %{{.*}}, 4, 31,
// CHECK:       shfl.sync.bfly.b32 %{{.*}}, %{{.*}}, 2, 31,
// CHECK:       shfl.sync.bfly.b32 %{{.*}}, %{{.*}}, 1, 31,
// CHECK-NOT:   shfl
// CHECK:       st.global.b32
func.func @dot(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %q: memref<?x64xf32>,
               %k: memref<?x64xf32>, %s: memref<?xf32>) {
  autosage.sddmm dot on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %k
      outs(%s) schedule<row_group, min_blocks = 8> : memref<?x64xf32>, memref<?x64xf32>, memref<?xf32>
  return
}

// The exponential is one instruction of the unit for it.
// CHECK:       .visible .entry row_softmax(
// CHECK:       ex2.approx.ftz.f32
// CHECK:       .visible .entry
func.func @softmax(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %s: memref<?xf32>, %a: memref<?xf32>) {
  autosage.row_softmax on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%s : memref<?xf32>]
      outs(%a) schedule<row_group> : memref<?xf32>
  return
}

func.func @softmax64(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %s: memref<?x8xf64>, %a: memref<?x8xf64>) {
  autosage.row_softmax on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%s : memref<?x8xf64>]
      outs(%a) schedule<row_group> : memref<?x8xf64>
  return
}
