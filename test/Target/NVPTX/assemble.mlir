// REQUIRES: ptx-assembler
// RUN: autosage-opt %s --autosage-module-to-binary=format=bin | FileCheck %s --check-prefix=BIN
// RUN: autosage-opt %s --autosage-module-to-binary=format=fatbin | FileCheck %s --check-prefix=FATBIN
// RUN: autosage-opt %s --autosage-module-to-binary | FileCheck %s --check-prefix=BIN

// With a toolkit: machine code for every target of a module, and `auto` is that.

// BIN: gpu.binary @kernels
// BIN-SAME: chip = "sm_80", features = "+ptx83">, bin = "\7FELF
// BIN-SAME: chip = "sm_90", features = "+ptx83">, bin = "\7FELF
// FATBIN: gpu.binary @kernels
// FATBIN-SAME: "P\EDU\BA

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_80", features = "+ptx83">,
                       #nvvm.target<O = 3, chip = "sm_90", features = "+ptx83">] {
    llvm.func @nothing() attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
}
