//===- AutosageInterfaces.td - what passes ask of ops ------*- tablegen -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_INTERFACES_TD
#define AUTOSAGE_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Autosage_SparseOpInterface : OpInterface<"SparseOpInterface"> {
  let cppNamespace = "::mlir::autosage";
  let description = [{
    An op that computes on a pattern, given as a value or as its component
    arrays. What scheduling, expansion and lowering need to know of it, without
    knowing which op it is.
  }];
  let methods = [
    InterfaceMethod<"The pattern, or null after expansion.",
      "::mlir::Value", "getPatternValue", (ins), [{ return $_op.getPattern(); }]>,
    InterfaceMethod<"The component arrays and the number of columns.",
      "::mlir::OperandRange", "getPatternArrays", (ins), [{ return $_op.getArrays(); }]>,
    InterfaceMethod<"The edge values: values, logits or bias. May be null.",
      "::mlir::Value", "getEdgeValues", (ins), [{ return $_op.getValues(); }]>,
    InterfaceMethod<"The statistics, or null.", "::mlir::autosage::StatsAttr",
      "getStatistics", (ins), [{ return $_op.getStatsAttr(); }]>,
    InterfaceMethod<"Sets the statistics.", "void", "setStatistics",
      (ins "::mlir::autosage::StatsAttr":$stats), [{ $_op.setStatsAttr(stats); }]>,
    InterfaceMethod<"The schedule, or null.", "::mlir::autosage::ScheduleAttr",
      "getScheduleAttribute", (ins), [{ return $_op.getScheduleAttr(); }]>,
    InterfaceMethod<"Sets the schedule and who decided it.", "void", "setDecision",
      (ins "::mlir::autosage::ScheduleAttr":$schedule,
           "::mlir::autosage::DecisionAttr":$decision),
      [{ $_op.setScheduleAttr(schedule); $_op.setDecisionAttr(decision); }]>,
    InterfaceMethod<"The layout of the arrays after expansion; csr where none is written.",
      "::mlir::autosage::LayoutAttr", "getPatternLayout", (ins), [{
        if (auto type = ::llvm::dyn_cast_if_present<::mlir::autosage::PatternType>(
                $_op.getPattern() ? $_op.getPattern().getType() : ::mlir::Type()))
          return type.getLayout();
        if (auto layout = $_op.getLayoutAttr())
          return layout;
        return ::mlir::autosage::LayoutAttr::getCsr($_op.getContext());
      }]>,
    InterfaceMethod<"The call as the oracle sees it.", "::autosage::Problem",
      "getProblem", (ins), [{
        return ::mlir::autosage::problemOf($_op.getOperation());
      }]>,
    InterfaceMethod<[{Whether kernels compute the op. One that they do not
      becomes others first, and takes no schedule.}],
      "bool", "hasKernel", (ins), [{}], [{ return true; }]>
  ];
}

#endif // AUTOSAGE_INTERFACES_TD
