// M04: without the vendor's assembler the formats that need none work, and those
// that do name the tool and the setting.
//
// DEFINE: %{format} =
// DEFINE: %{lower} = env -u AUTOSAGE_CUDA_TOOLKIT -u CUDA_HOME -u CUDA_PATH -u CUDA_ROOT PATH= %build/bin/autosage-opt %s --autosage-nvvm-pipeline="format=%{format}"
// REDEFINE: %{format} = llvm
// RUN: %{lower} | FileCheck %s --check-prefix=LLVM
// REDEFINE: %{format} = isa
// RUN: %{lower} | FileCheck %s --check-prefix=ISA
// REDEFINE: %{format} = auto
// RUN: %{lower} | FileCheck %s --check-prefix=ISA
// REDEFINE: %{format} = bin
// RUN: not %{lower} -o %t.bin 2>&1 | FileCheck %s --check-prefix=NONE
// REDEFINE: %{format} = fatbin
// RUN: not %{lower} -o %t.bin 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: test ! -e %t.bin

// LLVM: gpu.binary @autosage_kernels
// LLVM-SAME: offload = "BC
// ISA: gpu.binary @autosage_kernels
// ISA-SAME: .target sm_90
// NONE: error: expects an assembler for PTX (libnvJitLink or ptxas), got none; set AUTOSAGE_CUDA_TOOLKIT or CUDA_HOME to a CUDA toolkit, or put ptxas on the PATH, or use format=isa

func.func @f(%p: !autosage.pattern<4x?, i32, i32>, %x: tensor<?x8xf32>, %y0: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<4x?, i32, i32>, tensor<?x8xf32> -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
