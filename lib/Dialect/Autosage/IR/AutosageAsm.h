//===- AutosageAsm.h - custom directives of the dialect ---------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The irregular parts of the textual form: knob lists, layouts, and the list
// of types at the end of an op. Everything else is declarative.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_DIALECT_IR_AUTOSAGEASM_H
#define AUTOSAGE_LIB_DIALECT_IR_AUTOSAGEASM_H

#include "autosage/Dialect/Autosage/IR/Autosage.h"

namespace mlir::autosage {

/// `csr` or `tasks<chunk, order>`.
ParseResult parseLayout(AsmParser &parser, LayoutKind &kind, int64_t &chunk,
                        TaskOrder &order);
void printLayout(AsmPrinter &printer, LayoutKind kind, int64_t chunk,
                 TaskOrder order);

/// `key = value, ...`: values are integers (i64), numbers (f64), strings, or
/// keywords (stored as strings). A key given twice is an error.
ParseResult parseEntries(AsmParser &parser, DictionaryAttr &entries);
void printEntries(AsmPrinter &printer, DictionaryAttr entries);

/// `family [, key = value ...]`.
ParseResult parseSchedule(AsmParser &parser, StringAttr &family,
                          DictionaryAttr &knobs);
void printSchedule(AsmPrinter &printer, StringAttr family,
                   DictionaryAttr knobs);

/// `who [, key = value ...]`.
ParseResult parseDecision(AsmParser &parser, DecidedBy &by,
                          DictionaryAttr &entries);
void printDecision(AsmPrinter &printer, DecidedBy by, DictionaryAttr entries);

/// The attribute dictionary without what the op writes elsewhere: a clause or a
/// keyword that is repeated in it would win silently, so it is an error.
ParseResult parseAttributes(OpAsmParser &parser, NamedAttrList &attributes);
void printAttributes(OpAsmPrinter &printer, Operation *op,
                     DictionaryAttr attributes);

/// The list of types of a compute op: the pattern's type if there is a pattern,
/// those of the dense operands, then `-> results`, or without results the types
/// of outs.
ParseResult parseTypeList(OpAsmParser &parser, bool hasPattern, Type &pattern,
                          ArrayRef<Type *> dense, SmallVectorImpl<Type> &outs,
                          SmallVectorImpl<Type> &results);
void printTypeList(OpAsmPrinter &printer, Type pattern, ArrayRef<Type> dense,
                   TypeRange outs, TypeRange results);

} // namespace mlir::autosage

#endif // AUTOSAGE_LIB_DIALECT_IR_AUTOSAGEASM_H
