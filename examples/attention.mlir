// A whole program: attention on a graph of four nodes, twice. First as one op
// with its log-sum-exp, then as the three ops that it stands for: a score an
// edge, a softmax over the edges of each row, a weighted sum of rows.
//
// Node 0 has three neighbours, node 1 none, node 2 only itself, node 3 the edge
// to node 0 twice. A node without edges gets 0, and -inf as its log-sum-exp.

func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}

func.func @print(%t: tensor<*xf32>) {
  %m = bufferization.to_buffer %t read_only : tensor<*xf32> to memref<*xf32>
  call @printMemrefF32(%m) : (memref<*xf32>) -> ()
  return
}

func.func @main() {
  %rowptr = arith.constant dense<[0, 3, 3, 4, 6]> : tensor<5xi32>
  %colind = arith.constant dense<[0, 2, 3, 2, 0, 0]> : tensor<6xi32>
  %n = arith.constant 4 : index
  %graph = autosage.pattern %rowptr, %colind, %n : tensor<5xi32>, tensor<6xi32> -> <4x4, i32, i32>

  %q = arith.constant dense<[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 0.0]]> : tensor<4x2xf32>
  %k = arith.constant dense<[[1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [1.0, 5.0]]> : tensor<4x2xf32>
  %v = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>

  %o0 = tensor.empty() : tensor<4x2xf32>
  %l0 = tensor.empty() : tensor<4xf32>
  %o, %lse = autosage.attention dot %graph, %q, %k, %v outs(%o0, %l0)
      : !autosage.pattern<4x4, i32, i32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>
      -> tensor<4x2xf32>, tensor<4xf32>

  %s0 = tensor.empty() : tensor<6xf32>
  %s = autosage.sddmm dot %graph, %q, %k outs(%s0)
      : !autosage.pattern<4x4, i32, i32>, tensor<4x2xf32>, tensor<4x2xf32> -> tensor<6xf32>
  %a0 = tensor.empty() : tensor<6xf32>
  %a = autosage.row_softmax %graph[%s : tensor<6xf32>] outs(%a0)
      : !autosage.pattern<4x4, i32, i32> -> tensor<6xf32>
  %c0 = tensor.empty() : tensor<4x2xf32>
  %c = autosage.spmm sum %graph[%a : tensor<6xf32>], %v outs(%c0)
      : !autosage.pattern<4x4, i32, i32>, tensor<4x2xf32> -> tensor<4x2xf32>

  %0 = tensor.cast %o : tensor<4x2xf32> to tensor<*xf32>
  call @print(%0) : (tensor<*xf32>) -> ()
  %1 = tensor.cast %lse : tensor<4xf32> to tensor<*xf32>
  call @print(%1) : (tensor<*xf32>) -> ()
  %2 = tensor.cast %a : tensor<6xf32> to tensor<*xf32>
  call @print(%2) : (tensor<*xf32>) -> ()
  %3 = tensor.cast %c : tensor<4x2xf32> to tensor<*xf32>
  call @print(%3) : (tensor<*xf32>) -> ()
  return
}
