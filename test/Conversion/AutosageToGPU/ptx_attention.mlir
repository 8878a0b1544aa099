// RUN: autosage-opt %s --autosage-nvvm-pipeline=format=isa | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s
// RUN: autosage-opt %s --autosage-nvvm-pipeline=format=isa | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s --check-prefix=MEMORY

// No local memory (spills, arrays) and no call of a library.
// MEMORY-NOT: .local
// MEMORY-NOT: __nv_
// MEMORY-NOT: call

// In the loop four column numbers, then four vectors of k and four of v through
// the read-only cache before the first sum is complete. Five shuffles sum up
// four scores, two find their maximum, four spread their weights; one
// exponential for them and one for what was there before.
// CHECK:       .visible .entry attention_dot(
// CHECK:       .minnctapersm 8
// CHECK:       ld.global.nc.v4.b32
// CHECK:       nounroll
// CHECK-COUNT-4: ld.global.nc.b32
// CHECK-COUNT-8: ld.global.nc.v4.b32
// CHECK-NOT:   ld.
// CHECK-COUNT-7: shfl.sync.bfly.b32
// CHECK-COUNT-2: ex2.approx.ftz.f32
// CHECK-COUNT-4: shfl.sync.idx.b32
// CHECK-NOT:   shfl
// CHECK:       bra
func.func @dot(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %q: memref<?x64xf32>,
               %k: memref<?x64xf32>, %v: memref<?x64xf32>, %o: memref<?x64xf32>) {
  autosage.attention dot on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %k, %v
      outs(%o) schedule<row_group, min_blocks = 8> {scale = 0.125 : f32}
      : memref<?x64xf32>, memref<?x64xf32>, memref<?x64xf32>, memref<?x64xf32>
  return
}
