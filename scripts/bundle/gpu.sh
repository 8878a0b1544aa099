#!/bin/sh
#===- gpu.sh - checks the kernels on this machine's GPU -------------------===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
#
# Usage: gpu.sh [FOLDER]. Every test that needs a GPU, in several processes at
# once; then a share of the property tests under compute-sanitizer, where that
# is installed. Reports lie in FOLDER (gpu-report) and, where Python is
# installed, as one file correctness.json there. Exit status: 0 when everything
# passed, else 1.
#
# AUTOSAGE_GPU_PROCESSES: processes at once (the cores, 14 at most).
# AUTOSAGE_SANITIZE: the property tests under the sanitizers, 1/N of them
#   (12); 0 for none.
#
#===-----------------------------------------------------------------------===#

set -u

case $0 in
*/*) tests=$(cd "${0%/*}" && pwd) ;;
*) tests=$(pwd) ;;
esac
report=${1:-gpu-report}
mkdir -p "$report" || exit 1
cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
processes=${AUTOSAGE_GPU_PROCESSES:-$((cores < 14 ? cores : 14))}
share=${AUTOSAGE_SANITIZE:-12}
failed=0

# shards NAME COUNT OF STEP FILTER COMMAND...: COUNT processes, of which process
# i runs shard i * STEP of OF. COMMAND is the test program with its prefix.
shards() {
  name=$1 count=$2 of=$3 step=$4 filter=$5
  shift 5
  i=0
  pids=
  while [ "$i" -lt "$count" ]; do
    GTEST_TOTAL_SHARDS=$of GTEST_SHARD_INDEX=$((i * step)) "$@" \
      --gtest_filter="$filter" --gtest_brief=1 \
      --gtest_output="json:$report/$name-$i.json" \
      >"$report/$name-$i.log" 2>&1 &
    pids="$pids $!"
    i=$((i + 1))
  done
  bad=0
  for pid in $pids; do
    wait "$pid" || bad=$((bad + 1))
  done
  if [ "$bad" -eq 0 ]; then
    echo "$name: passed"
  else
    echo "$name: FAILED in $bad of $count processes, see $report/$name-*.log"
    failed=1
  fi
}

compiler=$tests/AutosageCompilerTests
shards property "$processes" "$processes" 1 '*NvptxProperty*' "$compiler"
shards backward "$processes" "$processes" 1 \
  'Nvptx/AttentionBackward*:Nvptx/BackwardOnTarget*:Nvptx/GradientsOf*' "$compiler"
shards patterns 1 1 1 'Device/*' "$tests/AutosageDevicePatternsTests"
shards plans "$processes" "$processes" 1 'All/PlanOnDevice*' \
  "$tests/AutosagePlanDeviceTests"
# Times are taken: alone.
shards plan-streams 1 1 1 'PlanOnDevice.*' "$tests/AutosagePlanDeviceTests"
shards oracle 1 1 1 'OracleOnDevice.*' "$tests/AutosagePlanDeviceTests"
shards vendor 1 1 1 'VendorOnDevice.*' "$tests/AutosageRuntimeTests"
shards sizes 1 1 1 'Nvptx.*' "$compiler"
shards versions 1 1 1 'NvptxVersions.*' "$compiler"
shards programs 1 1 1 'NvptxProgram.*:Nvptx/DenseProgram.*' "$compiler"

sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
if [ "$share" -gt 0 ] && [ -x "$sanitizer" ]; then
  for tool in memcheck racecheck; do
    shards "$tool" "$processes" $((processes * share)) "$share" \
      '*NvptxProperty*' "$sanitizer" --tool "$tool" --error-exitcode 9 "$compiler"
  done
  # racecheck takes many minutes for the runtime's kernels.
  shards memcheck-patterns 1 1 1 'Device/*' "$sanitizer" --tool memcheck \
    --error-exitcode 9 "$tests/AutosageDevicePatternsTests"
fi

python=$(command -v python3) &&
  "$python" "$tests/collect.py" "$report" >"$report/correctness.json"
exit "$failed"
