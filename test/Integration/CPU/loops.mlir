// Loops that carry a tensor, or a pattern, from one iteration to the next in a
// new buffer: layers of a network, and a pattern transposed in turns.
//
// RUN: autosage-opt %s --autosage-cpu-pipeline \
// RUN:   | mlir-runner -e main --entry-point-result=void \
// RUN:     --shared-libs=%mlir_lib_dir/libmlir_runner_utils.so,%mlir_lib_dir/libmlir_c_runner_utils.so \
// RUN:   | FileCheck %s

!p = !autosage.pattern<?x?, i32, i32>

func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}

// Row i has one edge, to i + 1 mod 3.
func.func private @cycle() -> (tensor<?xi32>, tensor<?xi32>) {
  %rp = arith.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  %ci = arith.constant dense<[1, 2, 0]> : tensor<3xi32>
  %rp_any = tensor.cast %rp : tensor<4xi32> to tensor<?xi32>
  %ci_any = tensor.cast %ci : tensor<3xi32> to tensor<?xi32>
  return %rp_any, %ci_any : tensor<?xi32>, tensor<?xi32>
}

func.func private @layers(%n: index, %x: tensor<?x1xf32>) -> tensor<?x1xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %rp, %ci = call @cycle() : () -> (tensor<?xi32>, tensor<?xi32>)
  %p = autosage.pattern %rp, %ci, %c3 : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x) -> tensor<?x1xf32> {
    %o = tensor.empty(%c3) : tensor<?x1xf32>
    %y = autosage.spmm sum %p, %h outs(%o) : !p, tensor<?x1xf32> -> tensor<?x1xf32>
    scf.yield %y : tensor<?x1xf32>
  }
  return %r : tensor<?x1xf32>
}

func.func private @transposes(%n: index, %x: tensor<?x1xf32>) -> tensor<?x1xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %rp, %ci = call @cycle() : () -> (tensor<?xi32>, tensor<?xi32>)
  %p = autosage.pattern %rp, %ci, %c3 : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  %q = scf.for %i = %c0 to %n step %c1 iter_args(%r = %p) -> !p {
    %t, %perm = autosage.transpose %r : !p
    scf.yield %t : !p
  }
  %o = tensor.empty(%c3) : tensor<?x1xf32>
  %y = autosage.spmm sum %q, %x outs(%o) : !p, tensor<?x1xf32> -> tensor<?x1xf32>
  return %y : tensor<?x1xf32>
}

func.func private @print(%y: tensor<?x1xf32>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %y, %c0 : tensor<?x1xf32>
  %out = memref.alloc(%rows) : memref<?x1xf32>
  bufferization.materialize_in_destination %y in restrict writable %out : (tensor<?x1xf32>, memref<?x1xf32>) -> ()
  %any = memref.cast %out : memref<?x1xf32> to memref<*xf32>
  call @printMemrefF32(%any) : (memref<*xf32>) -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %x3 = arith.constant dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>
  %x = tensor.cast %x3 : tensor<3x1xf32> to tensor<?x1xf32>

  // No layer at all, then two.
  // CHECK: {{^\[\[}}1],
  // CHECK-NEXT: {{^}} [2],
  // CHECK-NEXT: {{^}} [3]]
  %none = call @layers(%c0, %x) : (index, tensor<?x1xf32>) -> tensor<?x1xf32>
  call @print(%none) : (tensor<?x1xf32>) -> ()
  // CHECK: {{^\[\[}}3],
  // CHECK-NEXT: {{^}} [1],
  // CHECK-NEXT: {{^}} [2]]
  %two = call @layers(%c2, %x) : (index, tensor<?x1xf32>) -> tensor<?x1xf32>
  call @print(%two) : (tensor<?x1xf32>) -> ()

  // Transposed three times, and twice.
  // CHECK: {{^\[\[}}3],
  // CHECK-NEXT: {{^}} [1],
  // CHECK-NEXT: {{^}} [2]]
  %odd = call @transposes(%c3, %x) : (index, tensor<?x1xf32>) -> tensor<?x1xf32>
  call @print(%odd) : (tensor<?x1xf32>) -> ()
  // CHECK: {{^\[\[}}2],
  // CHECK-NEXT: {{^}} [3],
  // CHECK-NEXT: {{^}} [1]]
  %even = call @transposes(%c2, %x) : (index, tensor<?x1xf32>) -> tensor<?x1xf32>
  call @print(%even) : (tensor<?x1xf32>) -> ()
  return
}
