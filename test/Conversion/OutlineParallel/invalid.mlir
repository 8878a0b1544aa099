// RUN: autosage-opt %s --split-input-file --verify-diagnostics --autosage-outline-parallel

// expected-error @below {{'func.func' op expects the symbol autosage_parallel_for to declare a func.func of type '(i64, !llvm.ptr, !llvm.ptr) -> ()'}}
func.func private @autosage_parallel_for(i64)
func.func @f(%m: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %i, %m[%i] : memref<?xindex>
  }
  return
}

// -----

// A declaration of the right type is used as it is.
func.func private @autosage_parallel_for(i64, !llvm.ptr, !llvm.ptr)
func.func @f(%m: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %i, %m[%i] : memref<?xindex>
  }
  return
}
