// RUN: autosage-opt %s --pass-pipeline='builtin.module(func.func(convert-autosage-to-cpu,canonicalize,cse))' | FileCheck %s

// A counting sort: degrees, running sum, filling, and the starts back in place.
// CHECK-LABEL: func @build_transpose
// CHECK-SAME:    %[[TRP:[a-z0-9]+]]: memref<?xi64>, %[[TCI:[a-z0-9]+]]: memref<?xi32>, %[[PERM:[a-z0-9]+]]: memref<?xi64>
func.func @build_transpose(%rp: memref<?xi64>, %ci: memref<?xi32>, %n: index,
                           %trp: memref<?xi64>, %tci: memref<?xi32>, %perm: memref<?xi64>) {
  // CHECK-NOT:   scf.parallel
  // CHECK-COUNT-4: memref.store %{{.*}}, %[[TRP]]
  // CHECK:       memref.store %{{.*}}, %[[TCI]]
  // CHECK:       memref.store %{{.*}}, %[[PERM]]
  // CHECK:       memref.store %{{.*}}, %[[TRP]]
  autosage.build_transpose on(%rp, %ci, %n : memref<?xi64>, memref<?xi32>, index)
      outs(%trp, %tci, %perm) : memref<?xi64>, memref<?xi32>, memref<?xi64>
  return
}

// CHECK-LABEL: func @count_tasks
func.func @count_tasks(%rp: memref<?xi32>) -> index {
  // CHECK-DAG:   %[[LONGEST:.*]] = arith.constant 13 : index
  // CHECK:       %[[COUNT:.*]] = scf.for
  // CHECK:         %[[WHOLE:.*]] = arith.cmpi sle, %{{.*}}, %[[LONGEST]]
  // CHECK:       return %[[COUNT]]
  %count = autosage.count_tasks %rp {chunk = 9 : i64} : memref<?xi32>
  return %count : index
}

// CHECK-LABEL: func @build_tasks_length
func.func @build_tasks_length(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %tasks: memref<?x4xi32>) {
  // CHECK:       %[[SLOTS:.*]] = memref.alloc(%{{.*}}) : memref<?xindex>
  // CHECK-COUNT-4: memref.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : memref<?x4xi32>
  // CHECK:       memref.dealloc %[[SLOTS]]
  autosage.build_tasks length on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)
      outs(%tasks) {chunk = 8 : i64} : memref<?x4xi32>
  return
}

// Any version is right; without the runtime the CPU takes the first.
// CHECK-LABEL: func.func @choose_version
// CHECK: %[[V:.*]] = arith.constant 0 : index
// CHECK: return %[[V]]
func.func @choose_version(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index) -> index {
  %v = autosage.choose_version on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index) for "op=spmm reduction=sum combine=dot score=dot features=64 value_features=-1 heads=0 dtype=f32 f32_out=0 rowptr=i32 colind=i32 edges=none transpose=0 accumulate=0 scale=0x1p+0 negative_slope=0x1.999999999999ap-3 lse=0 composed=0 strided=0 aligned=0 schedule=[]" of [#autosage.schedule<row_parallel>, #autosage.schedule<nnz_parallel>]
  return %v : index
}
