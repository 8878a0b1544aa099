//===- AutosageEnums.td - keywords of the dialect ----------*- tablegen -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The enumerators repeat those of autosage/Core/Types.h in the same order;
// lib/Dialect/Autosage/IR/AutosageAttrs.cpp asserts that they agree.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_ENUMS_TD
#define AUTOSAGE_ENUMS_TD

include "autosage/Dialect/Autosage/IR/AutosageDialect.td"
include "mlir/IR/EnumAttr.td"

class Autosage_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::autosage";
  let genSpecializedAttr = 0;
}

def Autosage_Reduction : Autosage_Enum<"Reduction", "reduction over the edges of a row", [
  I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Mean", 1, "mean">,
  I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">]>;
def Autosage_Combine : Autosage_Enum<"Combine", "how the two ends of an edge combine", [
  I32EnumAttrCase<"Dot", 0, "dot">, I32EnumAttrCase<"Add", 1, "add">]>;
def Autosage_Score : Autosage_Enum<"Score", "score function of attention", [
  I32EnumAttrCase<"Dot", 0, "dot">, I32EnumAttrCase<"Gat", 1, "gat">,
  I32EnumAttrCase<"Gatv2", 2, "gatv2">]>;
def Autosage_LayoutKind : Autosage_Enum<"LayoutKind", "storage layout of a pattern", [
  I32EnumAttrCase<"Csr", 0, "csr">, I32EnumAttrCase<"Tasks", 1, "tasks">]>;
def Autosage_TaskOrder : Autosage_Enum<"TaskOrder", "order of a task list", [
  I32EnumAttrCase<"Stored", 0, "stored">, I32EnumAttrCase<"Length", 1, "length">,
  I32EnumAttrCase<"Locality", 2, "locality">]>;
def Autosage_DecidedBy : Autosage_Enum<"DecidedBy", "who chose a schedule", [
  I32EnumAttrCase<"User", 0, "user">, I32EnumAttrCase<"Cache", 1, "cache">,
  I32EnumAttrCase<"Class", 2, "class">, I32EnumAttrCase<"Probe", 3, "probe">,
  I32EnumAttrCase<"Estimate", 4, "estimate">, I32EnumAttrCase<"Fallback", 5, "fallback">]>;
def Autosage_DimKind : Autosage_Enum<"DimKind", "a size of a pattern", [
  I32EnumAttrCase<"Rows", 0, "rows">, I32EnumAttrCase<"Cols", 1, "cols">,
  I32EnumAttrCase<"Nnz", 2, "nnz">]>;

def Autosage_ReductionAttr : EnumAttr<Autosage_Dialect, Autosage_Reduction, "reduction">;
def Autosage_CombineAttr : EnumAttr<Autosage_Dialect, Autosage_Combine, "combine">;
def Autosage_ScoreAttr : EnumAttr<Autosage_Dialect, Autosage_Score, "score">;
def Autosage_TaskOrderAttr : EnumAttr<Autosage_Dialect, Autosage_TaskOrder, "task_order">;
def Autosage_DimKindAttr : EnumAttr<Autosage_Dialect, Autosage_DimKind, "dim_kind">;

#endif // AUTOSAGE_ENUMS_TD
