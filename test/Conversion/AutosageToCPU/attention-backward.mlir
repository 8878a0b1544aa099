// RUN: autosage-opt %s --pass-pipeline='builtin.module(func.func(convert-autosage-to-cpu,canonicalize,cse))' | FileCheck %s

// Of a group of edges scores, products with do and biases go to buffers, then
// exponentials in vectors, then the rows of k, added to what earlier groups
// have left. A masked row has a delta and gradients of logits of 0, and no
// edges otherwise.
// CHECK-LABEL: func @queries
// CHECK-SAME:    %[[B:[a-z0-9]+]]: memref<?xf32>, %[[Q:[a-z0-9]+]]: memref<?x16xf32>, %[[K:[a-z0-9]+]]: memref<?x16xf32>, %[[V:[a-z0-9]+]]: memref<?x16xf32>, %[[O:[a-z0-9]+]]: memref<?x16xf32>, %[[L:[a-z0-9]+]]: memref<?xf32>, %[[DO:[a-z0-9]+]]: memref<?x16xf32>,
// CHECK-SAME:    %[[DQ:[a-z0-9]+]]: memref<?x16xf32>, %[[DELTA:[a-z0-9]+]]: memref<?xf32>, %[[DS:[a-z0-9]+]]: memref<?xf32>
func.func @queries(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %b: memref<?xf32>, %q: memref<?x16xf32>, %k: memref<?x16xf32>,
                   %v: memref<?x16xf32>, %o: memref<?x16xf32>, %l: memref<?xf32>, %do: memref<?x16xf32>,
                   %dq: memref<?x16xf32>, %delta: memref<?xf32>, %ds: memref<?xf32>) {
  // CHECK:       scf.parallel
  // CHECK:         %[[SCORES:.*]] = memref.alloc() : memref<64xf32>
  // CHECK:         %[[PRODUCTS:.*]] = memref.alloc() : memref<64xf32>
  // CHECK:         %[[BIASES:.*]] = memref.alloc() : memref<64xf32>
  // CHECK:         %[[BEFORE:.*]] = memref.alloc() : memref<16xf32>
  // CHECK:         %[[ROW:.*]] = vector.load %[[DO]]
  // CHECK:         %[[LSE:.*]] = memref.load %[[L]]
  // CHECK:         %[[DEAD:.*]] = arith.cmpf oeq, %[[LSE]]
  // CHECK:         vector.load %[[O]]
  // CHECK:         %[[DOT:.*]] = vector.reduction <add>
  // CHECK:         %[[SUM:.*]] = arith.select %[[DEAD]], %{{.*}}, %[[DOT]]
  // CHECK:         memref.store %[[SUM]], %[[DELTA]]
  // CHECK:         scf.if %[[DEAD]]
  // CHECK:           memref.store %{{.*}}, %[[DS]]
  // CHECK:         arith.select %[[DEAD]], %{{.*}} : index
  // CHECK:         scf.for {{.*}} step %c64
  // CHECK:           vector.load %[[K]]
  // CHECK:           vector.load %[[V]]
  // CHECK:           arith.mulf %[[ROW]]
  // CHECK:           memref.store %{{.*}}, %[[SCORES]]
  // CHECK:           memref.store %{{.*}}, %[[PRODUCTS]]
  // CHECK:           memref.load %[[B]]
  // CHECK:           memref.store %{{.*}}, %[[BIASES]]
  // CHECK:           %[[P:.*]] = math.exp {{.*}} : vector<16xf32>
  // CHECK:           %[[NONE:.*]] = arith.cmpf oeq, %[[P]]
  // CHECK:           arith.select %[[NONE]]
  // CHECK:           vector.store %{{.*}}, %[[DS]]
  // CHECK:           vector.store %{{.*}}, %[[PRODUCTS]]
  // CHECK:           vector.load %[[BEFORE]]
  // CHECK:           %[[GRADIENT:.*]] = scf.for {{.*}} -> (vector<16xf32>)
  // CHECK:             memref.load %[[PRODUCTS]]
  // CHECK:             vector.load %[[K]]
  // CHECK:             vector.fma
  // CHECK:           vector.store %[[GRADIENT]], %[[DQ]]
  // CHECK:           } else {
  // CHECK:             vector.store %[[GRADIENT]], %[[BEFORE]]
  // CHECK:         memref.dealloc %[[BEFORE]]
  autosage.attention_backward_q dot on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%b : memref<?xf32>], %q, %k, %v
      from(%o, %l, %do) outs(%dq, %delta, %ds) {scale = 0.5 : f32}
      : memref<?x16xf32>, memref<?x16xf32>, memref<?x16xf32>, memref<?x16xf32>, memref<?xf32>, memref<?x16xf32>,
        memref<?x16xf32>, memref<?xf32>, memref<?xf32>
  return
}

