//===- AutosageTypes.cpp - the pattern type -------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AutosageAsm.h"
#include "autosage/Dialect/Autosage/IR/Autosage.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;
using namespace mlir::autosage;

/// `RxC, pos, crd [, layout]`; the layout is left out where it is csr.
static ParseResult parsePatternBody(AsmParser &parser, int64_t &rows,
                                    int64_t &cols, Type &position,
                                    Type &coordinate, LayoutAttr &layout) {
  SmallVector<int64_t> dims;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseDimensionList(dims, /*allowDynamic=*/true,
                                /*withTrailingX=*/false))
    return failure();
  if (dims.size() != 2)
    return parser.emitError(loc, "expects rows x columns, got ")
           << dims.size() << " sizes";
  rows = dims[0];
  cols = dims[1];
  if (parser.parseComma() || parser.parseType(position) ||
      parser.parseComma() || parser.parseType(coordinate))
    return failure();
  LayoutKind kind = LayoutKind::Csr;
  int64_t chunk = 0;
  TaskOrder order = TaskOrder::Stored;
  if (succeeded(parser.parseOptionalComma()) &&
      parseLayout(parser, kind, chunk, order))
    return failure();
  layout = LayoutAttr::getChecked([&] { return parser.emitError(loc); },
                                  parser.getContext(), kind, chunk, order);
  return success(layout != nullptr);
}

static void printPatternBody(AsmPrinter &printer, int64_t rows, int64_t cols,
                             Type position, Type coordinate,
                             LayoutAttr layout) {
  printer.printDimensionList({rows, cols});
  printer << ", " << position << ", " << coordinate;
  if (!layout.isCsr()) {
    printer << ", ";
    printLayout(printer, layout.getKind(), layout.getChunk(),
                layout.getOrder());
  }
}

#define GET_TYPEDEF_CLASSES
#include "autosage/Dialect/Autosage/IR/AutosageTypes.cpp.inc"

void AutosageDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "autosage/Dialect/Autosage/IR/AutosageTypes.cpp.inc"
      >();
}

LogicalResult PatternType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  int64_t rows, int64_t cols, Type position,
                                  Type coordinate, LayoutAttr layout) {
  // pattern_type_c1
  for (auto [name, size] :
       {std::pair("rows", rows), std::pair("columns", cols)})
    if (!ShapedType::isDynamic(size) && size < 0)
      return emitError() << "expects " << name << " to be at least 0, got "
                         << size;
  constexpr int64_t mostRows = std::numeric_limits<int64_t>::max() - 1;
  if (rows > mostRows)
    return emitError() << "expects rows to be at most " << mostRows << ", got "
                       << rows;
  // pattern_type_c2
  for (auto [name, type] :
       {std::pair("positions", position), std::pair("coordinates", coordinate)})
    if (!type.isSignlessInteger(32) && !type.isSignlessInteger(64) &&
        !type.isIndex())
      return emitError() << "expects " << name
                         << " to be i32, i64 or index, got " << type;
  if (!layout)
    return emitError() << "expects a layout";
  return success();
}

SmallVector<Type> PatternType::getComponentTypes() const {
  int64_t dynamic = ShapedType::kDynamic;
  int64_t positions =
      ShapedType::isDynamic(getRows()) ? dynamic : getRows() + 1;
  SmallVector<Type> types = {
      RankedTensorType::get({positions}, getPositionType()),
      RankedTensorType::get({dynamic}, getCoordinateType())};
  if (getLayout().getKind() == LayoutKind::Tasks)
    types.push_back(RankedTensorType::get({dynamic, 4}, getPositionType()));
  types.push_back(IndexType::get(getContext()));
  return types;
}

PatternType PatternType::withLayout(LayoutAttr layout) const {
  return get(getContext(), getRows(), getCols(), getPositionType(),
             getCoordinateType(), layout);
}
