// Outlined loops run by the runtime library, with two families.
//
// REQUIRES: stock-tools
// RUN: autosage-opt %s --autosage-cpu-pipeline=parallel \
// RUN:   | env AUTOSAGE_NUM_THREADS=3 mlir-runner -e main --entry-point-result=void \
// RUN:     --shared-libs=%mlir_lib_dir/libmlir_runner_utils.so,%mlir_lib_dir/libmlir_c_runner_utils.so,%runtime \
// RUN:   | FileCheck %s

func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}

// A hub row of four edges, an empty one, and one edge.
func.func private @spmm(%x: tensor<4x2xf32>) {
  %rp = arith.constant dense<[0, 4, 4, 5]> : tensor<4xi32>
  %ci = arith.constant dense<[0, 1, 2, 3, 1]> : tensor<5xi32>
  %n = arith.constant 4 : index
  %p = autosage.pattern %rp, %ci, %n : tensor<4xi32>, tensor<5xi32> -> <3x4, i32, i32>
  %y0 = tensor.empty() : tensor<3x2xf32>
  %rows = autosage.spmm mean %p, %x outs(%y0) schedule<row_parallel, grain = 1, tile = 2, vec = 2>
      : !autosage.pattern<3x4, i32, i32>, tensor<4x2xf32> -> tensor<3x2xf32>
  %z0 = tensor.empty() : tensor<3x2xf32>
  %parts = autosage.spmm mean %p, %x outs(%z0) schedule<nnz_parallel, parts = 4, tile = 2, vec = 2>
      : !autosage.pattern<3x4, i32, i32>, tensor<4x2xf32> -> tensor<3x2xf32>
  %b1 = bufferization.to_buffer %rows : tensor<3x2xf32> to memref<3x2xf32>
  %b2 = bufferization.to_buffer %parts : tensor<3x2xf32> to memref<3x2xf32>
  %print1 = memref.cast %b1 : memref<3x2xf32> to memref<*xf32>
  %print2 = memref.cast %b2 : memref<3x2xf32> to memref<*xf32>
  call @printMemrefF32(%print1) : (memref<*xf32>) -> ()
  call @printMemrefF32(%print2) : (memref<*xf32>) -> ()
  return
}

func.func @main() {
  // CHECK-COUNT-2: {{^\[\[}}2.5,{{ +}}25],{{[[:space:]]+}}[0,{{ +}}0],{{[[:space:]]+}}[2,{{ +}}20]]
  %x = arith.constant dense<[[1.0, 10.0], [2.0, 20.0], [3.0, 30.0], [4.0, 40.0]]> : tensor<4x2xf32>
  call @spmm(%x) : (tensor<4x2xf32>) -> ()
  return
}
