// RUN: autosage-opt %s --convert-autosage-to-gpu --canonicalize --cse | FileCheck %s

// One launch. The output may be the logits: neither pointer is noalias or
// readonly.
// CHECK-LABEL: func @rows
// CHECK-COUNT-1: gpu.launch_func @autosage_kernels::@row_softmax blocks
// CHECK-NOT:     gpu.launch_func

// Cut rows take two more, only where there are any.
// CHECK-LABEL: func @tasks
// CHECK:         %[[CUT:.*]] = arith.cmpi slt
// CHECK:         gpu.launch_func @autosage_kernels::@row_softmax_1 blocks
// CHECK:         scf.if %[[CUT]] {
// CHECK:           gpu.launch_func @autosage_kernels::@row_softmax_merge blocks
// CHECK:           gpu.launch_func @autosage_kernels::@row_softmax_pieces blocks

// CHECK:       gpu.func @row_softmax(
// CHECK-SAME:    %{{[a-z0-9]+}}: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.noalias, llvm.readonly}
// CHECK-SAME:    %{{[a-z0-9]+}}: !llvm.ptr<1> {llvm.align = 4 : i64}
// CHECK-SAME:    %{{[a-z0-9]+}}: !llvm.ptr<1> {llvm.align = 4 : i64}
// CHECK-NOT:     llvm.noalias
// CHECK:         gpu.return
func.func @rows(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index,
                %s: memref<?xf32>, %a: memref<?xf32>) {
  autosage.row_softmax on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%s : memref<?xf32>]
      outs(%a) schedule<row_group> : memref<?xf32>
  return
}

func.func @tasks(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index,
                 %s: memref<?x8xf32>, %a: memref<?x8xf32>) {
  autosage.row_softmax on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%s : memref<?x8xf32>]
      outs(%a) schedule<row_tasks> : memref<?x8xf32>
  return
}
