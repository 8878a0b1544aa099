// A copy from a constant of the module becomes a kernel with the numbers in the
// GPU module; the host's copy of them goes where nothing else uses it.
// RUN: autosage-opt %s --autosage-dense-to-gpu --canonicalize --cse | FileCheck %s

// CHECK-NOT:   memref.global {{.*}}@numbers
// CHECK:       memref.global "private" constant @shared
// CHECK-LABEL: func @copies
// CHECK:         gpu.launch_func @autosage_dense::@constant
// CHECK:         gpu.launch_func @autosage_dense::@constant_1
// CHECK:         memref.get_global @shared
// CHECK:         memref.get_global @variable
// CHECK-NEXT:    memref.copy
// CHECK:       gpu.module @autosage_dense
// CHECK-DAG:     llvm.mlir.global internal constant @[[DATA:.*]](dense<[1, 2, 3, 4]> : tensor<4xi64>) {addr_space = 1 : i32, alignment = 16 : i64} : !llvm.array<4 x i64>
// CHECK:         gpu.func @constant(
// CHECK:           llvm.mlir.addressof @[[DATA]] : !llvm.ptr<1>
// CHECK:           llvm.store
memref.global "private" constant @numbers : memref<2x2xindex> = dense<[[1, 2], [3, 4]]>
memref.global "private" constant @shared : memref<2xf32> = dense<[1.0, 2.0]>
memref.global "private" @variable : memref<2xf32> = dense<[1.0, 2.0]>
func.func private @host(memref<2xf32>)
func.func @copies(%a: memref<2x2xindex>, %b: memref<2xf32>) {
  %0 = memref.get_global @numbers : memref<2x2xindex>
  memref.copy %0, %a : memref<2x2xindex> to memref<2x2xindex>
  %1 = memref.get_global @shared : memref<2xf32>
  memref.copy %1, %b : memref<2xf32> to memref<2xf32>
  %2 = memref.get_global @shared : memref<2xf32>
  call @host(%2) : (memref<2xf32>) -> ()
  %3 = memref.get_global @variable : memref<2xf32>
  memref.copy %3, %b : memref<2xf32> to memref<2xf32>
  return
}
