// Every node takes the mean of its neighbours' features, weighted by the edges. The statistics are Cora's.
func.func @aggregate(%rowptr: tensor<?xi32>, %colind: tensor<?xi32>, %n: index, %w: tensor<?xf32>,
                     %x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %graph = autosage.pattern %rowptr, %colind, %n stats<rows = 2708, nnz = 10556, mean = 3.9, max = 168>
         : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  %y = autosage.spmm mean %graph[%w : tensor<?xf32>], %x outs(%y0)
         : !autosage.pattern<?x?, i32, i32>, tensor<?x64xf32> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
