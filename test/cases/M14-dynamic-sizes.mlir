// M14: every size may be dynamic. One compiled function serves 3 x 3 with an empty
// row, 1 x 1 without entries, and no rows at all.
//
// RUN: autosage-opt %s --autosage-cpu-pipeline -o %t
// RUN: mlir-runner %t -e main --entry-point-result=void \
// RUN:   --shared-libs=%mlir_lib_dir/libmlir_runner_utils.so,%mlir_lib_dir/libmlir_c_runner_utils.so \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=ONE < %t

// ONE: llvm.func @spmm(
// ONE-NOT: llvm.func @spmm

func.func private @printMemrefF32(tensor<*xf32>) attributes {llvm.emit_c_interface}

func.func @spmm(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %w: tensor<?xf32>, %x: tensor<?x?xf32>) attributes {noinline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %features = tensor.dim %x, %c1 : tensor<?x?xf32>
  %p = autosage.pattern %rp, %ci, %n : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  %rows = autosage.dim rows %p : !autosage.pattern<?x?, i32, i32>
  %y0 = tensor.empty(%rows, %features) : tensor<?x?xf32>
  %y = autosage.spmm sum %p[%w : tensor<?xf32>], %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %print = tensor.cast %y : tensor<?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%print) : (tensor<*xf32>) -> ()
  return
}

func.func @main() {
  // CHECK: sizes = [3, 2]
  // CHECK-NEXT: {{^\[\[}}11, 14],
  // CHECK-NEXT: {{^}} [0, 0],
  // CHECK-NEXT: {{^}} [9, 12]]
  %rp_a = arith.constant dense<[0, 2, 2, 3]> : tensor<4xi32>
  %ci_a = arith.constant dense<[0, 2, 1]> : tensor<3xi32>
  %w_a = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %x_a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %rp_0 = tensor.cast %rp_a : tensor<4xi32> to tensor<?xi32>
  %ci_0 = tensor.cast %ci_a : tensor<3xi32> to tensor<?xi32>
  %w_0 = tensor.cast %w_a : tensor<3xf32> to tensor<?xf32>
  %x_0 = tensor.cast %x_a : tensor<3x2xf32> to tensor<?x?xf32>
  call @spmm(%rp_0, %ci_0, %w_0, %x_0) : (tensor<?xi32>, tensor<?xi32>, tensor<?xf32>, tensor<?x?xf32>) -> ()

  // CHECK: sizes = [1, 3]
  // CHECK-NEXT: {{^\[\[}}0, 0, 0]]
  %rp_b = arith.constant dense<[0, 0]> : tensor<2xi32>
  %ci_b = tensor.empty() : tensor<0xi32>
  %w_b = tensor.empty() : tensor<0xf32>
  %x_b = arith.constant dense<7.0> : tensor<1x3xf32>
  %rp_1 = tensor.cast %rp_b : tensor<2xi32> to tensor<?xi32>
  %ci_1 = tensor.cast %ci_b : tensor<0xi32> to tensor<?xi32>
  %w_1 = tensor.cast %w_b : tensor<0xf32> to tensor<?xf32>
  %x_1 = tensor.cast %x_b : tensor<1x3xf32> to tensor<?x?xf32>
  call @spmm(%rp_1, %ci_1, %w_1, %x_1) : (tensor<?xi32>, tensor<?xi32>, tensor<?xf32>, tensor<?x?xf32>) -> ()

  // The printer shows a number even where there is none; the sizes are ours.
  // CHECK: sizes = [0, 1]
  %rp_c = arith.constant dense<[0]> : tensor<1xi32>
  %x_c = arith.constant dense<1.0> : tensor<2x1xf32>
  %rp_2 = tensor.cast %rp_c : tensor<1xi32> to tensor<?xi32>
  %x_2 = tensor.cast %x_c : tensor<2x1xf32> to tensor<?x?xf32>
  call @spmm(%rp_2, %ci_1, %w_1, %x_2) : (tensor<?xi32>, tensor<?xi32>, tensor<?xf32>, tensor<?x?xf32>) -> ()
  return
}