// A group is collected first, without the edges to masked rows.
// CHECK-LABEL: func @keys
// CHECK-SAME:    %[[B:[a-z0-9]+]]: memref<?xf32>, %[[EDGES:[a-z0-9]+]]: memref<?xi32>, %[[Q:[a-z0-9]+]]: memref<?x16xf32>, %[[K:[a-z0-9]+]]: memref<?x16xf32>, %[[V:[a-z0-9]+]]: memref<?x16xf32>, %[[L:[a-z0-9]+]]: memref<?xf32>, %[[DELTA:[a-z0-9]+]]: memref<?xf32>, %[[DO:[a-z0-9]+]]: memref<?x16xf32>,
// CHECK-SAME:    %[[DK:[a-z0-9]+]]: memref<?x16xf32>, %[[DV:[a-z0-9]+]]: memref<?x16xf32>
func.func @keys(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %b: memref<?xf32>, %edges: memref<?xi32>, %q: memref<?x16xf32>,
                %k: memref<?x16xf32>, %v: memref<?x16xf32>, %l: memref<?xf32>, %delta: memref<?xf32>, %do: memref<?x16xf32>,
                %dk: memref<?x16xf32>, %dv: memref<?x16xf32>) {
  // CHECK:       scf.parallel
  // CHECK:         %[[COLUMNS:.*]] = memref.alloc() : memref<64xindex>
  // CHECK:         scf.for {{.*}} step %c64
  // CHECK:           %[[COUNT:.*]] = scf.for {{.*}} iter_args(%[[PLACE:.*]] = %c0) -> (index)
  // CHECK:             %[[LSE:.*]] = memref.load %[[L]]
  // CHECK:             memref.store %{{.*}}, %[[COLUMNS]][%[[PLACE]]]
  // CHECK:             memref.load %[[DELTA]]
  // CHECK:             %[[EDGE:.*]] = memref.load %[[EDGES]]
  // CHECK:             %[[AT:.*]] = arith.index_cast %[[EDGE]]
  // CHECK:             memref.load %[[B]][%[[AT]]]
  // CHECK:             %[[DEAD:.*]] = arith.cmpf oeq, %[[LSE]]
  // CHECK:             %[[NEXT:.*]] = arith.addi %[[PLACE]], %c1
  // CHECK:             arith.select %[[DEAD]], %[[PLACE]], %[[NEXT]]
  // CHECK:           scf.for {{.*}} to %[[COUNT]]
  // CHECK:             memref.load %[[COLUMNS]]
  // CHECK:             vector.load %[[Q]]
  // CHECK:             vector.load %[[DO]]
  // CHECK:           math.exp {{.*}} : vector<16xf32>
  // CHECK:           %[[OFK:.*]] = scf.for {{.*}} to %[[COUNT]] {{.*}} -> (vector<16xf32>)
  // CHECK:             vector.load %[[Q]]
  // CHECK:           vector.store %[[OFK]], %[[DK]]
  // CHECK:           %[[OFV:.*]] = scf.for {{.*}} to %[[COUNT]] {{.*}} -> (vector<16xf32>)
  // CHECK:             vector.load %[[DO]]
  // CHECK:           vector.store %[[OFV]], %[[DV]]
  autosage.attention_backward_kv dot on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index)[%b : memref<?xf32>]
      edges(%edges : memref<?xi32>), %q, %k, %v from(%l, %delta, %do) outs(%dk, %dv)
      : memref<?x16xf32>, memref<?x16xf32>, memref<?x16xf32>, memref<?xf32>, memref<?xf32>, memref<?x16xf32>,
        memref<?x16xf32>, memref<?x16xf32>
  return
}

