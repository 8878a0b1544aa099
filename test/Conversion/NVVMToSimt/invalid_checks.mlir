// RUN: not autosage-opt %s --pass-pipeline='builtin.module(convert-nvvm-to-simt{checks=bounds,speed})' 2>&1 | FileCheck %s

// CHECK: error: expects checks of bounds, race, uninit, all or none, got speed
module {}
