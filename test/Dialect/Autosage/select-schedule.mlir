// Selection leaves alone what has a schedule, and says what it chose.
//
// RUN: autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule))" > %t.once
// RUN: FileCheck %s < %t.once
// RUN: autosage-opt %t.once --pass-pipeline="builtin.module(func.func(autosage-select-schedule))" | diff %t.once -
// RUN: autosage-opt %t.once --pass-pipeline="builtin.module(func.func(autosage-select-schedule{vector-bits=128}))" | diff %t.once -
// RUN: autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule))" --remarks-filter=autosage --remark-format=emitRemark -o %t.remarks 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: diff %t.once %t.remarks

!p = !autosage.pattern<?x?, i32, i32>

// REMARK: select-schedule.mlir:[[#@LINE+15]]:8: remark: [Passed] ScheduleSelected | Category:autosage
// REMARK-SAME: DecidedBy=estimate, ElementType=f32, Features=64, Remark="autosage.spmm runs with row_parallel, grain = 64, tile = 64, vec = 16", rule=cpu_row_parallel, statistics=unknown, vector_bits=512{{$}}
// REMARK: select-schedule.mlir:[[#@LINE+21]]:3: remark: [Passed] ScheduleSelected | Category:autosage
// REMARK-SAME: DecidedBy=estimate, ElementType=f64, LongestRow=5, Nonzeros=30, Remark="autosage.spmm runs with {{[a-z_]+}}_parallel, {{.*}}", Rows=10, assumed_features=64, candidates={{[0-9]+}}, cost_ms={{[0-9.e-]+}}, device=cpu, estimate_ms={{[0-9.e-]+}}, second="{{.*}}", second_cost_ms={{[0-9.e-]+}}, statistics=known, threads=8, vector_bits=512{{$}}
// REMARK-NOT: remark

// A schedule of the user stays, with what is written of it, even one that is not
// for this target.
// CHECK-LABEL: func.func @user
// CHECK: autosage.spmm sum {{.*}} schedule<row_parallel, vec = 1> :
// CHECK: autosage.spmm max {{.*}} schedule<row_tasks> decision<user, why = habit> :
// CHECK: autosage.spmm min {{.*}} schedule<row_parallel, grain = 64, tile = 64, vec = 16> decision<estimate,
func.func @user(%p: !p, %x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_parallel, vec = 1> : !p, tensor<?x64xf32> -> tensor<?x64xf32>
  %1 = autosage.spmm max %p, %0 outs(%y0) schedule<row_tasks> decision<user, why = habit> : !p, tensor<?x64xf32> -> tensor<?x64xf32>
  %2 = autosage.spmm min %p, %1 outs(%y0) : !p, tensor<?x64xf32> -> tensor<?x64xf32>
  return %2 : tensor<?x64xf32>
}

// Component arrays and buffers get a schedule, too.
// CHECK-LABEL: func.func @buffers
// CHECK: autosage.spmm sum on({{.*}} schedule<{{[a-z_]+}}_parallel, {{.*}}> decision<estimate, assumed_features = 64,
func.func @buffers(%rp: memref<?xi32>, %n: index, %x: memref<?x?xf64>, %y: memref<?x?xf64>) {
  autosage.spmm sum on(%rp, %rp, %n : memref<?xi32>, memref<?xi32>, index), %x outs(%y)
      stats<rows = 10, nnz = 30, mean = 3.0, max = 5> : memref<?x?xf64>, memref<?x?xf64>
  return
}
