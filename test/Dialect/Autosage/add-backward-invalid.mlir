// RUN: autosage-opt %s --autosage-add-backward -split-input-file -verify-diagnostics

!p = !autosage.pattern<?x?, i32, i32>

func.func @other_op(%p: !p, %x: tensor<?x8xf32>, %e: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error @below {{'math.exp' op expects ops of autosage between arguments and results, got one whose gradient is not known}}
  %z = math.exp %x : tensor<?x8xf32>
  %y = autosage.spmm sum %p, %z outs(%e) : !p, tensor<?x8xf32> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

// expected-error @below {{'func.func' op expects one block to differentiate, got 2}}
func.func @blocks(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  cf.br ^bb1
^bb1:
  return %x : tensor<?x8xf32>
}

// -----

// expected-error @below {{'func.func' op expects tensors of floats as results to differentiate, got '(tensor<?xi32>) -> tensor<?xi32>'}}
func.func @integers(%x: tensor<?xi32>) -> tensor<?xi32> {
  return %x : tensor<?xi32>
}

// -----

!p = !autosage.pattern<?x?, i32, i32>

func.func @log_sum_exp(%p: !p, %x: tensor<?x8xf32>, %o0: tensor<?x8xf32>, %l0: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{'autosage.attention' op expects no gradient of the log-sum-exp, got one}}
  %o, %l = autosage.attention dot %p, %x, %x, %x outs(%o0, %l0) : !p, tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32> -> tensor<?x8xf32>, tensor<?xf32>
  return %l : tensor<?xf32>
}

// -----

// expected-error @below {{'func.func' op expects the name 'taken_backward' to be free or declared, got a definition}}
func.func @taken(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  return %x : tensor<?x8xf32>
}
func.func @taken_backward(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  return %x : tensor<?x8xf32>
}

// -----

func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  return %x : tensor<?x8xf32>
}
// expected-error @below {{'func.func' op expects the type '(tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>', got '(tensor<?x8xf32>) -> tensor<?x8xf32>'}}
func.func private @f_backward(tensor<?x8xf32>) -> tensor<?x8xf32>
