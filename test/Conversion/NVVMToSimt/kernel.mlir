// RUN: autosage-opt %s --convert-nvvm-to-simt | FileCheck %s
// RUN: autosage-opt %s --pass-pipeline='builtin.module(convert-nvvm-to-simt{checks=none})' | FileCheck %s --check-prefix=NONE
// RUN: autosage-opt %s --pass-pipeline='builtin.module(convert-nvvm-to-simt{checks=bounds})' | FileCheck %s --check-prefix=BOUNDS

// A kernel becomes a function of the host, an entry that reads its arguments, a
// line of the module's table, and an image; a launch becomes a call.

module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<64 x f32>
    llvm.mlir.global external @dynamic() {addr_space = 3 : i32} : !llvm.array<0 x i8>
    llvm.mlir.global internal constant @table(dense<[1.0, 2.0]> : tensor<2xf32>) {addr_space = 1 : i32} : !llvm.array<2 x f32>
    llvm.func @__nv_expf(f32) -> f32
    llvm.func @helper(%p: !llvm.ptr<1>) -> f32 {
      %v = llvm.load %p : !llvm.ptr<1> -> f32 loc("helper's load")
      llvm.return %v : f32
    }
    llvm.func @k(%x: !llvm.ptr<1> {llvm.noalias, llvm.dereferenceable = 64 : i64}, %n: i32)
        attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %s = llvm.mlir.addressof @tile : !llvm.ptr<3>
      %d = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
      %t = llvm.mlir.addressof @table : !llvm.ptr<1>
      %v = llvm.call @helper(%x) : (!llvm.ptr<1>) -> f32
      %e = llvm.call @__nv_expf(%v) : (f32) -> f32
      %p = llvm.getelementptr %s[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
      llvm.store %e, %p {alignment = 4 : i64} : f32, !llvm.ptr<3>
      nvvm.barrier0
      %g = llvm.addrspacecast %p : !llvm.ptr<3> to !llvm.ptr
      %old = llvm.atomicrmw fadd %g, %e monotonic : !llvm.ptr, f32
      %w = llvm.load %t : !llvm.ptr<1> -> f32
      llvm.store %w, %d : f32, !llvm.ptr<3>
      llvm.return
    }
  }
  llvm.func @host(%x: !llvm.ptr<1>, %n: i32, %blocks: i64) {
    %c1 = llvm.mlir.constant(1 : i64) : i64
    %c64 = llvm.mlir.constant(64 : i64) : i64
    %bytes = llvm.mlir.constant(128 : i32) : i32
    gpu.launch_func @m::@k blocks in (%blocks, %c1, %c1) threads in (%c64, %c1, %c1) : i64
        dynamic_shared_memory_size %bytes args(%x : !llvm.ptr<1>, %n : i32)
    llvm.return
  }
}

// CHECK-NOT:   gpu.module
// CHECK-DAG:   llvm.func @expf(f32) -> f32
// CHECK-DAG:   llvm.mlir.global internal constant @[[HELPER_SITE:autosage_simt_site.*]]("helper's load\00")
// CHECK-DAG:   llvm.func @autosage_simt_barrier(!llvm.ptr) attributes {convergent, no_unwind}
// CHECK-DAG:   llvm.func @autosage_simt_register(i32) -> i32 attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none
// CHECK-DAG:   llvm.mlir.global internal constant @m_table(dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>) {addr_space = 0 : i32}
//
// CHECK-LABEL: llvm.func internal @m_helper(%{{.*}}: !llvm.ptr) -> f32 {
// 0x20701: a load, all checks, aligned to 4 bytes.
// CHECK:         %[[BYTES:.*]] = llvm.mlir.constant(4 : i64) : i64
// CHECK:         %[[KIND:.*]] = llvm.mlir.constant(132865 : i32) : i32
// CHECK:         %[[SITE:.*]] = llvm.mlir.addressof @[[HELPER_SITE]]
// CHECK:         llvm.call @autosage_simt_check_access(%[[P:.*]], %[[BYTES]], %[[KIND]], %[[SITE]]) {no_unwind}
// CHECK-NEXT:    llvm.load %[[P]]
//
// CHECK-LABEL: llvm.func internal @m_k(%arg0: !llvm.ptr {llvm.noalias}, %arg1: i32) {
// CHECK:         llvm.call @autosage_simt_register(
// CHECK:         %[[ZERO:.*]] = llvm.mlir.constant(0 : i64) : i64
// CHECK:         %[[SIZE:.*]] = llvm.mlir.constant(256 : i64) : i64
// CHECK:         %[[TILE:.*]] = llvm.call @autosage_simt_shared(%[[ZERO]], %[[SIZE]], %{{.*}})
// CHECK:         %[[DYNAMIC:.*]] = llvm.call @autosage_simt_shared_dynamic()
// CHECK:         llvm.mlir.addressof @m_table : !llvm.ptr
// CHECK:         llvm.call @m_helper(%arg0) : (!llvm.ptr) -> f32
// CHECK:         llvm.call @expf(
// CHECK:         %[[PLACE:.*]] = llvm.getelementptr %[[TILE]][
// 0x20702: a store.
// CHECK:         llvm.mlir.constant(132866 : i32)
// CHECK:         llvm.call @autosage_simt_check_access(%[[PLACE]],
// CHECK-NEXT:    llvm.store %{{.*}}, %[[PLACE]] {alignment = 4 : i64}
// CHECK:         llvm.call @autosage_simt_barrier(%{{.*}}) {convergent, no_unwind}
// CHECK-NOT:     addrspacecast
// 0x20707: an atomic update.
// CHECK:         llvm.mlir.constant(132871 : i32)
// CHECK:         llvm.call @autosage_simt_check_access(%[[PLACE]],
// CHECK:         llvm.atomicrmw fadd %[[PLACE]]
// CHECK:         llvm.call @autosage_simt_check_access(%[[DYNAMIC]],
//
// CHECK-LABEL: llvm.func internal @m_k_entry(%arg0: !llvm.ptr) {
// CHECK:         llvm.call @autosage_simt_declare_global(
// CHECK:         %[[X:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK:         %[[N:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> i32
// CHECK:         llvm.call @m_k(%[[X]], %[[N]])
//
// CHECK-LABEL: llvm.func @host(
// CHECK:         %[[IMAGE:.*]] = llvm.mlir.addressof @autosage_image_m : !llvm.ptr
// CHECK:         %[[SHARED:.*]] = llvm.sext %{{.*}} : i32 to i64
// CHECK:         llvm.call @autosage_launch_kernel(%[[IMAGE]], %{{.*}}, %arg2, %{{.*}}, %[[SHARED]], %{{.*}}) {no_unwind}
//
// CHECK:       llvm.mlir.global internal constant @m_kernels() {{.*}} : !llvm.array<2 x struct<(ptr, ptr, i64)>>
// CHECK:         llvm.mlir.addressof @m_k_entry
// CHECK:         llvm.mlir.constant(256 : i64)
// CHECK:       llvm.mlir.global external @autosage_image_m() {{.*}} : !llvm.struct<(i32, i32, i32, i32, ptr, ptr, i64, ptr)>

// NONE-LABEL:   llvm.func internal @m_k(
// NONE-NOT:     autosage_simt_check

// 0x20101: a load, bounds and alignment alone.
// BOUNDS-LABEL: llvm.func internal @m_helper(
// BOUNDS:         llvm.mlir.constant(131329 : i32)
// BOUNDS:         llvm.call @autosage_simt_check_access
