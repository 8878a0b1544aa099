// A weighted sum over neighbours, 64 features wide, as a GNN layer has it.
func.func @aggregate(%rowptr: tensor<?xi32>, %colind: tensor<?xi32>, %nodes: index,
                     %weights: tensor<?xf32>, %x: tensor<?x64xf32>,
                     %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %graph = autosage.pattern %rowptr, %colind, %nodes
      : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  %y = autosage.spmm sum %graph[%weights : tensor<?xf32>], %x outs(%y0)
      : !autosage.pattern<?x?, i32, i32>, tensor<?x64xf32> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
