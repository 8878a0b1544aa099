// RUN: autosage-opt %s --autosage-launch-to-runtime | FileCheck %s

module attributes {gpu.container_module} {
  gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_90">, assembly = "ptx text">]

  // Arguments are stored where a table points to; the table is made once.
  // CHECK-LABEL: func @launch
  // CHECK-SAME:    (%[[X:.*]]: !llvm.ptr<1>, %[[N:.*]]: i64, %[[GRID:.*]]: index)
  // CHECK:         %[[SLOT0:.*]] = llvm.alloca %{{.*}} x !llvm.ptr<1>
  // CHECK:         %[[SLOT1:.*]] = llvm.alloca %{{.*}} x i64
  // CHECK:         %[[TABLE:.*]] = llvm.alloca %{{.*}} x !llvm.ptr :
  // CHECK:         scf.for
  // CHECK:           llvm.store %[[X]], %[[SLOT0]]
  // CHECK:           llvm.store %[[N]], %[[SLOT1]]
  // CHECK:           %[[IMAGE:.*]] = llvm.mlir.addressof @autosage_image_kernels
  // CHECK:           %[[NAME:.*]] = llvm.mlir.addressof @kernels_k_name
  // CHECK:           %[[GX:.*]] = arith.index_cast %[[GRID]]
  // CHECK:           llvm.call @autosage_launch_kernel(%[[IMAGE]], %[[NAME]], %[[GX]], {{.*}}, %[[TABLE]], %{{.*}})
  // CHECK-NOT:   gpu.launch_func
  func.func @launch(%x: !llvm.ptr<1>, %n: i64, %grid: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %grid step %c1 {
      gpu.launch_func @kernels::@k blocks in (%grid, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : !llvm.ptr<1>, %n : i64)
    }
    return
  }

  // CHECK-LABEL: func @memory
  // CHECK:         %[[P:.*]] = llvm.call @autosage_device_alloc(%{{.*}}) : (i64) -> !llvm.ptr
  // CHECK:         builtin.unrealized_conversion_cast
  // CHECK:         llvm.call @autosage_device_copy
  // CHECK:         llvm.call @autosage_device_free
  func.func @memory(%n: index, %from: memref<?x4xf32>) {
    %m = memref.alloc(%n) : memref<?x4xf32>
    memref.copy %from, %m : memref<?x4xf32> to memref<?x4xf32>
    memref.dealloc %m : memref<?x4xf32>
    return
  }

  // Lists of buffer deallocation, of the function that it adds for many buffers.
  // They are the host's.
  // CHECK-LABEL: func @lists
  // CHECK:         memref.load %{{.*}} : memref<?xindex>
  // CHECK:         memref.store %{{.*}} : memref<?xi1>
  func.func @lists(%pointers: memref<?xindex>, %conditions: memref<?xi1>, %i: index) {
    %pointer = memref.load %pointers[%i] : memref<?xindex>
    %isOther = arith.cmpi ne, %pointer, %i : index
    memref.store %isOther, %conditions[%i] : memref<?xi1>
    return
  }

  // Of the same types, but no list: the host does not look into it.
  // CHECK-LABEL: func @mask
  // CHECK:         llvm.call @autosage_device_alloc
  // CHECK:         memref.alloc() : memref<2xi1>
  // CHECK:         llvm.call @autosage_device_free
  // CHECK:         memref.dealloc %{{.*}} : memref<2xi1>
  func.func @mask(%i: index, %condition: i1) {
    %mask = memref.alloc() : memref<2xi1>
    %list = memref.alloc() : memref<2xi1>
    memref.store %condition, %list[%i] : memref<2xi1>
    memref.dealloc %mask : memref<2xi1>
    memref.dealloc %list : memref<2xi1>
    return
  }

  // PTX is a text with a zero at its end, which counts.
  // CHECK:       llvm.mlir.global internal constant @kernels_object("ptx text\00")
  // CHECK:       llvm.mlir.global internal @autosage_image_kernels()
  // CHECK-DAG:     llvm.mlir.constant(2 : i32)
  // CHECK-DAG:     llvm.mlir.constant(9 : i64)
}
