// Transposed patterns and task lists, against literal results.
//
// RUN: autosage-opt %s --autosage-cpu-pipeline \
// RUN:   | mlir-runner -e main --entry-point-result=void \
// RUN:     --shared-libs=%mlir_lib_dir/libmlir_runner_utils.so,%mlir_lib_dir/libmlir_c_runner_utils.so \
// RUN:   | FileCheck %s

func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}

memref.global "private" constant @rowptr : memref<5xi32> = dense<[0, 3, 3, 10, 12]>
memref.global "private" constant @colind : memref<12xi32>
    = dense<[2, 0, 2, 1, 1, 3, 0, 2, 2, 3, 1, 0]>

func.func @transpose() {
  %rp = memref.get_global @rowptr : memref<5xi32>
  %ci = memref.get_global @colind : memref<12xi32>
  %n = arith.constant 5 : index
  %trp = memref.alloc() : memref<6xi32>
  %tci = memref.alloc() : memref<12xi32>
  %perm = memref.alloc() : memref<12xi32>
  autosage.build_transpose on(%rp, %ci, %n : memref<5xi32>, memref<12xi32>, index)
      outs(%trp, %tci, %perm) : memref<6xi32>, memref<12xi32>, memref<12xi32>
  // CHECK:      sizes = [6]
  // CHECK-NEXT: {{^}}[0, 3, 6, 10, 12, 12]
  %print0 = memref.cast %trp : memref<6xi32> to memref<*xi32>
  call @printMemrefI32(%print0) : (memref<*xi32>) -> ()
  // CHECK:      sizes = [12]
  // CHECK-NEXT: {{^}}[0, 2, 3, 2, 2, 3, 0, 0, 2, 2, 2, 2]
  %print1 = memref.cast %tci : memref<12xi32> to memref<*xi32>
  call @printMemrefI32(%print1) : (memref<*xi32>) -> ()
  // CHECK:      sizes = [12]
  // CHECK-NEXT: {{^}}[1, 6, 11, 3, 4, 10, 0, 2, 7, 8, 5, 9]
  %print2 = memref.cast %perm : memref<12xi32> to memref<*xi32>
  call @printMemrefI32(%print2) : (memref<*xi32>) -> ()
  return
}

// With chunk 2, rows of at most 3 entries stay whole; the row of 7 entries is
// cut into 4 pieces, the last of 1 entry.
func.func @tasks() {
  %rp = memref.get_global @rowptr : memref<5xi32>
  %ci = memref.get_global @colind : memref<12xi32>
  %n = arith.constant 4 : index
  %count = autosage.count_tasks %rp {chunk = 2 : i64} : memref<5xi32>
  // CHECK: {{^}}7{{$}}
  vector.print %count : index
  %tasks = memref.alloc(%count) : memref<?x4xi32>
  %print = memref.cast %tasks : memref<?x4xi32> to memref<*xi32>
  autosage.build_tasks stored on(%rp, %ci, %n : memref<5xi32>, memref<12xi32>, index)
      outs(%tasks) {chunk = 2 : i64} : memref<?x4xi32>
  // CHECK:      sizes = [7, 4]
  // CHECK-NEXT: {{^\[\[}}0, 0, 3, 0],
  // CHECK-NEXT: {{^}} [1, 3, 3, 0],
  // CHECK-NEXT: {{^}} [2, 3, 5, 1],
  // CHECK-NEXT: {{^}} [2, 5, 7, 2],
  // CHECK-NEXT: {{^}} [2, 7, 9, 3],
  // CHECK-NEXT: {{^}} [2, 9, 10, 4],
  // CHECK-NEXT: {{^}} [3, 10, 12, 0]]
  call @printMemrefI32(%print) : (memref<*xi32>) -> ()
  autosage.build_tasks length on(%rp, %ci, %n : memref<5xi32>, memref<12xi32>, index)
      outs(%tasks) {chunk = 2 : i64} : memref<?x4xi32>
  // CHECK:      sizes = [7, 4]
  // CHECK-NEXT: {{^\[\[}}0, 0, 3, 0],
  // CHECK-NEXT: {{^}} [2, 3, 5, 1],
  // CHECK-NEXT: {{^}} [2, 5, 7, 2],
  // CHECK-NEXT: {{^}} [2, 7, 9, 3],
  // CHECK-NEXT: {{^}} [3, 10, 12, 0],
  // CHECK-NEXT: {{^}} [2, 9, 10, 4],
  // CHECK-NEXT: {{^}} [1, 3, 3, 0]]
  call @printMemrefI32(%print) : (memref<*xi32>) -> ()
  return
}

func.func @main() {
  call @transpose() : () -> ()
  call @tasks() : () -> ()
  return
}
