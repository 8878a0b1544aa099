// Stock mlir-opt parses, prints and lowers the dialect with the plugin loaded.
//
// REQUIRES: stock-tools
// RUN: mlir-opt --load-dialect-plugin=%plugin %s | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(autosage-cpu-pipeline)' %s \
// RUN:   | FileCheck --check-prefix=LLVM %s
//
// The dialect's registration brings the passes; loading in the other order, or
// twice, registers once.
// RUN: mlir-opt --load-dialect-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(autosage-expand-pattern)' %s \
// RUN:   | FileCheck --check-prefix=EXPAND %s
// RUN: mlir-opt --load-pass-plugin=%plugin --load-dialect-plugin=%plugin \
// RUN:   --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(autosage-expand-pattern)' %s \
// RUN:   | FileCheck --check-prefix=EXPAND %s
//
// What stock mlir-opt lists with the plugin.
// RUN: mlir-opt --load-dialect-plugin=%plugin --show-dialects \
// RUN:   | FileCheck --check-prefix=DIALECTS %s
// RUN: mlir-opt --load-pass-plugin=%plugin --help \
// RUN:   | FileCheck --check-prefix=PASSES %s
//
// It needs no library but the tool's.
// RUN: llvm-readelf --needed-libs %plugin | FileCheck --check-prefix=NEEDED %s
//
// It shows its two entry points and nothing else.
// RUN: llvm-nm -D --defined-only --format=just-symbols %plugin > %t.symbols
// RUN: FileCheck --check-prefix=SYMBOLS --match-full-lines %s < %t.symbols
// RUN: count 2 < %t.symbols

// CHECK-LABEL: func.func @aggregate
// CHECK: autosage.spmm mean
// LLVM-LABEL: llvm.func @aggregate
// LLVM-NOT: autosage.
// EXPAND-LABEL: func.func @aggregate
// EXPAND-NOT: autosage.pattern
// EXPAND: autosage.spmm mean on(

// DIALECTS: {{[, ]}}autosage,
// PASSES-DAG: --autosage-expand-pattern
// PASSES-DAG: --autosage-select-schedule
// PASSES-DAG: --convert-autosage-to-cpu
// PASSES-DAG: --autosage-cpu-pipeline

// NEEDED: NeededLibraries [
// NEEDED-NOT: libAutosage
// NEEDED-DAG: libLLVM.so.22
// NEEDED-DAG: libMLIR.so.22
// NEEDED-NOT: libAutosage
// NEEDED: ]

// SYMBOLS: mlirGetDialectPluginInfo
// SYMBOLS-NEXT: mlirGetPassPluginInfo

func.func @aggregate(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index,
                     %x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %p = autosage.pattern %rp, %ci, %n : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  %y = autosage.spmm mean %p, %x outs(%y0)
     : !autosage.pattern<?x?, i32, i32>, tensor<?x64xf32> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
