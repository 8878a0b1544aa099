// RUN: autosage-opt %s --autosage-module-to-binary=format=isa -split-input-file -verify-diagnostics

module attributes {gpu.container_module} {
  // expected-error @+1 {{unknown chip 'sm_999', expects one of sm_70, }}
  gpu.module @kernels [#nvvm.target<chip = "sm_999">] {
  }
}

// -----

module attributes {gpu.container_module} {
  // expected-error @+1 {{'gfx90a' is not an NVVM chip}}
  gpu.module @kernels [#nvvm.target<chip = "gfx90a">] {
  }
}

// -----

module attributes {gpu.container_module} {
  // expected-error @+1 {{The target chip cannot be empty.}}
  gpu.module @kernels [#nvvm.target<chip = "">] {
  }
}

// -----

module attributes {gpu.container_module} {
  // expected-error @+1 {{expects a target (#nvvm.target), got a GPU module that has no target}}
  gpu.module @kernels {
  }
}

// -----

module attributes {gpu.container_module} {
  // expected-error @+1 {{expects targets to be #nvvm.target, got #rocdl.target}}
  gpu.module @kernels [#rocdl.target<chip = "gfx90a">] {
  }
}

// -----

module attributes {gpu.container_module} {
  // expected-error @+1 {{expects the module to define 'missing', got a declaration}}
  gpu.module @kernels [#nvvm.target<chip = "sm_90", features = "+ptx83">] {
    llvm.func @missing()
    llvm.func @call() attributes {gpu.kernel, nvvm.kernel} {
      llvm.call @missing() : () -> ()
      llvm.return
    }
  }
}
