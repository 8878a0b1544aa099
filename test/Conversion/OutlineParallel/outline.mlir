// RUN: autosage-opt %s --split-input-file --autosage-outline-parallel | FileCheck %s
// RUN: autosage-opt %s --split-input-file --autosage-outline-parallel --autosage-cpu-pipeline 2>/dev/null | FileCheck %s --check-prefix=LLVM

// The body becomes a function of a range; what it uses travels in a struct on
// the caller's stack, constants are made anew.
// CHECK:       func.func private @autosage_parallel_for(i64, !llvm.ptr, !llvm.ptr)
// CHECK-LABEL: func.func private @fill_parallel(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64)
// CHECK-SAME:    attributes {llvm.linkage = #llvm.linkage<internal>}
// CHECK-DAG:     %[[V:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG:     %[[M0:.*]] = llvm.getelementptr inbounds %[[CONTEXT]][0, 0]
// CHECK:         %[[M1:.*]] = llvm.load %[[M0]] : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK:         %[[M:.*]] = builtin.unrealized_conversion_cast %[[M1]] : {{.*}} to memref<?xf32>
// CHECK-DAG:     %[[LO:.*]] = arith.index_cast %[[BEGIN]] : i64 to index
// CHECK-DAG:     %[[HI:.*]] = arith.index_cast %[[END]] : i64 to index
// CHECK:         scf.for %[[K:.*]] = %[[LO]] to %[[HI]]
// CHECK:           %[[OFFSET:.*]] = arith.muli %[[K]], %{{.*}} : index
// CHECK:           %[[I:.*]] = arith.addi %{{.*}}, %[[OFFSET]] : index
// CHECK:           memref.store %[[V]], %[[M]][%[[I]]] : memref<?xf32>
// CHECK-NOT:       scf.parallel
// CHECK:         return
// CHECK-LABEL: func.func @fill(
// CHECK-SAME:    %[[MEMREF:.*]]: memref<?xf32>, %[[LB:.*]]: index, %[[UB:.*]]: index, %[[STEP:.*]]: index)
// CHECK:         %[[SPACE:.*]] = llvm.alloca {{.*}} x !llvm.struct<(struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, i64, i64)>
// CHECK:         %[[DESCRIPTOR:.*]] = builtin.unrealized_conversion_cast %[[MEMREF]]
// CHECK:         llvm.store %[[DESCRIPTOR]], %{{.*}}
// CHECK:         %[[EXTENT:.*]] = arith.subi %[[UB]], %[[LB]] : index
// CHECK:         %[[UP:.*]] = arith.addi %[[EXTENT]], %{{.*}} : index
// CHECK:         %[[COUNT:.*]] = arith.divsi %[[UP]], %[[STEP]] : index
// CHECK:         %[[COUNT64:.*]] = arith.index_cast %[[COUNT]] : index to i64
// CHECK:         %[[F:.*]] = constant @fill_parallel : (!llvm.ptr, i64, i64) -> ()
// CHECK:         %[[ADDRESS:.*]] = builtin.unrealized_conversion_cast %[[F]] : (!llvm.ptr, i64, i64) -> () to !llvm.ptr
// CHECK:         call @autosage_parallel_for(%[[COUNT64]], %[[ADDRESS]], %[[SPACE]])
// CHECK-NOT:     scf.parallel
//
// LLVM-LABEL:  llvm.func internal @fill_parallel(
// LLVM-NOT:    unrealized_conversion_cast
// LLVM-LABEL:  llvm.func @fill(
// LLVM:          llvm.mlir.addressof @fill_parallel
// LLVM:          llvm.call @autosage_parallel_for
func.func @fill(%m: memref<?xf32>, %lb: index, %ub: index, %step: index) {
  %v = arith.constant 1.0 : f32
  scf.parallel (%i) = (%lb) to (%ub) step (%step) {
    memref.store %v, %m[%i] : memref<?xf32>
  }
  return
}

// -----

// The outermost loop of a nest is taken; loops one after another get functions
// of their own, and the struct of a loop in a loop is made once.
// CHECK-DAG:   func.func private @nest_parallel(
// CHECK-DAG:   func.func private @nest_parallel_0(
// CHECK:         scf.for
// CHECK:           scf.parallel
// CHECK-LABEL: func.func @nest(
// CHECK-COUNT-2: llvm.alloca
// CHECK:         scf.for
// CHECK-NOT:       llvm.alloca
// CHECK:           call @autosage_parallel_for
// CHECK:         call @autosage_parallel_for
func.func @nest(%m: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  scf.for %k = %c0 to %n step %c1 {
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      memref.store %v, %m[%i, %k] : memref<?x?xf32>
    }
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c0) to (%n) step (%c1) {
      memref.store %v, %m[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// -----

// A body that uses nothing from outside gets a null pointer.
// CHECK-LABEL: func.func @alone(
// CHECK:         %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK:         call @autosage_parallel_for(%{{.*}}, %{{.*}}, %[[NULL]])
func.func private @work(index)
func.func @alone(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    func.call @work(%i) : (index) -> ()
  }
  return
}

// -----

// What is left: several dimensions, reductions, values that LLVM has no type
// for.
// CHECK-NOT:   autosage_parallel_for
// CHECK-LABEL: func.func @left(
// CHECK-COUNT-3: scf.parallel
// CHECK-NOT:   autosage_parallel_for
func.func private @use(tensor<4xf32>, index)
func.func @left(%m: memref<?x?xf32>, %t: tensor<4xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
    memref.store %v, %m[%i, %j] : memref<?x?xf32>
  }
  %sum = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%v) -> f32 {
    %x = memref.load %m[%i, %i] : memref<?x?xf32>
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    func.call @use(%t, %i) : (tensor<4xf32>, index) -> ()
  }
  return %sum : f32
}
