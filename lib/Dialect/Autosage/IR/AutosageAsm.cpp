//===- AutosageAsm.cpp - custom directives of the dialect -----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AutosageAsm.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::autosage;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

ParseResult mlir::autosage::parseLayout(AsmParser &parser, LayoutKind &kind,
                                        int64_t &chunk, TaskOrder &order) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<LayoutKind> parsed = symbolizeLayoutKind(keyword);
  if (!parsed)
    return parser.emitError(loc, "unknown layout '")
           << keyword << "', expects csr or tasks<chunk, order>";
  kind = *parsed;
  chunk = 0;
  order = TaskOrder::Stored;
  if (kind == LayoutKind::Csr)
    return success();
  SMLoc orderLoc;
  if (parser.parseLess() || parser.parseInteger(chunk) || parser.parseComma())
    return failure();
  orderLoc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<TaskOrder> parsedOrder = symbolizeTaskOrder(keyword);
  if (!parsedOrder)
    return parser.emitError(orderLoc, "unknown task order '")
           << keyword << "', expects stored, length or locality";
  order = *parsedOrder;
  return parser.parseGreater();
}

void mlir::autosage::printLayout(AsmPrinter &printer, LayoutKind kind,
                                 int64_t chunk, TaskOrder order) {
  printer << stringifyLayoutKind(kind);
  if (kind == LayoutKind::Tasks)
    printer << '<' << chunk << ", " << stringifyTaskOrder(order) << '>';
}

//===----------------------------------------------------------------------===//
// Lists of `key = value`
//===----------------------------------------------------------------------===//

/// One value of a list. Integers carry no type: `3 : i1` is refused.
static ParseResult parseValue(AsmParser &parser, StringRef key,
                              Attribute &value) {
  Builder &builder = parser.getBuilder();
  StringRef keyword;
  if (succeeded(parser.parseOptionalKeyword(&keyword))) {
    value = builder.getStringAttr(keyword);
    return success();
  }
  std::string text;
  if (succeeded(parser.parseOptionalString(&text))) {
    value = builder.getStringAttr(text);
    return success();
  }
  // Numbers go through the attribute parser, which keeps every bit of a f64.
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseAttribute(value))
    return failure();
  if (auto integer = dyn_cast<IntegerAttr>(value))
    if (integer.getType().isSignlessInteger(64))
      return success();
  if (auto number = dyn_cast<FloatAttr>(value))
    if (number.getType().isF64())
      return success();
  return parser.emitError(loc, "expects ")
         << key << " to be an integer, a number, a keyword or a string, got "
         << value;
}

/// Parses entries that follow what is already there, if anything.
static ParseResult parseEntryList(AsmParser &parser, bool isFirst,
                                  DictionaryAttr &entries) {
  NamedAttrList list;
  while (isFirst || succeeded(parser.parseOptionalComma())) {
    std::string key;
    SMLoc loc = parser.getCurrentLocation();
    if (isFirst) {
      isFirst = false;
      if (failed(parser.parseOptionalKeywordOrString(&key)))
        break;
    } else if (parser.parseKeywordOrString(&key)) {
      return failure();
    }
    if (list.get(key))
      return parser.emitError(loc, "expects '")
             << key << "' once, got it twice";
    Attribute value;
    if (parser.parseEqual() || parseValue(parser, key, value))
      return failure();
    list.append(key, value);
  }
  entries = list.getDictionary(parser.getContext());
  return success();
}

/// Whether `text` reads back as a keyword.
static bool isKeyword(StringRef text) {
  return !text.empty() && (llvm::isAlpha(text[0]) || text[0] == '_') &&
         llvm::all_of(text, [](char c) {
           return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
         });
}

/// Whether upstream prints the number by its bits, as it does where six digits
/// do not tell it and all of them have no point, 16777217 for one. Without a
/// type that reads back as an integer.
static bool printsAsBits(FloatAttr number) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  number.print(stream, /*elideType=*/true);
  return StringRef(text).starts_with("0x");
}

static void printEntry(AsmPrinter &printer, NamedAttribute entry) {
  printer.printKeywordOrString(entry.getName().getValue());
  printer << " = ";
  if (auto text = dyn_cast<StringAttr>(entry.getValue())) {
    if (isKeyword(text.getValue()))
      printer << text.getValue();
    else
      printer.printString(text.getValue());
  } else if (auto number = dyn_cast<FloatAttr>(entry.getValue());
             number && printsAsBits(number)) {
    printer << number;
  } else if (isa<IntegerAttr, FloatAttr>(entry.getValue())) {
    // The types are always i64 and f64.
    printer.printAttributeWithoutType(entry.getValue());
  } else {
    printer << entry.getValue();
  }
}

