func.func @tasks(%p: !autosage.pattern<?x?, i32, i32>, %s: tensor<?xf32>, %a0: tensor<?xf32>) -> tensor<?xf32> {
  %q = autosage.prepare %p layout<tasks<64, length>> : !autosage.pattern<?x?, i32, i32>
  %a = autosage.row_softmax %q[%s : tensor<?xf32>] outs(%a0) : !autosage.pattern<?x?, i32, i32, tasks<64, length>> -> tensor<?xf32>
  return %a : tensor<?xf32>
}
