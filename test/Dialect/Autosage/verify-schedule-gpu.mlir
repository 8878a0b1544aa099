// RUN: autosage-opt %s --autosage-verify-schedule=target=nvptx:sm_89 -split-input-file -verify-diagnostics
// RUN: not autosage-opt %s --autosage-verify-schedule=target=nvptx:sm_999 -split-input-file 2>&1 | FileCheck %s --check-prefix=CHIP

// CHIP: error: unknown chip 'sm_999', expects one of

!p = !autosage.pattern<?x?, i32, i32>

func.func @fits(%p: !p, %x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_tasks, min_blocks = 12> : !p, tensor<?x64xf32> -> tensor<?x64xf32>
  %1 = autosage.spmm sum %p, %0 outs(%y0) schedule<vendor> : !p, tensor<?x64xf32> -> tensor<?x64xf32>
  return %1 : tensor<?x64xf32>
}

// -----

!p = !autosage.pattern<?x?, i32, i32>

func.func @registers(%p: !p, %x: tensor<?x1024xf32>, %y0: tensor<?x1024xf32>) -> tensor<?x1024xf32> {
  // expected-error @below {{'autosage.spmm' op expects unroll * columns of a lane to be at most 128, got 16 * 32 = 512}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_tasks, tile = 1024, unroll = 16> : !p, tensor<?x1024xf32> -> tensor<?x1024xf32>
  return %0 : tensor<?x1024xf32>
}

// -----

!p = !autosage.pattern<?x?, i32, i32>

func.func @threads(%p: !p, %x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  // expected-error @below {{'autosage.spmm' op expects min_blocks * threads of a block to be at most 1536, the threads of a multiprocessor of sm_89, got 16 * 128 = 2048}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_tasks, min_blocks = 16> : !p, tensor<?x64xf32> -> tensor<?x64xf32>
  // expected-error @below {{'autosage.spmm' op expects min_blocks * threads of a block to be at most 1536, the threads of a multiprocessor of sm_89, got 2 * 1024 = 2048}}
  %1 = autosage.spmm sum %p, %0 outs(%y0) schedule<row_group, block = 1024, min_blocks = 2> : !p, tensor<?x64xf32> -> tensor<?x64xf32>
  return %1 : tensor<?x64xf32>
}

// -----

!p = !autosage.pattern<?x?, i32, i32>

func.func @blocks(%p: !p, %x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  // expected-error @below {{'autosage.spmm' op expects min_blocks to be at most 24, the blocks of a multiprocessor of sm_89, got 32}}
  %0 = autosage.spmm sum %p, %x outs(%y0) schedule<row_group, block = 32, min_blocks = 32> : !p, tensor<?x64xf32> -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}
