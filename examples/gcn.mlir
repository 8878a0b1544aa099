// A graph convolutional network of two layers (Kipf and Welling, 2017):
//
//   out = A · relu(A · X · W1 + b1) · W2 + b2
//
// A is the graph's adjacency matrix with one weight an edge (1/sqrt(d_i · d_j)
// as a rule), X has a row of features for each node. Products with weights come
// first where they make rows shorter.
//
// Sparse products are ops of autosage, all else is linalg on tensors. Nothing
// says where it runs: autosage-cpu-pipeline, autosage-to-simt-pipeline and
// autosage-nvvm-pipeline all take the file as it is. `schedule<vendor>` behind
// the outs of one of the products hands that one to cuSPARSE.

func.func @main(%rowptr: tensor<?xi32>, %colind: tensor<?xi32>, %weights: tensor<?xf32>,
                %x: tensor<?x32xf32>, %w1: tensor<32x16xf32>, %b1: tensor<16xf32>,
                %w2: tensor<16x8xf32>, %b2: tensor<8xf32>, %out: memref<?x8xf32>)
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %nodes = tensor.dim %x, %c0 : tensor<?x32xf32>
  %graph = autosage.pattern %rowptr, %colind, %nodes : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>

  // X · W1
  %empty1 = tensor.empty(%nodes) : tensor<?x16xf32>
  %zeros1 = linalg.fill ins(%zero : f32) outs(%empty1 : tensor<?x16xf32>) -> tensor<?x16xf32>
  %xw = linalg.matmul ins(%x, %w1 : tensor<?x32xf32>, tensor<32x16xf32>)
                      outs(%zeros1 : tensor<?x16xf32>) -> tensor<?x16xf32>
  // A · that
  %sum1 = autosage.spmm sum %graph[%weights : tensor<?xf32>], %xw outs(%empty1)
        : !autosage.pattern<?x?, i32, i32>, tensor<?x16xf32> -> tensor<?x16xf32>
  // Bias and ReLU
  %hidden = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                                             affine_map<(i, j) -> (i, j)>],
                            iterator_types = ["parallel", "parallel"]}
      ins(%sum1, %b1 : tensor<?x16xf32>, tensor<16xf32>) outs(%empty1 : tensor<?x16xf32>) {
  ^bb0(%s: f32, %b: f32, %unused: f32):
    %biased = arith.addf %s, %b : f32
    %relu = arith.maximumf %biased, %zero : f32
    linalg.yield %relu : f32
  } -> tensor<?x16xf32>

  // The second layer, without an activation
  %empty2 = tensor.empty(%nodes) : tensor<?x8xf32>
  %zeros2 = linalg.fill ins(%zero : f32) outs(%empty2 : tensor<?x8xf32>) -> tensor<?x8xf32>
  %hw = linalg.matmul ins(%hidden, %w2 : tensor<?x16xf32>, tensor<16x8xf32>)
                      outs(%zeros2 : tensor<?x8xf32>) -> tensor<?x8xf32>
  %sum2 = autosage.spmm sum %graph[%weights : tensor<?xf32>], %hw outs(%empty2)
        : !autosage.pattern<?x?, i32, i32>, tensor<?x8xf32> -> tensor<?x8xf32>
  %bias2 = linalg.broadcast ins(%b2 : tensor<8xf32>) outs(%empty2 : tensor<?x8xf32>) dimensions = [0]
  %result = linalg.add ins(%sum2, %bias2 : tensor<?x8xf32>, tensor<?x8xf32>)
                       outs(%empty2 : tensor<?x8xf32>) -> tensor<?x8xf32>

  bufferization.materialize_in_destination %result in restrict writable %out
      : (tensor<?x8xf32>, memref<?x8xf32>) -> ()
  return
}
