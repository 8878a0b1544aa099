//===- AutosageTransformOps.td - schedules by scripts ------*- tablegen -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TRANSFORM_OPS
#define AUTOSAGE_TRANSFORM_OPS

include "autosage/Dialect/Autosage/IR/AutosageAttrs.td"
include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Autosage_SetScheduleOp : Op<Transform_Dialect, "autosage.set_schedule", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    TransformOpInterface, TransformEachOpTrait,
    ReportTrackingListenerFailuresOpTrait]> {
  let summary = "gives matched compute ops a schedule";
  let description = [{
    Writes the schedule on every op of the handle, with `decision<user>`: it
    stands above whatever selection would choose, and takes the place of a
    schedule that is there. With `on` the target that the op is for is named,
    and a schedule that it cannot run is refused with the limit and the number.

    An op that computes on no pattern, or whose sizes the schedule does not fit,
    is a silenceable failure.

    Constraints:
    - (C1) The handle is to operations, and where its type names one, to a
      compute op of autosage.
    - (C2) `on` is cpu, simt or nvptx, and runs the schedule's family.

    Example:
    ```mlir
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
        %spmm = transform.structured.match ops{["autosage.spmm"]} in %root : (!transform.any_op) -> !transform.any_op
        transform.autosage.set_schedule %spmm schedule<row_tasks, chunk = 128> on "nvptx" : !transform.any_op
        transform.yield
      }
    }
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       Autosage_ScheduleAttr:$schedule,
                       OptionalAttr<StrAttr>:$device);
  let results = (outs);
  let assemblyFormat = [{
    $target `schedule` `` $schedule (`on` $device^)? attr-dict `:` type($target)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::Operation *target,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

#endif // AUTOSAGE_TRANSFORM_OPS
