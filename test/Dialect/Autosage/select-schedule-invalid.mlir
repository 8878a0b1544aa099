// RUN: not autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule{oracle=guess}))" 2>&1 | FileCheck %s --check-prefix=ORACLE
// RUN: not autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule{target=tpu}))" 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule{vector-bits=0}))" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule{vector-bits=-512}))" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule{vector-bits=wide}))" 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule{store=FILE}))" 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule{versions=9}))" 2>&1 | FileCheck %s --check-prefix=VERSIONS
// RUN: not autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule{threads=-1}))" 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule{expected-calls=-1}))" 2>&1 | FileCheck %s --check-prefix=CALLS
// RUN: not autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule{guardrail=1.5}))" 2>&1 | FileCheck %s --check-prefix=GUARDRAIL
// RUN: not autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule{budget=-2}))" 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: not autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-select-schedule{graph=%t.absent}))" 2>&1 | FileCheck %s --check-prefix=GRAPH
// RUN: not autosage-opt %s --pass-pipeline="builtin.module(func.func(autosage-verify-schedule{target=tpu}))" 2>&1 | FileCheck %s --check-prefix=TARGETS
// RUN: not autosage-opt %s --autosage-cpu-pipeline=vector-bits=100 2>&1 | FileCheck %s --check-prefix=PIPELINE

// VERSIONS: [[#@LINE+14]]:1: error: expects versions to be 1 to 8, got 9
// THREADS: [[#@LINE+13]]:1: error: expects threads to be 0 to 65536, got -1
// CALLS: [[#@LINE+12]]:1: error: expects expected-calls to be 0 or more, got -1
// GUARDRAIL: [[#@LINE+11]]:1: error: expects guardrail to be above 0 and at most 1, got 1.5
// BUDGET: [[#@LINE+10]]:1: error: expects budget to be 0 or more milliseconds, got -2
// GRAPH: [[#@LINE+9]]:1: error: {{.*}}.absent: no such file
// ORACLE: [[#@LINE+8]]:1: error: expects oracle to be estimate, probe or replay, got 'guess'
// TARGET: [[#@LINE+7]]:1: error: expects target to be cpu, simt or nvptx, got 'tpu'
// TARGETS: [[#@LINE+6]]:1: error: expects target to be cpu, simt or nvptx, got 'tpu'
// ZERO: [[#@LINE+5]]:1: error: expects vector-bits to be 128, 256 or 512, got 0
// NEGATIVE: [[#@LINE+4]]:1: error: expects vector-bits to be 128, 256 or 512, got -512
// WORD: 'wide' value invalid for long argument
// OPTION: no such option store
// PIPELINE: [[#@LINE+1]]:1: error: expects vector-bits to be 128, 256 or 512, got 100
func.func @f(%p: !autosage.pattern<?x?, i32, i32>) {
  return
}
