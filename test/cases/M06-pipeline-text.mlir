// M06: the text of a pipeline, fed back, is the same pipeline: it prints the same
// text and makes the same IR, byte for byte.
//
// RUN: %python %S/Inputs/feed_back_pipeline.py autosage-opt %s --autosage-cpu-pipeline
// RUN: %python %S/Inputs/feed_back_pipeline.py autosage-opt %s --autosage-cpu-pipeline=vector-bits=128
// RUN: %python %S/Inputs/feed_back_pipeline.py autosage-opt %s --autosage-cpu-pipeline="vector-bits=512"
// RUN: %python %S/Inputs/feed_back_pipeline.py autosage-opt %s --pass-pipeline="builtin.module(autosage-cpu-pipeline{vector-bits=256})"
// RUN: %python %S/Inputs/feed_back_pipeline.py autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule{oracle=estimate target=cpu vector-bits=128},autosage-verify-schedule{target=cpu}),autosage-expand-pattern)"
// RUN: %python %S/Inputs/feed_back_pipeline.py autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule,autosage-verify-schedule),autosage-expand-pattern)"

// An option that is not the default is in the text.
// RUN: autosage-opt %s --autosage-cpu-pipeline=vector-bits=128 --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s
// CHECK: autosage-select-schedule{{.*}}oracle=estimate{{.*}} target=cpu {{.*}}vector-bits=128
// CHECK: autosage-expand-pattern
// CHECK: one-shot-bufferize
// CHECK: convert-autosage-to-cpu
// CHECK: reconcile-unrealized-casts

func.func @f(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %w: tensor<?xf32>, %x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %p = autosage.pattern %rp, %ci, %n : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  %y = autosage.spmm mean %p[%w : tensor<?xf32>], %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x64xf32> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
