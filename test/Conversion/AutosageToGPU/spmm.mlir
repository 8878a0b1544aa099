// RUN: autosage-opt %s --convert-autosage-to-gpu --canonicalize --cse | FileCheck %s

// The host tests alignment once and picks the kernel with 16-byte loads or the
// one for any alignment; a grid takes a launch for every 2^31 - 1 blocks.
// CHECK-LABEL: func @sum
// CHECK:       %[[X:.*]] = memref.extract_aligned_pointer_as_index %arg4
// CHECK:       %[[FIT:.*]] = arith.andi %{{.*}}, %{{.*}} : i1
// CHECK:       scf.if %[[FIT]] {
// CHECK:         scf.for %[[FIRST:.*]] = %{{.*}} to %[[BLOCKS:.*]] step %c2147483647_i64
// CHECK:           %[[LEFT:.*]] = arith.subi %[[BLOCKS]], %[[FIRST]]
// CHECK:           %[[SIZE:.*]] = arith.minsi %[[LEFT]], %c2147483647_i64
// CHECK:           %[[X_SIZE:.*]] = arith.index_cast %[[SIZE]]
// CHECK:           gpu.launch_func @autosage_kernels::@spmm_sum blocks in (%[[X_SIZE]], %c1, %c1) threads in (%c128, %c1, %c1)
// CHECK-SAME:        %[[FIRST]] : i64)
// CHECK:       } else {
// CHECK:           gpu.launch_func @autosage_kernels::@spmm_sum_1
func.func @sum(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %w: memref<?xf32>,
               %x: memref<?x64xf32>, %y: memref<?x64xf32>) {
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%w : memref<?xf32>], %x
      outs(%y) schedule<row_group> : memref<?x64xf32>, memref<?x64xf32>
  return
}

// An equal call needs no further kernel.
// CHECK-LABEL: func @same
// CHECK:         gpu.launch_func @autosage_kernels::@spmm_sum blocks
// CHECK:         gpu.launch_func @autosage_kernels::@spmm_sum_1 blocks
func.func @same(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %w: memref<?xf32>,
                %x: memref<?x64xf32>, %y: memref<?x64xf32>) {
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%w : memref<?xf32>], %x
      outs(%y) schedule<row_group> : memref<?x64xf32>, memref<?x64xf32>
  return
}

// A width that no vector divides: one kernel, no test.
// CHECK-LABEL: func @odd
// CHECK-NOT:     scf.if
// CHECK:         gpu.launch_func @autosage_kernels::@spmm_max
// CHECK-NOT:     gpu.launch_func
// CHECK:         return
func.func @odd(%rp: memref<?xi64>, %ci: memref<?xi32>, %n: index,
               %x: memref<?x47xf64>, %y: memref<?x47xf64>) {
  autosage.spmm max on(%rp, %ci, %n : memref<?xi64>, memref<?xi32>, index), %x
      outs(%y) schedule<row_group, min_blocks = 8> : memref<?x47xf64>, memref<?x47xf64>
  return
}

// CHECK-LABEL: gpu.module @autosage_kernels [#nvvm.target<O = 3, chip = "sm_90", features = "+ptx83">]

// Four edges in flight: four columns, four weights, four vectors of x, then the
// sums. 16 lanes of a vector of 4 a row.
// CHECK:       gpu.func @spmm_sum(%[[ROWS:.*]]: i64, %[[RP:.*]]: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.noalias, llvm.readonly}
// CHECK-SAME:    !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.writeonly}
// CHECK-SAME:    kernel attributes {known_block_size = array<i32: 128, 1, 1>}
// CHECK:         scf.for {{.*}} -> (vector<4xf32>)
// CHECK-COUNT-4:   llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK-COUNT-4:   llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK:           arith.muli %{{.*}}, %c64_i64 overflow<nsw> : i64
// CHECK-COUNT-4:   llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-COUNT-4:   llvm.intr.fma
// CHECK:         } {loop_annotation =
// The rest in one group, clamped to the last edge; what lies behind is dropped.
// CHECK:         scf.if
// CHECK-COUNT-4:   llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK:           llvm.intr.fma
// CHECK:           llvm.intr.fma
// CHECK-NEXT:      arith.select
// CHECK:         llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>

// CHECK:       gpu.func @spmm_sum_1(
// CHECK-NOT:     alignment = 16
// CHECK:         gpu.return

// Lanes behind the last column read the last one and store nothing.
// CHECK:       gpu.func @spmm_max(
// CHECK-SAME:    nvvm.minctasm = 8
// CHECK:         %[[INSIDE:.*]] = arith.cmpi slt, %[[COLUMN:.*]], %c47_i64
// CHECK-NEXT:    arith.minsi %[[COLUMN]], %c46_i64
// CHECK:         scf.for {{.*}}  : i64
// CHECK:         arith.maximumf
// CHECK:         scf.if %[[INSIDE]]
// CHECK:           llvm.store %{{.*}} : f64
