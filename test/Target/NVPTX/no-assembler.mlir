// Without a toolkit only the formats that need one fail, and say what to do.

// DEFINE: %{nothing} = env -u AUTOSAGE_CUDA_TOOLKIT -u CUDA_HOME -u CUDA_PATH -u CUDA_ROOT PATH=
// DEFINE: %{opt} = %build/bin/autosage-opt %s
// RUN: %{nothing} %{opt} --autosage-module-to-binary=format=isa | FileCheck %s --check-prefix=ISA
// RUN: %{nothing} %{opt} --autosage-module-to-binary=format=auto | FileCheck %s --check-prefix=ISA
// RUN: %{nothing} %{opt} --autosage-module-to-binary=format=llvm | FileCheck %s --check-prefix=LLVM
// RUN: not env -u AUTOSAGE_CUDA_TOOLKIT -u CUDA_HOME -u CUDA_PATH -u CUDA_ROOT PATH= %{opt} --autosage-module-to-binary=format=bin 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not env -u AUTOSAGE_CUDA_TOOLKIT -u CUDA_HOME -u CUDA_PATH -u CUDA_ROOT PATH= %{opt} --autosage-module-to-binary=format=fatbin 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not env AUTOSAGE_CUDA_TOOLKIT=%t.none %{opt} --autosage-module-to-binary=format=bin 2>&1 | FileCheck %s --check-prefix=ELSEWHERE

// ISA: .target sm_90
// LLVM: offload = "BC
// NONE: error: expects an assembler for PTX (libnvJitLink or ptxas), got none; set AUTOSAGE_CUDA_TOOLKIT or CUDA_HOME to a CUDA toolkit, or put ptxas on the PATH, or use format=isa
// ELSEWHERE: error: expects an assembler for PTX{{.*}} got none in '{{.*}}.none';

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90", features = "+ptx83">] {
    llvm.func @nothing() attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
}
