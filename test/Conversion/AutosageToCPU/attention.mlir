// RUN: autosage-opt %s --pass-pipeline='builtin.module(func.func(convert-autosage-to-cpu,canonicalize,cse))' | FileCheck %s

// Logits of a group of edges go to a scratch buffer; then exponentials over it
// in vectors, then the rows of v, added to what earlier groups have left.
// CHECK-LABEL: func @dot
// CHECK-SAME:    %[[B:[a-z0-9]+]]: memref<?xf32>, %[[Q:[a-z0-9]+]]: memref<?x16xf32>, %[[K:[a-z0-9]+]]: memref<?x16xf32>, %[[V:[a-z0-9]+]]: memref<?x16xf32>, %[[O:[a-z0-9]+]]: memref<?x16xf32>, %[[L:[a-z0-9]+]]: memref<?xf32>
func.func @dot(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %b: memref<?xf32>, %q: memref<?x16xf32>,
               %k: memref<?x16xf32>, %v: memref<?x16xf32>, %o: memref<?x16xf32>, %l: memref<?xf32>) {
  // CHECK:       scf.parallel
  // CHECK:         %[[SCRATCH:.*]] = memref.alloc() : memref<128xf32>
  // CHECK:         %[[BEFORE:.*]] = memref.alloc() : memref<16xf32>
  // CHECK:         vector.load %[[Q]]
  // CHECK:         %[[LAST:.*]]:2 = scf.for {{.*}} step %c128 iter_args(%[[M:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}}) -> (f32, f32)
  // CHECK:         scf.for %[[EDGE:[a-z0-9]+]] =
  // CHECK:           vector.load %[[K]]
  // CHECK:           arith.mulf {{.*}} : vector<16xf32>
  // CHECK:           %[[BIAS:.*]] = memref.load %[[B]][%[[EDGE]]]
  // CHECK:           %[[LOGIT:.*]] = arith.addf %{{.*}}, %[[BIAS]]
  // CHECK:           memref.store %[[LOGIT]], %[[SCRATCH]]
  // CHECK:         %[[LARGEST:.*]] = vector.reduction <maximumf>
  // CHECK:         %[[MAX:.*]] = arith.maximumf %[[M]], %[[LARGEST]]
  // CHECK:         %[[DEAD:.*]] = arith.cmpf oeq, %[[MAX]]
  // CHECK:         math.exp {{.*}} : vector<16xf32>
  // CHECK:         vector.store %{{.*}}, %[[SCRATCH]]
  // CHECK:         %[[PART:.*]] = vector.reduction <add>
  // CHECK:         %[[SCALED:.*]]:2 = scf.if %[[LATER:.*]] -> (f32, f32)
  // CHECK:           %[[F:.*]] = math.exp
  // CHECK:           arith.mulf %[[S]], %[[F]]
  // CHECK:         %[[SUM:.*]] = arith.addf %[[SCALED]]#1, %[[PART]]
  // CHECK:         %[[FACTOR:.*]] = arith.divf %{{.*}}, %[[SUM]]
  // CHECK:         scf.if %[[LATER]] -> (vector<16xf32>)
  // CHECK:           vector.load %[[BEFORE]]
  // CHECK:         %[[ROW:.*]] = scf.for {{.*}} -> (vector<16xf32>)
  // CHECK:           vector.load %[[V]]
  // CHECK:           vector.fma
  // CHECK:         arith.mulf %[[ROW]]
  // CHECK:         arith.select %[[DEAD]]
  // CHECK:         vector.store %{{.*}}, %[[O]]
  // CHECK:         } else {
  // CHECK:           vector.store %[[ROW]], %[[BEFORE]]
  // CHECK:         %[[NONE:.*]] = arith.cmpf oeq, %[[LAST]]#0
  // CHECK:         %[[LOG:.*]] = math.log %[[LAST]]#1
  // CHECK:         %[[LSE:.*]] = arith.addf %[[LAST]]#0, %[[LOG]]
  // CHECK:         arith.select %[[NONE]], %{{.*}}, %[[LSE]]
  // CHECK:         memref.store %{{.*}}, %[[L]]
  // CHECK:         memref.dealloc %[[BEFORE]]
  // CHECK-NEXT:    memref.dealloc %[[SCRATCH]]
  // CHECK-NEXT:    scf.reduce
  autosage.attention dot on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%b : memref<?xf32>], %q, %k, %v
      outs(%o, %l) : memref<?x16xf32>, memref<?x16xf32>, memref<?x16xf32>, memref<?x16xf32>, memref<?xf32>
  return
}

// CHECK-LABEL: func @gat
func.func @gat(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %q: memref<?x2xf32>, %k: memref<?x2xf32>,
               %v: memref<?x2x16xf32>, %o: memref<?x2x16xf32>) {
  // CHECK-DAG:   %[[SLOPE:.*]] = arith.constant 1.000000e-01 : f32
  // CHECK:       %[[X:.*]] = arith.addf
  // CHECK:       %[[POSITIVE:.*]] = arith.cmpf ogt, %[[X]]
  // CHECK:       %[[SMALL:.*]] = arith.mulf %[[X]], %[[SLOPE]]
  // CHECK:       arith.select %[[POSITIVE]], %[[X]], %[[SMALL]]
  // CHECK-NOT:   math.log
  autosage.attention gat on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %k, %v
      outs(%o) {negative_slope = 0.1 : f32} : memref<?x2xf32>, memref<?x2xf32>, memref<?x2x16xf32>, memref<?x2x16xf32>
  return
}

// q and vec are loaded before the edges of the row.
// CHECK-LABEL: func @gatv2
// CHECK-SAME:    %[[A:[a-z0-9]+]]: memref<2x16xf32>
func.func @gatv2(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %q: memref<?x2x16xf32>, %k: memref<?x2x16xf32>,
                 %v: memref<?x2x16xf32>, %o: memref<?x2x16xf32>, %a: memref<2x16xf32>) {
  // CHECK:       %[[VEC:.*]] = vector.load %[[A]][%{{.*}}, %{{.*}}]
  // CHECK:       scf.for
  // CHECK:         arith.addf {{.*}} : vector<16xf32>
  // CHECK:         %[[LEAKY:.*]] = arith.select {{.*}} : vector<16xi1>, vector<16xf32>
  // CHECK:         arith.mulf %[[VEC]], %[[LEAKY]]
  autosage.attention gatv2 on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %k, %v vec(%a : memref<2x16xf32>)
      outs(%o) : memref<?x2x16xf32>, memref<?x2x16xf32>, memref<?x2x16xf32>, memref<?x2x16xf32>
  return
}
