// f16 and bf16 in code for x86-64 without instructions for them: with
// `expand-f16` nothing calls a library for a conversion, and with F16C whole
// vectors of f16 are converted at once.
//
// RUN: autosage-opt %s --autosage-cpu-pipeline="expand-f16 vector-bits=128" \
// RUN:   | mlir-translate --mlir-to-llvmir \
// RUN:   | llc -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64 \
// RUN:   | FileCheck %s --check-prefix=SSE2
// RUN: autosage-opt %s --autosage-cpu-pipeline=vector-bits=256 \
// RUN:   | mlir-translate --mlir-to-llvmir \
// RUN:   | llc -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64-v3 \
// RUN:   | FileCheck %s --check-prefix=AVX2

// SSE2-LABEL: half:
// SSE2-NOT: {{__(extend|trunc)}}
// AVX2-LABEL: half:
// AVX2-DAG: vcvtph2ps {{.*}}, %ymm
// AVX2-DAG: vcvtps2ph {{.*}}%ymm
func.func @half(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %w: tensor<?xf16>, %x: tensor<?x64xf16>, %y0: tensor<?x64xf16>) -> tensor<?x64xf16> {
  %p = autosage.pattern %rp, %ci, %n : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  %y = autosage.spmm sum %p[%w : tensor<?xf16>], %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x64xf16> -> tensor<?x64xf16>
  return %y : tensor<?x64xf16>
}

// SSE2-LABEL: bfloat:
// SSE2-NOT: {{__(extend|trunc)}}
// AVX2-LABEL: bfloat:
// AVX2-NOT: {{__(extend|trunc)}}
// AVX2: vpmovzxwd {{.*}}, %ymm
func.func @bfloat(%rp: tensor<?xi32>, %ci: tensor<?xi32>, %n: index, %x: tensor<?x64xbf16>, %y0: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %p = autosage.pattern %rp, %ci, %n : tensor<?xi32>, tensor<?xi32> -> <?x?, i32, i32>
  %y = autosage.spmm sum %p, %x outs(%y0) : !autosage.pattern<?x?, i32, i32>, tensor<?x64xbf16> -> tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}
