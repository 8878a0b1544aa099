// RUN: autosage-opt %s --pass-pipeline='builtin.module(convert-nvvm-to-simt{checks=none})' | FileCheck %s

// Ops that have a counterpart in the emulator, and those that need none.

gpu.module @m {
  // CHECK-LABEL: llvm.func internal @m_collectives(
  llvm.func @collectives(%mask: i32, %v: i32, %f: f32, %o: i32, %c: i32, %p: i1, %w: i64) {
    // CHECK:      llvm.mlir.zero
    // CHECK-NEXT: %[[UP:.*]] = llvm.mlir.constant(1 : i32)
    // CHECK:      llvm.call @autosage_simt_shuffle(%[[UP]], %arg0, %arg1, %arg3, %arg4, %{{.*}}, %{{.*}}) {convergent, no_unwind}
    %s0 = nvvm.shfl.sync up %mask, %v, %o, %c : i32 -> i32
    // CHECK:      %[[BITS:.*]] = llvm.bitcast %arg2 : f32 to i32
    // CHECK:      %[[R:.*]] = llvm.call @autosage_simt_shuffle(%{{.*}}, %arg0, %[[BITS]], %arg3, %arg4, %[[VALID:.*]], %{{.*}})
    // CHECK:      %[[F:.*]] = llvm.bitcast %[[R]] : i32 to f32
    // CHECK:      llvm.load %[[VALID]] : !llvm.ptr -> i8
    // CHECK:      llvm.insertvalue %[[F]]
    %s1 = nvvm.shfl.sync idx %mask, %f, %o, %c {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
    // CHECK:      llvm.call @autosage_simt_vote(
    // CHECK:      llvm.icmp "ne"
    %v0 = nvvm.vote.sync any %mask, %p -> i1
    // CHECK:      llvm.call @autosage_simt_vote(
    %v1 = nvvm.vote.sync ballot %mask, %p -> i32
    // CHECK:      llvm.call @autosage_simt_match(
    %m0 = nvvm.match.sync any %mask, %v : i32 -> i32
    // CHECK:      llvm.call @autosage_simt_match(
    %m1 = nvvm.match.sync all %mask, %w : i64 -> !llvm.struct<(i32, i1)>
    // CHECK:      llvm.call @autosage_simt_redux(
    %r = nvvm.redux.sync add %v, %mask : i32 -> i32
    // CHECK:      llvm.call @autosage_simt_elect(
    %e = nvvm.elect.sync -> i1
    // CHECK:      llvm.call @autosage_simt_activemask() {convergent, no_unwind}
    %a = llvm.call_intrinsic "llvm.nvvm.activemask"() : () -> i32
    // CHECK:      llvm.call @autosage_simt_syncwarp(%arg0,
    nvvm.bar.warp.sync %mask : i32
    // CHECK:      llvm.call @autosage_simt_barrier(
    nvvm.barrier
    // CHECK:      llvm.call @autosage_simt_barrier_reduce(
    %b = nvvm.barrier #nvvm.reduction<popc> %v -> i32
    llvm.return
  }

  // CHECK-LABEL: llvm.func internal @m_arithmetic(
  llvm.func @arithmetic(%f: f32) -> f32 {
    // CHECK:      llvm.call @autosage_simt_approximate(
    %0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%f) : (f32) -> f32
    // CHECK:      llvm.call @autosage_simt_approximate(
    %1 = nvvm.rcp.approx.ftz.f %0 : f32
    // CHECK:      llvm.call @autosage_simt_to_tf32(
    %2 = nvvm.convert.float.to.tf32 %1 {rnd = #nvvm.fp_rnd_mode<rna>}
    %3 = llvm.bitcast %2 : i32 to f32
    llvm.return %3 : f32
  }

  // CHECK-LABEL: llvm.func internal @m_copies(
  llvm.func @copies(%to: !llvm.ptr<3>, %from: !llvm.ptr<1>, %n: i32) {
    // CHECK:      %[[SIZE:.*]] = llvm.mlir.constant(16 : i32)
    // CHECK:      llvm.call @autosage_simt_cp_async(%arg0, %arg1, %[[SIZE]], %arg2,
    nvvm.cp.async.shared.global %to, %from, 16, cache = cg, %n : !llvm.ptr<3>, !llvm.ptr<1>, i32
    // CHECK:      llvm.call @autosage_simt_cp_async_commit()
    nvvm.cp.async.commit.group
    // CHECK:      %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
    // CHECK:      llvm.call @autosage_simt_cp_async_wait(%[[TWO]])
    nvvm.cp.async.wait.group 2
    // CHECK-NOT:  nvvm
    // CHECK:      llvm.return
    nvvm.memory.barrier <cta>
    llvm.return
  }
}
