//===- Services.h - files and stores for passes -----------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tools hand to passes (autosage/Dialect/Autosage/Transforms/
// PassServices.h): readers of graphs and the store of decisions, and apart from
// them, since it needs the runtime, the probe.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_SERVICES_SERVICES_H
#define AUTOSAGE_SERVICES_SERVICES_H

namespace mlir::autosage {

/// For `graph=FILE` and `oracle=replay`.
void registerFileServices();

/// For `oracle=probe`: plans of libAutosageRuntime measure.
void registerProbeService();

} // namespace mlir::autosage

#endif // AUTOSAGE_SERVICES_SERVICES_H
