// RUN: autosage-opt %s --autosage-launch-to-runtime -split-input-file -verify-diagnostics

func.func @load(%m: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  // expected-error @below {{'memref.load' op expects device memory to be used by autosage ops and copies alone}}
  %v = memref.load %m[%c0] : memref<4xf32>
  return %v : f32
}

// -----

func.func @strided(%a: memref<4x4xf32, strided<[8, 1]>>, %b: memref<4x4xf32>) {
  // expected-error @below {{'memref.copy' op expects contiguous buffers on the GPU path, got 'memref<4x4xf32, strided<[8, 1]>>' and 'memref<4x4xf32>'}}
  memref.copy %a, %b : memref<4x4xf32, strided<[8, 1]>> to memref<4x4xf32>
  return
}

// -----

module attributes {gpu.container_module} {
  // expected-error @below {{expects an object that the runtime can load: assembly, binary or fatbin}}
  gpu.binary @bitcode [#gpu.object<#nvvm.target, offload = "BC">]
}