ParseResult mlir::autosage::parseEntries(AsmParser &parser,
                                         DictionaryAttr &entries) {
  return parseEntryList(parser, /*isFirst=*/true, entries);
}

void mlir::autosage::printEntries(AsmPrinter &printer, DictionaryAttr entries) {
  llvm::interleaveComma(entries, printer.getStream(),
                        [&](NamedAttribute e) { printEntry(printer, e); });
}

ParseResult mlir::autosage::parseSchedule(AsmParser &parser, StringAttr &family,
                                          DictionaryAttr &knobs) {
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return failure();
  family = parser.getBuilder().getStringAttr(keyword);
  return parseEntryList(parser, /*isFirst=*/false, knobs);
}

void mlir::autosage::printSchedule(AsmPrinter &printer, StringAttr family,
                                   DictionaryAttr knobs) {
  printer << family.getValue();
  for (NamedAttribute knob : knobs) {
    printer << ", ";
    printEntry(printer, knob);
  }
}

ParseResult mlir::autosage::parseDecision(AsmParser &parser, DecidedBy &by,
                                          DictionaryAttr &entries) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<DecidedBy> parsed = symbolizeDecidedBy(keyword);
  if (!parsed)
    return parser.emitError(loc, "unknown decider '")
           << keyword
           << "', expects user, cache, class, probe, estimate or fallback";
  by = *parsed;
  return parseEntryList(parser, /*isFirst=*/false, entries);
}

void mlir::autosage::printDecision(AsmPrinter &printer, DecidedBy by,
                                   DictionaryAttr entries) {
  printer << stringifyDecidedBy(by);
  for (NamedAttribute entry : entries) {
    printer << ", ";
    printEntry(printer, entry);
  }
}

//===----------------------------------------------------------------------===//
// Attribute dictionaries
//===----------------------------------------------------------------------===//

/// What ops write in front of their dictionary, or as lists of operands.
static constexpr StringRef kWrittenElsewhere[] = {
    "reduction", "combine", "score",    "kind",     "order",
    "layout",    "stats",   "schedule", "decision", "operandSegmentSizes"};

ParseResult mlir::autosage::parseAttributes(OpAsmParser &parser,
                                            NamedAttrList &attributes) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(attributes))
    return failure();
  for (StringRef name : kWrittenElsewhere)
    if (attributes.get(name))
      return parser.emitError(loc, "expects '")
             << name << "' in front of the attribute dictionary, got it inside";
  return success();
}

void mlir::autosage::printAttributes(OpAsmPrinter &printer, Operation *,
                                     DictionaryAttr attributes) {
  printer.printOptionalAttrDict(attributes.getValue(), kWrittenElsewhere);
}

//===----------------------------------------------------------------------===//
// Lists of types
//===----------------------------------------------------------------------===//

ParseResult mlir::autosage::parseTypeList(OpAsmParser &parser, bool hasPattern,
                                          Type &pattern, ArrayRef<Type *> dense,
                                          SmallVectorImpl<Type> &outs,
                                          SmallVectorImpl<Type> &results) {
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  auto parseOne = [&] { return parser.parseType(types.emplace_back()); };
  bool arrow = succeeded(parser.parseOptionalArrow());
  if (!arrow) {
    if (parseOne())
      return failure();
    while (succeeded(parser.parseOptionalComma()))
      if (parseOne())
        return failure();
    arrow = succeeded(parser.parseOptionalArrow());
  }
  size_t expected = dense.size() + (hasPattern ? 1 : 0);
  if (types.size() < expected || (arrow && types.size() != expected))
    return parser.emitError(loc, "expects ")
           << expected << " operand types" << (arrow ? " before '->'" : "")
           << ", got " << types.size();
  size_t next = 0;
  if (hasPattern)
    pattern = types[next++];
  for (Type *type : dense)
    *type = types[next++];
  if (!arrow) {
    outs.append(types.begin() + next, types.end());
    return success();
  }
  if (parser.parseTypeList(results))
    return failure();
  outs.append(results.begin(), results.end());
  return success();
}

void mlir::autosage::printTypeList(OpAsmPrinter &printer, Type pattern,
                                   ArrayRef<Type> dense, TypeRange outs,
                                   TypeRange results) {
  SmallVector<Type> types;
  if (pattern)
    types.push_back(pattern);
  types.append(dense.begin(), dense.end());
  if (results.empty())
    types.append(outs.begin(), outs.end());
  llvm::interleaveComma(types, printer);
  if (results.empty())
    return;
  if (!types.empty())
    printer << ' ';
  printer << "-> ";
  llvm::interleaveComma(results, printer);
}
