// What has a number for each edge: SDDMM, row softmax, attention.
//
// REQUIRES: stock-tools
// RUN: cat %s %S/Inputs/device.mlir | autosage-opt --autosage-to-simt-pipeline \
// RUN:   | mlir-runner -e main --entry-point-result=void --shared-libs=%simt_libs | FileCheck %s

memref.global "private" constant @rowptr : memref<5xi32> = dense<[0, 2, 2, 3, 3]>
memref.global "private" constant @colind : memref<3xi32> = dense<[0, 2, 1]>
memref.global "private" constant @q : memref<8xf32> = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]>
memref.global "private" constant @k : memref<6xf32> = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]>
memref.global "private" constant @l : memref<3xf32> = dense<[0.0, 0.0, 7.0]>
memref.global "private" constant @a : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
memref.global "private" constant @b : memref<3xf32> = dense<[1.0, -3.0, -2.0]>

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
  %q_host = memref.get_global @q : memref<8xf32>
  %q_any = memref.cast %q_host : memref<8xf32> to memref<?xf32>
  %q_flat = call @to_device_f32(%q_any) : (memref<?xf32>) -> memref<?xf32>
  %q_buffer = memref.reinterpret_cast %q_flat to offset: [0], sizes: [4, 2], strides: [2, 1]
      : memref<?xf32> to memref<4x2xf32>
  %q = bufferization.to_tensor %q_buffer restrict : memref<4x2xf32> to tensor<4x2xf32>
  %k_host = memref.get_global @k : memref<6xf32>
  %k_any = memref.cast %k_host : memref<6xf32> to memref<?xf32>
  %k_flat = call @to_device_f32(%k_any) : (memref<?xf32>) -> memref<?xf32>
  %k_buffer = memref.reinterpret_cast %k_flat to offset: [0], sizes: [3, 2], strides: [2, 1]
      : memref<?xf32> to memref<3x2xf32>
  %k = bufferization.to_tensor %k_buffer restrict : memref<3x2xf32> to tensor<3x2xf32>
  %l_host = memref.get_global @l : memref<3xf32>
  %l_any = memref.cast %l_host : memref<3xf32> to memref<?xf32>
  %l_flat = call @to_device_f32(%l_any) : (memref<?xf32>) -> memref<?xf32>
  %l_buffer = memref.cast %l_flat : memref<?xf32> to memref<3xf32>
  %l = bufferization.to_tensor %l_buffer restrict : memref<3xf32> to tensor<3xf32>
  %a_host = memref.get_global @a : memref<4xf32>
  %a_any = memref.cast %a_host : memref<4xf32> to memref<?xf32>
  %a_flat = call @to_device_f32(%a_any) : (memref<?xf32>) -> memref<?xf32>
  %a_buffer = memref.reinterpret_cast %a_flat to offset: [0], sizes: [4, 1], strides: [1, 1]
      : memref<?xf32> to memref<4x1xf32>
  %a = bufferization.to_tensor %a_buffer restrict : memref<4x1xf32> to tensor<4x1xf32>
  %b_host = memref.get_global @b : memref<3xf32>
  %b_any = memref.cast %b_host : memref<3xf32> to memref<?xf32>
  %b_flat = call @to_device_f32(%b_any) : (memref<?xf32>) -> memref<?xf32>
  %b_buffer = memref.reinterpret_cast %b_flat to offset: [0], sizes: [3, 1], strides: [1, 1]
      : memref<?xf32> to memref<3x1xf32>
  %b = bufferization.to_tensor %b_buffer restrict : memref<3x1xf32> to tensor<3x1xf32>
  %n = arith.constant 3 : index
  %p = autosage.pattern %rowptr, %colind, %n : tensor<5xi32>, tensor<3xi32> -> <4x3, i32, i32>
  %e0 = tensor.empty() : tensor<3xf32>

  %dot = autosage.sddmm dot %p, %q, %k outs(%e0) schedule<row_group> {scale = 0.5 : f32}
      : !autosage.pattern<4x3, i32, i32>, tensor<4x2xf32>, tensor<3x2xf32> -> tensor<3xf32>
  // CHECK:      sizes = [3]
  // CHECK-NEXT: [2.5, 8.5, 19.5]
  %dot_buffer = bufferization.to_buffer %dot : tensor<3xf32> to memref<3xf32>
  %dot_any = memref.cast %dot_buffer : memref<3xf32> to memref<?xf32>
  call @print_f32(%dot_any) : (memref<?xf32>) -> ()

  %f0 = tensor.empty() : tensor<3x1xf32>
  %add = autosage.sddmm add %p, %a, %b outs(%f0) schedule<row_tasks>
      : !autosage.pattern<4x3, i32, i32>, tensor<4x1xf32>, tensor<3x1xf32> -> tensor<3x1xf32>
  // CHECK:      sizes = [3]
  // CHECK-NEXT: [2, -1, 0]
  %add_buffer = bufferization.to_buffer %add : tensor<3x1xf32> to memref<3x1xf32>
  %add_flat = memref.collapse_shape %add_buffer [[0, 1]] : memref<3x1xf32> into memref<3xf32>
  %add_any = memref.cast %add_flat : memref<3xf32> to memref<?xf32>
  call @print_f32(%add_any) : (memref<?xf32>) -> ()

  %softmax = autosage.row_softmax %p[%l : tensor<3xf32>] outs(%e0) schedule<row_tasks>
      : !autosage.pattern<4x3, i32, i32> -> tensor<3xf32>
  // CHECK:      sizes = [3]
  // CHECK-NEXT: [0.5, 0.5, 1]
  %softmax_buffer = bufferization.to_buffer %softmax : tensor<3xf32> to memref<3xf32>
  %softmax_any = memref.cast %softmax_buffer : memref<3xf32> to memref<?xf32>
  call @print_f32(%softmax_any) : (memref<?xf32>) -> ()

  %o0 = tensor.empty() : tensor<4x2xf32>
  %lse0 = tensor.empty() : tensor<4xf32>
  %o, %lse = autosage.attention dot %p, %q, %k, %k outs(%o0, %lse0) schedule<row_group> {scale = 0.125 : f32}
      : !autosage.pattern<4x3, i32, i32>, tensor<4x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>
      -> tensor<4x2xf32>, tensor<4xf32>
  // Logits 0.625 and 2.125: weights 0.18242552 and 0.81757448.
  // CHECK:      sizes = [8]
  // CHECK-NEXT: [4.2703{{[0-9]*}}, 5.2703{{[0-9]*}}, 0, 0, 3, 4, 0, 0]
  %o_buffer = bufferization.to_buffer %o : tensor<4x2xf32> to memref<4x2xf32>
  %o_flat = memref.collapse_shape %o_buffer [[0, 1]] : memref<4x2xf32> into memref<8xf32>
  %o_any = memref.cast %o_flat : memref<8xf32> to memref<?xf32>
  call @print_f32(%o_any) : (memref<?xf32>) -> ()
  // CHECK:      sizes = [4]
  // CHECK-NEXT: [2.32641{{[0-9]*}}, -inf, 4.875{{[0-9]*}}, -inf]
  %lse_buffer = bufferization.to_buffer %lse : tensor<4xf32> to memref<4xf32>
  %lse_any = memref.cast %lse_buffer : memref<4xf32> to memref<?xf32>
  call @print_f32(%lse_any) : (memref<?xf32>) -> ()

  %v_buffer = memref.reinterpret_cast %k_flat to offset: [0], sizes: [3, 1, 2], strides: [2, 2, 1]
      : memref<?xf32> to memref<3x1x2xf32>
  %v = bufferization.to_tensor %v_buffer restrict : memref<3x1x2xf32> to tensor<3x1x2xf32>
  %g0 = tensor.empty() : tensor<4x1x2xf32>
  %gat = autosage.attention gat %p, %a, %b, %v outs(%g0) schedule<row_tasks>
      : !autosage.pattern<4x3, i32, i32>, tensor<4x1xf32>, tensor<3x1xf32>, tensor<3x1x2xf32>
      -> tensor<4x1x2xf32>
  // Logits 2 and 0.2 * -1: weights 0.90024951 and 0.09975049.
  // CHECK:      sizes = [8]
  // CHECK-NEXT: [1.399{{[0-9]*}}, 2.399{{[0-9]*}}, 0, 0, 3, 4, 0, 0]
  %gat_buffer = bufferization.to_buffer %gat : tensor<4x1x2xf32> to memref<4x1x2xf32>
  %gat_flat = memref.collapse_shape %gat_buffer [[0, 1, 2]] : memref<4x1x2xf32> into memref<8xf32>
  %gat_any = memref.cast %gat_flat : memref<8xf32> to memref<?xf32>
  call @print_f32(%gat_any) : (memref<?xf32>) -> ()
  // CHECK: error 0
  call @print_error() : () -> ()
  return
}
