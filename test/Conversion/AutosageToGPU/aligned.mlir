// RUN: autosage-opt %s --convert-autosage-to-gpu | FileCheck %s

// Where the IR says that the addresses are aligned and the widths are known, the
// host tests nothing, and there is one version of the kernel.

// CHECK-LABEL: func.func @spmm_aligned
// CHECK-NOT: arith.andi
// CHECK-NOT: scf.if
// CHECK: gpu.launch_func @autosage_kernels::@[[KERNEL:[a-z_0-9]+]]
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @spmm_aligned(%rowptr: memref<?xi32>, %colind: memref<?xi32>, %n: index,
                        %x: memref<?x64xf32>, %y: memref<?x64xf32>) {
  %xa = memref.assume_alignment %x, 16 : memref<?x64xf32>
  %ya = memref.assume_alignment %y, 16 : memref<?x64xf32>
  autosage.spmm sum on(%rowptr, %colind, %n : memref<?xi32>, memref<?xi32>, index), %xa outs(%ya) schedule<row_group>
    : memref<?x64xf32>, memref<?x64xf32>
  return
}

// Less than the vectors need is no promise.
// CHECK-LABEL: func.func @spmm_less_aligned
// CHECK: arith.andi
// CHECK: scf.if
// CHECK: gpu.launch_func
// CHECK: else
// CHECK: gpu.launch_func
func.func @spmm_less_aligned(%rowptr: memref<?xi32>, %colind: memref<?xi32>, %n: index,
                             %x: memref<?x64xf32>, %y: memref<?x64xf32>) {
  %xa = memref.assume_alignment %x, 8 : memref<?x64xf32>
  %ya = memref.assume_alignment %y, 16 : memref<?x64xf32>
  autosage.spmm sum on(%rowptr, %colind, %n : memref<?xi32>, memref<?xi32>, index), %xa outs(%ya) schedule<row_group>
    : memref<?x64xf32>, memref<?x64xf32>
  return
}
