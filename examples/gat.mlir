// A graph attention layer of four heads (Veličković et al., 2018):
//
//   h = x · W, cut into heads;   l_i = h_i · a_l,   r_j = h_j · a_r   for each head
//   score of the edge i → j = leaky_relu(l_i + r_j), softmax over the edges of i
//   out_i = elu(sum of softmax · h_j, heads side by side, + b)
//
// Step by step, each op by itself. `autosage.attention gat` is score, softmax and
// sum as one op, without an array of scores. As in gcn.mlir, nothing says where
// it runs.

func.func @main(%rowptr: tensor<?xi32>, %colind: tensor<?xi32>, %x: tensor<?x16xf32>,
                %w: tensor<16x32xf32>, %a_l: tensor<4x8xf32>, %a_r: tensor<4x8xf32>,
                %b: tensor<32xf32>, %out: memref<?x32xf32>)
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %slope = arith.constant 0.2 : f32
  %nodes = tensor.dim %x, %c0 : tensor<?x16xf32>
  %edges = tensor.dim %colind, %c0 : tensor<?xi32>
  %graph = autosage.pattern %rowptr, %colind, %nodes : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>

  %empty = tensor.empty(%nodes) : tensor<?x32xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x32xf32>) -> tensor<?x32xf32>
  %xw = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x32xf32>)
                      outs(%zeros : tensor<?x32xf32>) -> tensor<?x32xf32>
  %h = tensor.expand_shape %xw [[0], [1, 2]] output_shape [%nodes, 4, 8]
     : tensor<?x32xf32> into tensor<?x4x8xf32>

  // A number for each node and head, by a row of each of the two vectors
  %empty_ends = tensor.empty(%nodes) : tensor<?x4xf32>
  %zero_ends = linalg.fill ins(%zero : f32) outs(%empty_ends : tensor<?x4xf32>) -> tensor<?x4xf32>
  %l, %r = linalg.generic {indexing_maps = [affine_map<(i, h, f) -> (i, h, f)>, affine_map<(i, h, f) -> (h, f)>,
                                            affine_map<(i, h, f) -> (h, f)>, affine_map<(i, h, f) -> (i, h)>,
                                            affine_map<(i, h, f) -> (i, h)>],
                           iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %a_l, %a_r : tensor<?x4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      outs(%zero_ends, %zero_ends : tensor<?x4xf32>, tensor<?x4xf32>) {
  ^bb0(%hv: f32, %lv: f32, %rv: f32, %lsum: f32, %rsum: f32):
    %lp = arith.mulf %hv, %lv : f32
    %rp = arith.mulf %hv, %rv : f32
    %ls = arith.addf %lsum, %lp : f32
    %rs = arith.addf %rsum, %rp : f32
    linalg.yield %ls, %rs : f32, f32
  } -> (tensor<?x4xf32>, tensor<?x4xf32>)

  // Scores of the edges
  %empty_scores = tensor.empty(%edges) : tensor<?x4xf32>
  %sums = autosage.sddmm add %graph, %l, %r outs(%empty_scores)
        : !autosage.pattern<?x?, i32, i32>, tensor<?x4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>
  %scores = linalg.map ins(%sums : tensor<?x4xf32>) outs(%empty_scores : tensor<?x4xf32>)
    (%s: f32, %unused: f32) {
      %small = arith.mulf %s, %slope : f32
      %leaky = arith.maximumf %s, %small : f32
      linalg.yield %leaky : f32
    }
  %softmax = autosage.row_softmax %graph[%scores : tensor<?x4xf32>] outs(%empty_scores)
           : !autosage.pattern<?x?, i32, i32> -> tensor<?x4xf32>

  %empty_heads = tensor.empty(%nodes) : tensor<?x4x8xf32>
  %heads = autosage.spmm sum %graph[%softmax : tensor<?x4xf32>], %h outs(%empty_heads)
         : !autosage.pattern<?x?, i32, i32>, tensor<?x4x8xf32> -> tensor<?x4x8xf32>
  %flat = tensor.collapse_shape %heads [[0], [1, 2]] : tensor<?x4x8xf32> into tensor<?x32xf32>
  %result = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                                             affine_map<(i, j) -> (i, j)>],
                            iterator_types = ["parallel", "parallel"]}
      ins(%flat, %b : tensor<?x32xf32>, tensor<32xf32>) outs(%empty : tensor<?x32xf32>) {
  ^bb0(%s: f32, %bias: f32, %unused: f32):
    %v = arith.addf %s, %bias : f32
    %e = math.exp %v : f32
    %below = arith.subf %e, %one : f32
    %positive = arith.cmpf ogt, %v, %zero : f32
    %elu = arith.select %positive, %v, %below : f32
    linalg.yield %elu : f32
  } -> tensor<?x32xf32>

  bufferization.materialize_in_destination %result in restrict writable %out
      : (tensor<?x32xf32>, memref<?x32xf32>) -> ()
  return
}