// Only the piece that begins a row writes its delta; sums are those of pieces.
// CHECK-LABEL: func @cut
// CHECK-SAME:    %[[DQ:[a-z0-9]+]]: memref<?x16xf32>, %[[DELTA:[a-z0-9]+]]: memref<?xf32>)
func.func @cut(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %q: memref<?x16xf32>, %k: memref<?x16xf32>, %l: memref<?xf32>,
               %dq: memref<?x16xf32>, %delta: memref<?xf32>) {
  // CHECK:       %[[PARTIALS:.*]] = memref.alloc() : memref<10x16xf32>
  // CHECK:       scf.parallel
  // CHECK:         scf.if
  // CHECK:           %[[BEGINS:.*]] = arith.cmpi eq
  // CHECK:           scf.if %[[BEGINS]]
  // CHECK-NEXT:        memref.store %{{.*}}, %[[DELTA]]
  // CHECK:         } else {
  // CHECK:           memref.store %{{.*}}, %[[DELTA]]
  // CHECK:         vector.store %{{.*}}, %[[PARTIALS]]
  // CHECK:         vector.store %{{.*}}, %[[DQ]]
  // CHECK:       vector.load %[[PARTIALS]]
  // CHECK:       vector.store %{{.*}}, %[[DQ]]
  // CHECK-NOT:   memref.store %{{.*}}, %[[DELTA]]
  // CHECK:       memref.dealloc %[[PARTIALS]]
  autosage.attention_backward_q dot on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %k, %k
      from(%q, %l, %q) outs(%dq, %delta) schedule<nnz_parallel, parts = 5>
      : memref<?x16xf32>, memref<?x16xf32>, memref<?x16xf32>, memref<?x16xf32>, memref<?xf32>, memref<?x16xf32>,
        memref<?x16xf32>, memref<?xf32>
  return
}

// The sign of the sum is that of the leaky ReLU's argument; gradients of
// scores, and nothing else, are added up.
// CHECK-LABEL: func @gat
// CHECK-SAME:    %[[DQ:[a-z0-9]+]]: memref<?x2xf32>, %[[DELTA:[a-z0-9]+]]: memref<?x2xf32>)
func.func @gat(%rp: memref<?xi32>, %ci: memref<?xi32>, %n: index, %q: memref<?x2xf32>, %k: memref<?x2xf32>, %v: memref<?x2x16xf32>,
               %l: memref<?x2xf32>, %dq: memref<?x2xf32>, %delta: memref<?x2xf32>) {
  // CHECK:       %[[SUMS:.*]] = memref.alloc() : memref<64xf32>
  // CHECK:       %[[T:.*]] = vector.load %[[SUMS]]
  // CHECK:       arith.cmpf ogt, %[[T]]
  // CHECK:       math.exp {{.*}} : vector<16xf32>
  // CHECK:       %[[POSITIVE:.*]] = arith.cmpf oge, %[[T]]
  // CHECK:       %[[SLOPE:.*]] = arith.select %[[POSITIVE]]
  // CHECK:       %[[DS:.*]] = arith.mulf %{{.*}}, %[[SLOPE]]
  // CHECK:       arith.addf %{{.*}}, %[[DS]] : vector<16xf32>
  // CHECK:       vector.reduction <add>
  // CHECK-NOT:   vector.fma
  // CHECK:       memref.store %{{.*}}, %[[DQ]]
  autosage.attention_backward_q gat on(%rp, %ci, %n : memref<?xi32>, memref<?xi32>, index), %q, %k, %v
      from(%v, %l, %v) outs(%dq, %delta) {negative_slope = 0.1 : f32}
      : memref<?x2xf32>, memref<?x2xf32>, memref<?x2x16xf32>, memref<?x2x16xf32>, memref<?x2xf32>, memref<?x2x16xf32>,
        memref<?x2xf32>, memref<?x2xf32>
  return
}
