// From tensors to kernels. Without `lower-host` launches stay; with it all is
// LLVM and calls of the runtime.
// RUN: autosage-opt %s --autosage-nvvm-pipeline=format=isa | FileCheck %s
// RUN: autosage-opt %s --autosage-nvvm-pipeline='format=isa lower-host' | FileCheck %s --check-prefix=HOST
// RUN: autosage-opt %s --autosage-nvvm-pipeline='format=isa lower-host' | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=LLVM
// RUN: autosage-opt %s --autosage-nvvm-pipeline=format=llvm | FileCheck %s --check-prefix=BITCODE
// RUN: not autosage-opt %s --autosage-nvvm-pipeline=chip=sm_999 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not autosage-opt %s --autosage-nvvm-pipeline=chip=gfx90a 2>&1 | FileCheck %s --check-prefix=OTHER

// CHECK-LABEL: func @mean
// CHECK:         gpu.launch_func @autosage_kernels::@spmm_mean
// CHECK:       gpu.binary @autosage_kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_90", features = "+ptx83">, assembly = "
// CHECK-SAME:    .target sm_90

// HOST-NOT:   gpu.
// HOST-NOT:   memref
// HOST-NOT:   unrealized_conversion_cast
// HOST:       llvm.func @mean
// HOST:         llvm.call @autosage_count_tasks
// HOST:         llvm.call @autosage_device_alloc
// HOST:         llvm.call @autosage_build_tasks
// HOST:         llvm.call @autosage_launch_kernel
// HOST:         llvm.call @autosage_device_free
// HOST:       llvm.mlir.global internal @autosage_image_autosage_kernels

// LLVM: @autosage_image_autosage_kernels = internal global { i32, i32, i32, i32, ptr, ptr, i64, ptr } { i32 48, i32 1, i32 2, i32 0,
// LLVM: call i32 @autosage_launch_kernel(ptr @autosage_image_autosage_kernels,

// BITCODE: offload = "BC

// UNKNOWN: error: unknown chip 'sm_999', expects one of
// OTHER: error: 'gfx90a' is not an NVVM chip

func.func @mean(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %q = autosage.prepare %p layout<tasks<64, length>> : !autosage.pattern<?x?, i32, i32>
  %y = autosage.spmm mean %q, %x outs(%y0) schedule<row_tasks, chunk = 64>
     : !autosage.pattern<?x?, i32, i32, tasks<64, length>>, tensor<?x64xf32> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
