// A GraphSAGE layer with the mean of the neighbours (Hamilton et al., 2017):
//
//   out_i = relu(x_i · Wself + mean over the neighbours j of x_j · Wneighbour + b)
//
// The mean of a node without neighbours is 0. As in gcn.mlir, nothing says where
// it runs.

func.func @main(%rowptr: tensor<?xi32>, %colind: tensor<?xi32>, %x: tensor<?x32xf32>,
                %w_self: tensor<32x16xf32>, %w_neighbour: tensor<32x16xf32>, %b: tensor<16xf32>,
                %out: memref<?x16xf32>)
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %nodes = tensor.dim %x, %c0 : tensor<?x32xf32>
  %graph = autosage.pattern %rowptr, %colind, %nodes : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>

  %empty_mean = tensor.empty(%nodes) : tensor<?x32xf32>
  %mean = autosage.spmm mean %graph, %x outs(%empty_mean)
        : !autosage.pattern<?x?, i32, i32>, tensor<?x32xf32> -> tensor<?x32xf32>

  // Both products add to what is there: the bias, then the first product.
  %empty = tensor.empty(%nodes) : tensor<?x16xf32>
  %bias = linalg.broadcast ins(%b : tensor<16xf32>) outs(%empty : tensor<?x16xf32>) dimensions = [0]
  %own = linalg.matmul ins(%x, %w_self : tensor<?x32xf32>, tensor<32x16xf32>)
                       outs(%bias : tensor<?x16xf32>) -> tensor<?x16xf32>
  %both = linalg.matmul ins(%mean, %w_neighbour : tensor<?x32xf32>, tensor<32x16xf32>)
                        outs(%own : tensor<?x16xf32>) -> tensor<?x16xf32>
  %result = linalg.map ins(%both : tensor<?x16xf32>) outs(%empty : tensor<?x16xf32>)
    (%sum: f32, %unused: f32) {
      %relu = arith.maximumf %sum, %zero : f32
      linalg.yield %relu : f32
    }

  bufferization.materialize_in_destination %result in restrict writable %out
      : (tensor<?x16xf32>, memref<?x16xf32>) -> ()
  return
}
