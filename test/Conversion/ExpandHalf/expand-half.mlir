// bf16 is always expanded, f16 where asked; rounding from f64 stays, and so does
// rounding in another mode.
//
// RUN: autosage-opt %s --autosage-expand-half | FileCheck %s
// RUN: autosage-opt %s --autosage-expand-half=f16 | FileCheck %s --check-prefix=F16

// CHECK-LABEL: @widen_bf16
// CHECK-SAME: (%[[X:.*]]: vector<8xbf16>)
// CHECK: %[[BITS:.*]] = arith.bitcast %[[X]] : vector<8xbf16> to vector<8xi16>
// CHECK: %[[WIDE:.*]] = arith.extui %[[BITS]]
// CHECK: %[[SHIFT:.*]] = arith.constant dense<16> : vector<8xi32>
// CHECK: %[[HIGH:.*]] = arith.shli %[[WIDE]], %[[SHIFT]]
// CHECK: %[[Y:.*]] = arith.bitcast %[[HIGH]] : vector<8xi32> to vector<8xf32>
// CHECK: return %[[Y]]
func.func @widen_bf16(%x: vector<8xbf16>) -> vector<8xf32> {
  %y = arith.extf %x : vector<8xbf16> to vector<8xf32>
  return %y : vector<8xf32>
}

// CHECK-LABEL: @narrow_bf16
// CHECK-NOT: truncf
// CHECK: arith.select
// CHECK: arith.trunci {{.*}} : i32 to i16
// CHECK: arith.bitcast {{.*}} : i16 to bf16
func.func @narrow_bf16(%x: f32) -> bf16 {
  %y = arith.truncf %x : f32 to bf16
  return %y : bf16
}

// CHECK-LABEL: @f16
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: arith.truncf %{{.*}} : f32 to f16
// F16-LABEL: @f16
// F16-NOT: extf
// F16-NOT: truncf
// F16: return
func.func @f16(%x: f16) -> f16 {
  %y = arith.extf %x : f16 to f32
  %z = arith.truncf %y : f32 to f16
  return %z : f16
}

// CHECK-LABEL: @from_f64
// CHECK: arith.truncf %{{.*}} : f64 to bf16
// CHECK: arith.truncf %{{.*}} downward : f32 to bf16
// F16-LABEL: @from_f64
func.func @from_f64(%x: f64, %f: f32) -> (bf16, bf16) {
  %y = arith.truncf %x : f64 to bf16
  %z = arith.truncf %f downward : f32 to bf16
  return %y, %z : bf16, bf16
}

// CHECK-LABEL: @to_f64
// CHECK-NOT: bf16 to f64
// CHECK: arith.extf %{{.*}} : f32 to f64
// F16-LABEL: @to_f64
func.func @to_f64(%x: bf16) -> f64 {
  %y = arith.extf %x : bf16 to f64
  return %y : f64
}

// Masked accesses move integers; those of f32 are not touched.
// CHECK-LABEL: @masked
// CHECK: %[[I:.*]] = llvm.bitcast %{{.*}} : vector<8xbf16> to vector<8xi16>
// CHECK: %[[L:.*]] = llvm.intr.masked.load %{{.*}}, %{{.*}}, %[[I]] {alignment = 2 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xi16>) -> vector<8xi16>
// CHECK: llvm.bitcast %[[L]] : vector<8xi16> to vector<8xbf16>
// CHECK: %[[S:.*]] = llvm.bitcast %{{.*}} : vector<8xf16> to vector<8xi16>
// CHECK: llvm.intr.masked.store %[[S]], %{{.*}}, %{{.*}} {alignment = 2 : i32} : vector<8xi16>
// CHECK: llvm.intr.masked.load {{.*}} -> vector<8xf32>
// F16-LABEL: @masked
llvm.func @masked(%p: !llvm.ptr, %m: vector<8xi1>, %b: vector<8xbf16>, %h: vector<8xf16>, %f: vector<8xf32>) -> vector<8xbf16> {
  %0 = llvm.intr.masked.load %p, %m, %b {alignment = 2 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xbf16>) -> vector<8xbf16>
  llvm.intr.masked.store %h, %p, %m {alignment = 2 : i32} : vector<8xf16>, vector<8xi1> into !llvm.ptr
  %1 = llvm.intr.masked.load %p, %m, %f {alignment = 4 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
  llvm.return %0 : vector<8xbf16>
}
