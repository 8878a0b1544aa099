// RUN: autosage-opt %s --convert-autosage-to-gpu --canonicalize --cse | FileCheck %s

// Without a prepared list the host makes one. Where there are more tasks than
// rows some row is cut: only then is there a workspace and a second launch.
// CHECK-LABEL: func @made
// CHECK:       %[[COUNT:.*]] = call @autosage_count_tasks(
// CHECK:       %[[TASKS:.*]] = memref.alloc(%{{.*}}) : memref<?x4xi32>
// CHECK:       call @autosage_build_tasks(
// CHECK:       %[[CUT:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : i64
// CHECK:       %[[SLOTS:.*]] = arith.select %[[CUT]], %{{.*}}, %c0_i64
// CHECK:       %[[WORK:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK:         gpu.launch_func @autosage_kernels::@spmm_mean blocks
// CHECK:         scf.if %[[CUT]] {
// CHECK:           gpu.launch_func @autosage_kernels::@spmm_mean_merge
// CHECK-DAG:   memref.dealloc %[[WORK]]
// CHECK-DAG:   memref.dealloc %[[TASKS]]
func.func @made(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index,
                %x: memref<?x64xf32>, %y: memref<?x64xf32>) {
  autosage.spmm mean on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %x
      outs(%y) schedule<row_tasks, chunk = 64, order = length> : memref<?x64xf32>, memref<?x64xf32>
  return
}

// CHECK-LABEL: func @prepared
// CHECK-NOT:   call @
// CHECK:       gpu.launch_func @autosage_kernels::@spmm_sum blocks
func.func @prepared(%rp: memref<?xi32>, %ci: memref<?xi32>, %tasks: memref<?x4xi32>, %n: index,
                    %x: memref<?x64xf32>, %y: memref<?x64xf32>) {
  autosage.spmm sum on(%rp, %ci, %tasks, %n : memref<?xi32>, memref<?xi32>, memref<?x4xi32>, index), %x
      outs(%y) layout<tasks<64, length>> schedule<row_tasks, chunk = 64> : memref<?x64xf32>, memref<?x64xf32>
  return
}

// A task is one 16-byte load. Sums of a piece go to the workspace.
// CHECK:       gpu.func @spmm_mean(
// CHECK:         %[[TASK:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK:         vector.extract %[[TASK]][3]
// CHECK:         scf.if
// CHECK:           arith.divf
// CHECK:           llvm.store
// CHECK:         } else {
// CHECK:           llvm.store

// Groups add up pieces in their order, the first group what the groups have.
// CHECK:       gpu.func @spmm_mean_merge(
// CHECK:         nvvm.vote.sync ballot
// CHECK:         gpu.barrier
// CHECK:         scf.while
// CHECK:           scf.for {{.*}} step %c16_i64
// CHECK:           gpu.barrier
// CHECK:           scf.if
// CHECK-COUNT-15:    arith.addf
// CHECK:             arith.divf
// CHECK:           gpu.barrier
