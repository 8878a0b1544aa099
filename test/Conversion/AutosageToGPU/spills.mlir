// No kernel of usual knobs keeps values in local memory; with min_blocks ptxas
// takes the registers that the loads in flight need.
// REQUIRES: ptx-assembler
// RUN: autosage-opt %s --autosage-nvvm-pipeline=format=isa | %python %S/Inputs/ptxas_report.py > %t
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=SPILLS < %t

// SPILLS-NOT: {{[1-9][0-9]*}} bytes spill
// CHECK-COUNT-10: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads

func.func @open(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %w: memref<?xf32>,
                %x: memref<?x64xf32>, %y: memref<?x64xf32>) {
  autosage.spmm sum on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%w : memref<?xf32>], %x
      outs(%y) schedule<row_tasks> : memref<?x64xf32>, memref<?x64xf32>
  return
}

func.func @bounded(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %w: memref<?xf16>,
                   %x: memref<?x128xf16>, %y: memref<?x128xf16>) {
  autosage.spmm mean on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%w : memref<?xf16>], %x
      outs(%y) schedule<row_group, unroll = 4, vec = 8, min_blocks = 8> : memref<?x128xf16>, memref<?x128xf16>
  return
}

func.func @attention(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %q: memref<?x128xf32>,
                     %k: memref<?x128xf32>, %v: memref<?x128xf32>, %o: memref<?x128xf32>) {
  autosage.attention dot on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %k, %v
      outs(%o) schedule<row_tasks, min_blocks = 8>
      : memref<?x128xf32>, memref<?x128xf32>, memref<?x128xf32>, memref<?x128xf32>
  return
}
