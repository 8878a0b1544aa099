// The passes run on any op, so that their flags work on a module as they stand.
// RUN: autosage-opt %s --autosage-select-schedule="oracle=estimate target=cpu" --autosage-verify-schedule=target=cpu --autosage-expand-pattern | FileCheck %s --check-prefix=SELECT
// RUN: autosage-opt %s --autosage-select-schedule --autosage-expand-pattern --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --convert-autosage-to-cpu | FileCheck %s --check-prefix=LOWER

// SELECT-LABEL: func.func @f
// SELECT: autosage.spmm sum on
// SELECT-SAME: schedule<row_parallel
// LOWER-LABEL: func.func @f
// LOWER-NOT: autosage.
// LOWER: scf.parallel
func.func @f(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %y = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x64xf32> -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
