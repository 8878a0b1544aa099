// RUN: autosage-opt %s --pass-pipeline='builtin.module(gpu.module(autosage-dependent-launch))' --split-input-file | FileCheck %s

// Kernels let the next one start, and wait for the one before them first.

// CHECK-LABEL: gpu.module @kernels
// CHECK: llvm.mlir.global external constant @autosage_dependent_launch(1 : i32) {addr_space = 1 : i32, alignment = 4 : i64} : i32
// CHECK: llvm.func @helper
// CHECK-NOT: griddepcontrol
// CHECK: llvm.func @kernel
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NEXT: llvm.call @helper
module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    llvm.func @helper() {
      llvm.return
    }
    llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
      llvm.call @helper() : () -> ()
      llvm.return
    }
  }
}

// -----

// Chips before sm_90 cannot.

// CHECK-LABEL: gpu.module @older
// CHECK-NOT: autosage_dependent_launch
// CHECK-NOT: griddepcontrol
module attributes {gpu.container_module} {
  gpu.module @older [#nvvm.target<chip = "sm_80">] {
    llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
}

// -----

// A module for both kinds has one text.

// CHECK-LABEL: gpu.module @several
// CHECK-NOT: autosage_dependent_launch
// CHECK-NOT: griddepcontrol
module attributes {gpu.container_module} {
  gpu.module @several [#nvvm.target<chip = "sm_90">, #nvvm.target<chip = "sm_80">] {
    llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
}

// -----

// Nothing to launch, nothing to say.

// CHECK-LABEL: gpu.module @helpers
// CHECK-NOT: autosage_dependent_launch
module attributes {gpu.container_module} {
  gpu.module @helpers [#nvvm.target<chip = "sm_90">] {
    llvm.func @helper() {
      llvm.return
    }
  }
}
