// SpMM from tensors to kernels that the emulator runs: every reduction, and the
// transposed product.
//
// REQUIRES: stock-tools
// RUN: cat %s %S/Inputs/device.mlir | autosage-opt --autosage-to-simt-pipeline \
// RUN:   | mlir-runner -e main --entry-point-result=void --shared-libs=%simt_libs | FileCheck %s

memref.global "private" constant @rowptr : memref<5xi32> = dense<[0, 2, 2, 3, 3]>
memref.global "private" constant @colind : memref<3xi32> = dense<[0, 2, 1]>
memref.global "private" constant @w : memref<3xf32> = dense<[1.0, 2.0, 3.0]>
memref.global "private" constant @x : memref<6xf32> = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]>
memref.global "private" constant @z : memref<8xf32> = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]>

func.func @main() {
  %rowptr_host = memref.get_global @rowptr : memref<5xi32>
  %rowptr_any = memref.cast %rowptr_host : memref<5xi32> to memref<?xi32>
  %rowptr_flat = call @to_device_i32(%rowptr_any) : (memref<?xi32>) -> memref<?xi32>
  %rowptr_buffer = memref.cast %rowptr_flat : memref<?xi32> to memref<5xi32>
  %rowptr = bufferization.to_tensor %rowptr_buffer restrict : memref<5xi32> to tensor<5xi32>
  %colind_host = memref.get_global @colind : memref<3xi32>
  %colind_any = memref.cast %colind_host : memref<3xi32> to memref<?xi32>
  %colind_flat = call @to_device_i32(%colind_any) : (memref<?xi32>) -> memref<?xi32>
  %colind_buffer = memref.cast %colind_flat : memref<?xi32> to memref<3xi32>
  %colind = bufferization.to_tensor %colind_buffer restrict : memref<3xi32> to tensor<3xi32>
  %w_host = memref.get_global @w : memref<3xf32>
  %w_any = memref.cast %w_host : memref<3xf32> to memref<?xf32>
  %w_flat = call @to_device_f32(%w_any) : (memref<?xf32>) -> memref<?xf32>
  %w_buffer = memref.cast %w_flat : memref<?xf32> to memref<3xf32>
  %w = bufferization.to_tensor %w_buffer restrict : memref<3xf32> to tensor<3xf32>
  %x_host = memref.get_global @x : memref<6xf32>
  %x_any = memref.cast %x_host : memref<6xf32> to memref<?xf32>
  %x_flat = call @to_device_f32(%x_any) : (memref<?xf32>) -> memref<?xf32>
  %x_buffer = memref.reinterpret_cast %x_flat to offset: [0], sizes: [3, 2], strides: [2, 1]
      : memref<?xf32> to memref<3x2xf32>
  %x = bufferization.to_tensor %x_buffer restrict : memref<3x2xf32> to tensor<3x2xf32>
  %z_host = memref.get_global @z : memref<8xf32>
  %z_any = memref.cast %z_host : memref<8xf32> to memref<?xf32>
  %z_flat = call @to_device_f32(%z_any) : (memref<?xf32>) -> memref<?xf32>
  %z_buffer = memref.reinterpret_cast %z_flat to offset: [0], sizes: [4, 2], strides: [2, 1]
      : memref<?xf32> to memref<4x2xf32>
  %z = bufferization.to_tensor %z_buffer restrict : memref<4x2xf32> to tensor<4x2xf32>
  %n = arith.constant 3 : index
  %p = autosage.pattern %rowptr, %colind, %n : tensor<5xi32>, tensor<3xi32> -> <4x3, i32, i32>
  %y0 = tensor.empty() : tensor<4x2xf32>

  %sum = autosage.spmm sum %p[%w : tensor<3xf32>], %x outs(%y0) schedule<row_group>
      : !autosage.pattern<4x3, i32, i32>, tensor<3x2xf32> -> tensor<4x2xf32>
  // CHECK:      sizes = [8]
  // CHECK-NEXT: [11, 14, 0, 0, 9, 12, 0, 0]
  %sum_buffer = bufferization.to_buffer %sum : tensor<4x2xf32> to memref<4x2xf32>
  %sum_flat = memref.collapse_shape %sum_buffer [[0, 1]] : memref<4x2xf32> into memref<8xf32>
  %sum_any = memref.cast %sum_flat : memref<8xf32> to memref<?xf32>
  call @print_f32(%sum_any) : (memref<?xf32>) -> ()

  %mean = autosage.spmm mean %p[%w : tensor<3xf32>], %x outs(%y0) schedule<row_tasks, chunk = 32>
      : !autosage.pattern<4x3, i32, i32>, tensor<3x2xf32> -> tensor<4x2xf32>
  // CHECK:      sizes = [8]
  // CHECK-NEXT: [5.5, 7, 0, 0, 9, 12, 0, 0]
  %mean_buffer = bufferization.to_buffer %mean : tensor<4x2xf32> to memref<4x2xf32>
  %mean_flat = memref.collapse_shape %mean_buffer [[0, 1]] : memref<4x2xf32> into memref<8xf32>
  %mean_any = memref.cast %mean_flat : memref<8xf32> to memref<?xf32>
  call @print_f32(%mean_any) : (memref<?xf32>) -> ()

  %max = autosage.spmm max %p[%w : tensor<3xf32>], %x outs(%y0) schedule<row_group, lanes = 8, unroll = 1>
      : !autosage.pattern<4x3, i32, i32>, tensor<3x2xf32> -> tensor<4x2xf32>
  // CHECK:      sizes = [8]
  // CHECK-NEXT: [10, 12, 0, 0, 9, 12, 0, 0]
  %max_buffer = bufferization.to_buffer %max : tensor<4x2xf32> to memref<4x2xf32>
  %max_flat = memref.collapse_shape %max_buffer [[0, 1]] : memref<4x2xf32> into memref<8xf32>
  %max_any = memref.cast %max_flat : memref<8xf32> to memref<?xf32>
  call @print_f32(%max_any) : (memref<?xf32>) -> ()

  %min = autosage.spmm min %p[%w : tensor<3xf32>], %x outs(%y0) schedule<row_tasks, order = length>
      : !autosage.pattern<4x3, i32, i32>, tensor<3x2xf32> -> tensor<4x2xf32>
  // CHECK:      sizes = [8]
  // CHECK-NEXT: [1, 2, 0, 0, 9, 12, 0, 0]
  %min_buffer = bufferization.to_buffer %min : tensor<4x2xf32> to memref<4x2xf32>
  %min_flat = memref.collapse_shape %min_buffer [[0, 1]] : memref<4x2xf32> into memref<8xf32>
  %min_any = memref.cast %min_flat : memref<8xf32> to memref<?xf32>
  call @print_f32(%min_any) : (memref<?xf32>) -> ()

  %t0 = tensor.empty() : tensor<3x2xf32>
  %t = autosage.spmm sum %p[%w : tensor<3xf32>], %z outs(%t0) schedule<row_group> {transpose}
      : !autosage.pattern<4x3, i32, i32>, tensor<4x2xf32> -> tensor<3x2xf32>
  // CHECK:      sizes = [6]
  // CHECK-NEXT: [1, 2, 15, 18, 2, 4]
  %t_buffer = bufferization.to_buffer %t : tensor<3x2xf32> to memref<3x2xf32>
  %t_flat = memref.collapse_shape %t_buffer [[0, 1]] : memref<3x2xf32> into memref<6xf32>
  %t_any = memref.cast %t_flat : memref<6xf32> to memref<?xf32>
  call @print_f32(%t_any) : (memref<?xf32>) -> ()
  // CHECK: error 0
  call @print_error() : () -> ()
  return
}
