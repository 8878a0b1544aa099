//===- AutosageTransformOps.cpp - schedules by scripts --------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Dialect/Autosage/TransformOps/AutosageTransformOps.h"

#include "mlir/Dialect/Transform/IR/TransformTypes.h"

using namespace mlir;
using namespace mlir::autosage;

#define GET_OP_CLASSES
#include "autosage/Dialect/Autosage/TransformOps/AutosageTransformOps.cpp.inc"

using SetScheduleOp = mlir::transform::SetScheduleOp;

void SetScheduleOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::modifiesPayload(effects);
}

LogicalResult SetScheduleOp::verify() {
  // set_schedule_c1
  if (auto named = dyn_cast<transform::OperationType>(getTarget().getType())) {
    auto name =
        RegisteredOperationName::lookup(named.getOperationName(), getContext());
    if (name && !name->hasInterface<SparseOpInterface>())
      return emitOpError("expects a handle to ops that compute on a pattern, "
                         "got ")
             << named;
  }
  if (!getDevice())
    return success();
  // set_schedule_c2
  std::optional<::autosage::Target> target =
      ::autosage::parseTarget(getDevice()->str());
  if (!target)
    return emitOpError("expects on to be cpu, simt or nvptx, got '")
           << *getDevice() << "'";
  // What depends on the op is looked at where there is one: of all ops this one
  // asks the least.
  ::autosage::Problem any;
  any.op = ::autosage::OpKind::row_softmax;
  ::autosage::Status status =
      ::autosage::verifyForTarget(getSchedule().getSchedule(), *target, any);
  if (!status)
    return emitOpError() << status.error();
  return success();
}

DiagnosedSilenceableFailure
SetScheduleOp::applyToOne(transform::TransformRewriter &rewriter,
                          Operation *target, transform::ApplyToEachResultList &,
                          transform::TransformState &) {
  auto op = dyn_cast<SparseOpInterface>(target);
  if (!op) {
    auto diagnostic = emitSilenceableError()
                      << "expects an op that computes on a pattern, got '"
                      << target->getName() << "'";
    diagnostic.attachNote(target->getLoc()) << "this op";
    return diagnostic;
  }
  if (getDevice()) {
    ::autosage::Status status = ::autosage::verifyForTarget(
        getSchedule().getSchedule(),
        *::autosage::parseTarget(getDevice()->str()), op.getProblem());
    if (!status) {
      auto diagnostic = emitSilenceableError() << status.error();
      diagnostic.attachNote(target->getLoc()) << "this op";
      return diagnostic;
    }
  }
  rewriter.modifyOpInPlace(target, [&] {
    op.setDecision(getSchedule(),
                   DecisionAttr::get(getContext(), DecidedBy::User,
                                     DictionaryAttr::get(getContext())));
  });
  return DiagnosedSilenceableFailure::success();
}

namespace {
class AutosageTransformExtension final
    : public transform::TransformDialectExtension<AutosageTransformExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AutosageTransformExtension)

  AutosageTransformExtension() {
    declareGeneratedDialect<AutosageDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "autosage/Dialect/Autosage/TransformOps/AutosageTransformOps.cpp.inc"
        >();
  }
};
} // namespace

void mlir::autosage::registerTransformExtension(DialectRegistry &registry) {
  registry.addExtensions<AutosageTransformExtension>();
}
