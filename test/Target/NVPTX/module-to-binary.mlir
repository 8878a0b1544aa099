// RUN: autosage-opt %s --autosage-module-to-binary=format=isa | FileCheck %s --check-prefix=ISA
// RUN: autosage-opt %s --autosage-module-to-binary=format=llvm | FileCheck %s --check-prefix=LLVM

// A module becomes text for the chip of its target; a wide load of read-only
// memory stays one instruction.

// ISA-NOT: gpu.module
// ISA: gpu.binary @kernels
// ISA-SAME: #gpu.object<#nvvm.target<O = 3, chip = "sm_90", features = "+ptx83">, assembly = "
// ISA-SAME: .version 8.3
// ISA-SAME: .target sm_90
// ISA-SAME: .visible .entry copy(
// ISA-SAME: ld.global.nc.v4.b32
// ISA-SAME: st.global.v4.b32

// LLVM: gpu.binary @kernels
// LLVM-SAME: offload = "BC\C0\DE

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90", features = "+ptx83">] {
    llvm.func @copy(%in: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %out: !llvm.ptr<1> {llvm.noalias})
        attributes {gpu.kernel, nvvm.kernel} {
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %from = llvm.getelementptr inbounds %in[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
      %to = llvm.getelementptr inbounds %out[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
      %v = llvm.load %from {alignment = 16} : !llvm.ptr<1> -> vector<4xf32>
      llvm.store %v, %to {alignment = 16} : vector<4xf32>, !llvm.ptr<1>
      llvm.return
    }
  }
}
