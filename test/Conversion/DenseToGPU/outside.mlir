// What a body uses from outside: numbers become parameters, buffers that it
// reads pointers; loop indices are the thread's.
// RUN: autosage-opt %s --autosage-dense-to-gpu --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func @gather
// CHECK-SAME:    %[[ALPHA:[^:]*]]: f32
// CHECK:         gpu.launch_func {{.*}} args({{.*}}, %[[ALPHA]] : f32, {{.*}})
// CHECK:       gpu.func @generic(%[[ROWS:[^:]*]]: !llvm.ptr<1> {{{[^}]*}}}, %[[OUT:[^:]*]]: !llvm.ptr<1> {{{[^}]*}}}, %[[TABLE:[^:]*]]: !llvm.ptr<1> {{{[^}]*}}}, %[[A:[^:]*]]: f32,
// CHECK:         scf.if
// CHECK:           %[[ROW:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> i64
// CHECK:           llvm.getelementptr inbounds %[[TABLE]]
// CHECK-NEXT:      %[[V:.*]] = llvm.load
// CHECK-NEXT:      arith.mulf %[[V]], %[[A]] : f32
func.func @gather(%table: memref<?x8xf32>, %rows: memref<?xi64>, %alpha: f32, %out: memref<?x8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%rows : memref<?xi64>) outs(%out : memref<?x8xf32>) {
  ^bb0(%row: i64, %unused: f32):
    %j = linalg.index 1 : index
    %i = arith.index_cast %row : i64 to index
    %v = memref.load %table[%i, %j] : memref<?x8xf32>
    %r = arith.mulf %v, %alpha : f32
    linalg.yield %r : f32
  }
  return
}
