// A column number beyond x, planted in place of a right one: the emulator says
// which kernel read what, and the process goes on. Memory of the host is none
// that a kernel may read.
//
// REQUIRES: stock-tools
// DEFINE: %{edit} =
// DEFINE: %{run} = cat %s %S/Inputs/device.mlir | sed %{edit} | autosage-opt --autosage-to-simt-pipeline \
// DEFINE:   | mlir-runner -e main --entry-point-result=void --shared-libs=%simt_libs
// REDEFINE: %{edit} = -e s/COLUMN/2/
// RUN: %{run} | FileCheck %s --check-prefix=RIGHT
// REDEFINE: %{edit} = -e s/COLUMN/3/
// RUN: %{run} | FileCheck %s --check-prefix=BEYOND
// REDEFINE: %{edit} = -e s/COLUMN/2/ -e 's/to_tensor %x_buffer/to_tensor %x_host/'
// RUN: %{run} | FileCheck %s --check-prefix=HOST

memref.global "private" constant @rowptr : memref<3xi32> = dense<[0, 1, 2]>
memref.global "private" constant @colind : memref<2xi32> = dense<[0, COLUMN]>
memref.global "private" constant @x : memref<3x1xf32> = dense<[[1.0], [2.0], [3.0]]>

func.func @main() {
  %rowptr_host = memref.get_global @rowptr : memref<3xi32>
  %rowptr_any = memref.cast %rowptr_host : memref<3xi32> to memref<?xi32>
  %rowptr_flat = call @to_device_i32(%rowptr_any) : (memref<?xi32>) -> memref<?xi32>
  %rowptr_buffer = memref.cast %rowptr_flat : memref<?xi32> to memref<3xi32>
  %rowptr = bufferization.to_tensor %rowptr_buffer restrict : memref<3xi32> to tensor<3xi32>
  %colind_host = memref.get_global @colind : memref<2xi32>
  %colind_any = memref.cast %colind_host : memref<2xi32> to memref<?xi32>
  %colind_flat = call @to_device_i32(%colind_any) : (memref<?xi32>) -> memref<?xi32>
  %colind_buffer = memref.cast %colind_flat : memref<?xi32> to memref<2xi32>
  %colind = bufferization.to_tensor %colind_buffer restrict : memref<2xi32> to tensor<2xi32>
  %x_host = memref.get_global @x : memref<3x1xf32>
  %x_line = memref.collapse_shape %x_host [[0, 1]] : memref<3x1xf32> into memref<3xf32>
  %x_any = memref.cast %x_line : memref<3xf32> to memref<?xf32>
  %x_flat = call @to_device_f32(%x_any) : (memref<?xf32>) -> memref<?xf32>
  %x_buffer = memref.reinterpret_cast %x_flat to offset: [0], sizes: [3, 1], strides: [1, 1]
      : memref<?xf32> to memref<3x1xf32>
  %x = bufferization.to_tensor %x_buffer restrict : memref<3x1xf32> to tensor<3x1xf32>
  %n = arith.constant 3 : index
  %p = autosage.pattern %rowptr, %colind, %n : tensor<3xi32>, tensor<2xi32> -> <2x3, i32, i32>
  %y0 = tensor.empty() : tensor<2x1xf32>
  %y = autosage.spmm sum %p, %x outs(%y0) schedule<row_group>
      : !autosage.pattern<2x3, i32, i32>, tensor<3x1xf32> -> tensor<2x1xf32>
  // BEYOND: error 101
  // BEYOND: kernel 'spmm_sum', block (0, 0, 0), thread (1, 0, 0): load of 4 bytes is out of bounds, at offset 12 of buffer 'device allocation {{[0-9]+}}' (12 bytes), at <stdin>:
  // HOST:   error 101
  // HOST:   kernel 'spmm_sum', block (0, 0, 0), thread (0, 0, 0): load of 4 bytes is out of bounds
  // RIGHT:  error 0
  call @print_error() : () -> ()
  // RIGHT: [1, 3]
  %y_buffer = bufferization.to_buffer %y : tensor<2x1xf32> to memref<2x1xf32>
  %y_flat = memref.collapse_shape %y_buffer [[0, 1]] : memref<2x1xf32> into memref<2xf32>
  %y_any = memref.cast %y_flat : memref<2xf32> to memref<?xf32>
  call @print_f32(%y_any) : (memref<?xf32>) -> ()
  return
}
