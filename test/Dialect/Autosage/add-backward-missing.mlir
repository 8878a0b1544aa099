// RUN: autosage-opt %s --autosage-add-backward=functions=g -verify-diagnostics

// expected-error @below {{expects a function 'g' to differentiate, got none}}
module {
  func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
    return %x : tensor<?x8xf32>
  }
}
