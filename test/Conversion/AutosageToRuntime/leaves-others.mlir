// Only ops with a vendor schedule are taken; with the option also those without
// one that cuSPARSE can do.
// RUN: autosage-opt %s --convert-autosage-to-runtime | FileCheck %s
// RUN: autosage-opt %s --convert-autosage-to-runtime=unscheduled | FileCheck %s --check-prefix=ALL

// CHECK-LABEL: func @others
// CHECK:         autosage.spmm sum {{.*}} schedule<row_group>
// CHECK:         autosage.spmm sum
// CHECK:         autosage.spmm max
// CHECK-NOT:     call

// ALL-LABEL: func @others
// ALL:         autosage.spmm sum {{.*}} schedule<row_group>
// ALL:         call @autosage_vendor_spmm
// ALL-NOT:     autosage.spmm sum
// ALL:         autosage.spmm max
func.func @others(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %x: memref<?x64xf32>, %y: memref<?x64xf32>) {
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) schedule<row_group> : memref<?x64xf32>, memref<?x64xf32>
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) : memref<?x64xf32>, memref<?x64xf32>
  autosage.spmm max on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) : memref<?x64xf32>, memref<?x64xf32>
  return
}
