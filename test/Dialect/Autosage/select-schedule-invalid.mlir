// RUN: not autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule{oracle=guess}))" 2>&1 | FileCheck %s --check-prefix=ORACLE
// RUN: not autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule{target=tpu}))" 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule{vector-bits=0}))" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule{vector-bits=-512}))" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule{vector-bits=wide}))" 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule{cache=FILE}))" 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-verify-schedule{target=tpu}))" 2>&1 | FileCheck %s --check-prefix=TARGETS
// RUN: not autosage-opt %s --autosage-cpu-pipeline=vector-bits=100 2>&1 | FileCheck %s --check-prefix=PIPELINE

// ORACLE: [[#@LINE+8]]:1: error: expects oracle to be estimate, got 'guess'
// TARGET: [[#@LINE+7]]:1: error: expects target to be cpu, simt or nvptx, got 'tpu'
// TARGETS: [[#@LINE+6]]:1: error: expects target to be cpu, simt or nvptx, got 'tpu'
// ZERO: [[#@LINE+5]]:1: error: expects vector-bits to be 128, 256 or 512, got 0
// NEGATIVE: [[#@LINE+4]]:1: error: expects vector-bits to be 128, 256 or 512, got -512
// WORD: 'wide' value invalid for long argument
// OPTION: no such option cache
// PIPELINE: [[#@LINE+1]]:1: error: expects vector-bits to be 128, 256 or 512, got 100
func.func @f(%p: !autosage.pattern<?x?, i32, i32>) {
  return
}
