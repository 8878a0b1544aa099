// What the kernels' form is for, read off the PTX (docs/gpu-kernels.md).
// RUN: autosage-opt %s --autosage-nvvm-pipeline=format=isa | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s
// RUN: autosage-opt %s --autosage-nvvm-pipeline=format=isa | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s --check-prefix=MEMORY
// RUN: autosage-opt %s --autosage-nvvm-pipeline='format=isa chip=sm_80' | FileCheck %s --check-prefix=SM80
// RUN: autosage-opt %s --autosage-nvvm-pipeline='format=isa chip=sm_100' | FileCheck %s --check-prefix=SM100
// RUN: autosage-opt %s --autosage-nvvm-pipeline='format=isa chip=sm_120' | FileCheck %s --check-prefix=SM120

// SM80: .target sm_80
// SM100: .target sm_100
// SM120: .target sm_120

// No local memory (spills, arrays) and no call of a library.
// MEMORY-NOT: .local
// MEMORY-NOT: __nv_
// MEMORY-NOT: call

// Eight 4-byte and four 16-byte loads through the read-only cache, all of them
// before the first sum; one instruction an address; no unrolling behind our back.
// CHECK:       .target sm_90
// CHECK:       .visible .entry spmm_sum(
// CHECK:       .maxntid 128
// CHECK:       .pragma {{.*}}nounroll
// CHECK-COUNT-8: ld.global.nc.b32
// CHECK-NOT:   fma
// CHECK:       mul.wide.s32 %{{.*}}, %{{.*}}, 256
// CHECK-NEXT:  add.s64
// CHECK-NEXT:  ld.global.nc.v4.b32
// CHECK-NOT:   fma
// CHECK-COUNT-3: ld.global.nc.v4.b32
// CHECK-NOT:   ld.
// CHECK-COUNT-16: fma.rn.f32
// CHECK-NOT:   fma
// CHECK:       bra
// CHECK:       st.global.v4.b32
func.func @f32(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %w: memref<?xf32>,
               %x: memref<?x64xf32>, %y: memref<?x64xf32>) {
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%w : memref<?xf32>], %x
      outs(%y) schedule<row_group> : memref<?x64xf32>, memref<?x64xf32>
  return
}

// Eight halves a load, sums in f32, NaN propagates.
// CHECK:       .visible .entry spmm_max(
// CHECK:       .minnctapersm 8
// CHECK-COUNT-4: ld.global.nc.v4.b32
// CHECK:       cvt.f32.f16
// CHECK:       max.NaN.f32
// CHECK:       st.global.v4.b32
func.func @f16(%rp: memref<?xi64>, %ci: memref<?xi32>, %n: index,
               %x: memref<?x128xf16>, %y: memref<?x128xf16>) {
  autosage.spmm max on(%rp, %ci, %n : memref<?xi64>, memref<?xi32>, index), %x
      outs(%y) schedule<row_group, vec = 8, min_blocks = 8> : memref<?x128xf16>, memref<?x128xf16>
  return
}
