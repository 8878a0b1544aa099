// The deallocation that the compiler inserts comes after the last op that reads
// a task list.
//
// RUN: autosage-opt %s --autosage-expand-pattern --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --buffer-deallocation-pipeline -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @tasks
// CHECK: %[[TASKS:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?x4xi32>
// CHECK: autosage.build_tasks
// CHECK: autosage.spmm {{.*}}%[[TASKS]]
// CHECK: autosage.spmm {{.*}}%[[TASKS]]
// CHECK: memref.dealloc %[[TASKS]]
// CHECK: return
func.func @tasks(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<?x8xf32>, %z0: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %q = autosage.prepare %p layout<tasks<64, stored>> : !autosage.pattern<?x?, i32, i32>
  %y = autosage.spmm sum %q, %x outs(%y0) : !autosage.pattern<?x?, i32, i32, tasks<64, stored>>, tensor<?x8xf32> -> tensor<?x8xf32>
  %z = autosage.spmm sum %q, %y outs(%z0) : !autosage.pattern<?x?, i32, i32, tasks<64, stored>>, tensor<?x8xf32> -> tensor<?x8xf32>
  return %z : tensor<?x8xf32>
}
