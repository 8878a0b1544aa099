//===- Versions.cpp - several versions of an op behind a switch -----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which version runs depends on the pattern alone, so that the choice and the
// preparations are values that leave loops, while the switch stays where the op
// was. A preparation that no version asks for makes nothing.
//
//===----------------------------------------------------------------------===//

#include "ScheduleChoice.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::autosage;
using ::autosage::Schedule;

LayoutAttr mlir::autosage::layoutFor(SparseOpInterface op,
                                     const Schedule &schedule) {
  if (schedule.family != "row_tasks")
    return {};
  auto spmm = dyn_cast<SpmmOp>(op.getOperation());
  if (spmm && spmm.getTranspose())
    return {}; // tasks are those of the transposed pattern
  auto order = symbolizeTaskOrder(schedule.getWord("order"));
  if (!order)
    return {};
  return LayoutAttr::get(op->getContext(), LayoutKind::Tasks,
                         schedule.get("chunk"), *order);
}

void mlir::autosage::emitVersions(SparseOpInterface op,
                                  ArrayRef<Schedule> versions) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  SmallVector<Attribute> schedules;
  for (const Schedule &schedule : versions)
    schedules.push_back(ScheduleAttr::get(b.getContext(), schedule));
  Value pattern = op.getPatternValue();
  ValueRange arrays =
      pattern ? ValueRange() : ValueRange(op.getPatternArrays());
  Value number = ChooseVersionOp::create(
      b, loc, pattern, arrays, b.getStringAttr(textOf(kernelSpecOf(op))),
      b.getArrayAttr(schedules));

  // One preparation for all versions of a layout.
  llvm::MapVector<LayoutAttr, Value> conditions;
  for (auto [i, schedule] : llvm::enumerate(versions)) {
    LayoutAttr layout = pattern ? layoutFor(op, schedule) : LayoutAttr();
    if (!layout)
      continue;
    Value version = arith::ConstantIndexOp::create(b, loc, i);
    Value is = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, number,
                                     version);
    Value &condition = conditions[layout];
    condition = condition ? arith::OrIOp::create(b, loc, condition, is) : is;
  }
  llvm::DenseMap<Attribute, Value> prepared;
  for (auto [layout, condition] : conditions)
    prepared[layout] = PrepareOp::create(b, loc, pattern, condition, layout);

  // The first version is also what any other number means.
  SmallVector<int64_t> cases;
  for (size_t i = 1; i < versions.size(); ++i)
    cases.push_back(static_cast<int64_t>(i));
  auto choice = scf::IndexSwitchOp::create(b, loc, op->getResultTypes(), number,
                                           cases, cases.size());
  auto fill = [&](Region &region, size_t version) {
    OpBuilder inner(b.getContext());
    inner.createBlock(&region);
    auto copy = cast<SparseOpInterface>(inner.clone(*op));
    if (LayoutAttr layout = layoutFor(op, versions[version]))
      if (Value value = prepared.lookup(layout))
        copy->setOperand(0, value);
    NamedAttrList facts;
    facts.append("version", inner.getI64IntegerAttr(version));
    facts.append("versions", inner.getI64IntegerAttr(versions.size()));
    copy.setDecision(cast<ScheduleAttr>(schedules[version]),
                     DecisionAttr::get(b.getContext(), DecidedBy::Estimate,
                                       facts.getDictionary(b.getContext())));
    scf::YieldOp::create(inner, loc, copy->getResults());
  };
  fill(choice.getDefaultRegion(), 0);
  for (auto [i, region] : llvm::enumerate(choice.getCaseRegions()))
    fill(region, i + 1);
  op->replaceAllUsesWith(choice.getResults());
  op->erase();
}
