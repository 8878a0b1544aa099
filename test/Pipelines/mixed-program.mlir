// A GCN of two layers from tensors to calls in one pipeline, whose printed form
// gives the same: one sparse product by cuSPARSE, the other by a kernel of our
// own, dense ops by kernels between them, and all memory given back.
// RUN: sed 's/%xw outs(%empty1)/& schedule<vendor>/; s/%hw outs(%empty2)/& schedule<row_tasks>/' %project/examples/gcn.mlir > %t.mlir
// RUN: autosage-opt %t.mlir --autosage-nvvm-pipeline='format=isa lower-host' > %t.out
// RUN: FileCheck %s < %t.out
// RUN: grep -c 'llvm.call @autosage_device_alloc' %t.out > %t.allocs
// RUN: grep -c 'llvm.call @autosage_device_free' %t.out | diff %t.allocs -
// RUN: %python %project/test/cases/Inputs/feed_back_pipeline.py autosage-opt %t.mlir --autosage-nvvm-pipeline='format=isa lower-host'
// RUN: %python %project/test/cases/Inputs/feed_back_pipeline.py autosage-opt %t.mlir --autosage-to-simt-pipeline
// RUN: autosage-opt %t.mlir --autosage-to-simt-pipeline | FileCheck %s

// CHECK-NOT: memref
// CHECK-NOT: linalg.
// CHECK-NOT: unrealized_conversion_cast
// CHECK:     llvm.func @main
// CHECK-DAG:   %[[DENSE:.*]] = llvm.mlir.addressof @autosage_image_autosage_dense
// CHECK-DAG:   %[[SPARSE:.*]] = llvm.mlir.addressof @autosage_image_autosage_kernels
// CHECK:       llvm.call @autosage_device_alloc
// CHECK:       llvm.call @autosage_launch_kernel(%[[DENSE]],
// CHECK:       llvm.call @autosage_launch_kernel(%[[DENSE]],
// CHECK:       llvm.call @autosage_vendor_spmm
// CHECK:       llvm.call @autosage_launch_kernel(%[[DENSE]],
// CHECK:       llvm.call @autosage_build_tasks
// CHECK:       llvm.call @autosage_launch_kernel(%[[SPARSE]],
// CHECK:       llvm.call @autosage_launch_kernel(%[[DENSE]],
// CHECK:       llvm.call @autosage_device_free
