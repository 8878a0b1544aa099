#!/bin/sh
#===- run.sh - checks a bundle where it lies ------------------------------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Needs a POSIX shell and no other program, so that it runs in a bare root
# folder too. Exit status: 0 when everything passed, else 1.
#
#===-----------------------------------------------------------------------===#

set -u

case $0 in
*/*) tests=${0%/*} ;;
*) tests=. ;;
esac
bin=$tests/../bin
passed=0
failed=0

# What runs was compiled by this bundle, in this test.
AUTOSAGE_CACHE_DIR=
export AUTOSAGE_CACHE_DIR

# check NAME WANTED COMMAND...: the command succeeds, and says WANTED.
check() {
  name=$1 wanted=$2
  shift 2
  status=0
  output=$("$@" 2>&1) || status=$?
  case $status:$output in
  0:*"$wanted"*)
    passed=$((passed + 1))
    ;;
  *)
    failed=$((failed + 1))
    echo "FAILED: $name (exit status $status)"
    echo "$output"
    ;;
  esac
}

# run OPTIONS...: one operation against its reference.
run() {
  check "autosage-run $*" ": passed" \
    "$bin/autosage-run" "$tests/graph.mtx" --repeat 1 --check "$@"
}

run --op spmm --features 64
run --op spmm --features 5 --reduce mean --heads 3
run --op spmm --features 33 --reduce max --dtype f64
run --op spmm --features 64 --reduce min --index i64
run --op spmm --features 16 --transpose --accumulate
run --op sddmm --features 64
run --op sddmm --combine add --heads 2
run --op row_softmax
run --op attention --features 64
run --op attention --score gat --features 16 --heads 2
run --op attention --score gatv2 --features 16
run --op attention --attention composed --features 16

check "autosage-run --version" "" "$bin/autosage-run" --version
check "autosage-cache --version" "" "$bin/autosage-cache" --version
check "autosage-opt, whole pipeline" "llvm.func @aggregate" \
  "$bin/autosage-opt" "$tests/spmm.mlir" --autosage-cpu-pipeline
check "autosage-opt, a pipeline as text" "on(%" \
  "$bin/autosage-opt" "$tests/spmm.mlir" --pass-pipeline="builtin.module(func.func(autosage-select-schedule),autosage-expand-pattern,canonicalize,cse)"
check "autosage-opt, a probe" "decision<probe, " \
  "$bin/autosage-opt" - \
  --autosage-select-schedule="oracle=probe graph=$tests/graph.mtx" <<'TEXT'
func.func @f(%p: !autosage.pattern<?x?, i32, i32>, %x: tensor<?x16xf32>, %y: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %0 = autosage.spmm sum %p, %x outs(%y) : !autosage.pattern<?x?, i32, i32>, tensor<?x16xf32> -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}
TEXT
# The printed form of the pipeline is that of passes which the tool knows.
pipeline=$("$bin/autosage-opt" "$tests/spmm.mlir" --autosage-cpu-pipeline \
  --dump-pass-pipeline -o /dev/null 2>&1)
case $pipeline in
*"builtin.module("*)
  check "autosage-opt, the pipeline's printed form" "llvm.func @aggregate" \
    "$bin/autosage-opt" "$tests/spmm.mlir" \
    --pass-pipeline="builtin.module(${pipeline#*builtin.module(}"
  ;;
*)
  failed=$((failed + 1))
  echo "FAILED: autosage-opt does not print its pipeline"
  echo "$pipeline"
  ;;
esac
check "compile service" "PASSED" \
  "$tests/AutosageCompilerTests" --gtest_brief=1

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
