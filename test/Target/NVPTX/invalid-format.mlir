// RUN: not autosage-opt %s --autosage-module-to-binary=format=cubin 2>&1 | FileCheck %s

// CHECK: error: expects format to be auto, llvm, isa, bin or fatbin, got 'cubin'

module {
}
