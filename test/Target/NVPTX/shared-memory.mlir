// RUN: autosage-opt %s --autosage-module-to-binary=format=isa -split-input-file -verify-diagnostics

gpu.module @static [#nvvm.target<chip = "sm_90">] {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<75000 x f32>
  // expected-error @below {{expects at most 232448 bytes of shared memory a block on sm_90, got 300000 in kernel 'k'}}
  llvm.func @k() attributes {nvvm.kernel} {
    %0 = llvm.mlir.addressof @tile : !llvm.ptr<3>
    llvm.return
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @host() {
    %c1 = arith.constant 1 : index
    %bytes = arith.constant 300000 : i32
    gpu.launch_func @dynamic::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) dynamic_shared_memory_size %bytes
    return
  }
  gpu.module @dynamic [#nvvm.target<chip = "sm_80">] {
    // expected-error @below {{expects at most 166912 bytes of shared memory a block on sm_80, got 300000 in kernel 'k'}}
    llvm.func @k() attributes {nvvm.kernel, gpu.kernel} {
      llvm.return
    }
  }
}
