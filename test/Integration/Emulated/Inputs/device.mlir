// What the tests beside this folder have in common: arrays to the device, and
// results and errors back. Appended to each.

llvm.func @autosage_device_upload(!llvm.ptr, !llvm.ptr, i64)
llvm.func @autosage_device_download(!llvm.ptr, !llvm.ptr, i64)
llvm.func @autosage_device_take_error(!llvm.ptr) -> i32
llvm.func @puts(!llvm.ptr) -> i32
func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}

func.func private @pointer_i32(%m: memref<?xi32>) -> !llvm.ptr {
  %index = memref.extract_aligned_pointer_as_index %m : memref<?xi32> -> index
  %int = arith.index_cast %index : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  return %p : !llvm.ptr
}

func.func private @pointer_f32(%m: memref<?xf32>) -> !llvm.ptr {
  %index = memref.extract_aligned_pointer_as_index %m : memref<?xf32> -> index
  %int = arith.index_cast %index : index to i64
  %p = llvm.inttoptr %int : i64 to !llvm.ptr
  return %p : !llvm.ptr
}

func.func private @bytes(%count: index) -> i64 {
  %c4 = arith.constant 4 : index
  %bytes = arith.muli %count, %c4 : index
  %int = arith.index_cast %bytes : index to i64
  return %int : i64
}

// A copy of the host's `%from` in device memory.
func.func private @to_device_i32(%from: memref<?xi32>) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %count = memref.dim %from, %c0 : memref<?xi32>
  %to = memref.alloc(%count) : memref<?xi32>
  %bytes = call @bytes(%count) : (index) -> i64
  %f = call @pointer_i32(%from) : (memref<?xi32>) -> !llvm.ptr
  %t = call @pointer_i32(%to) : (memref<?xi32>) -> !llvm.ptr
  llvm.call @autosage_device_upload(%t, %f, %bytes) : (!llvm.ptr, !llvm.ptr, i64) -> ()
  return %to : memref<?xi32>
}

// A copy of the host's `%from` in device memory.
func.func private @to_device_f32(%from: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %count = memref.dim %from, %c0 : memref<?xf32>
  %to = memref.alloc(%count) : memref<?xf32>
  %bytes = call @bytes(%count) : (index) -> i64
  %f = call @pointer_f32(%from) : (memref<?xf32>) -> !llvm.ptr
  %t = call @pointer_f32(%to) : (memref<?xf32>) -> !llvm.ptr
  llvm.call @autosage_device_upload(%t, %f, %bytes) : (!llvm.ptr, !llvm.ptr, i64) -> ()
  return %to : memref<?xf32>
}

// Prints up to 64 numbers of device memory.
func.func private @print_f32(%device: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %count = memref.dim %device, %c0 : memref<?xf32>
  %bytes = call @bytes(%count) : (index) -> i64
  %room = memref.alloca() : memref<64xf32>
  %host = memref.subview %room[0] [%count] [1] : memref<64xf32> to memref<?xf32>
  %from = call @pointer_f32(%device) : (memref<?xf32>) -> !llvm.ptr
  %to = call @pointer_f32(%host) : (memref<?xf32>) -> !llvm.ptr
  llvm.call @autosage_device_download(%to, %from, %bytes) : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %print = memref.cast %host : memref<?xf32> to memref<*xf32>
  call @printMemrefF32(%print) : (memref<*xf32>) -> ()
  return
}

// Prints the device's error: its number and its text.
func.func private @print_error() {
  %one = llvm.mlir.constant(1 : i64) : i64
  %slot = llvm.alloca %one x !llvm.ptr : (i64) -> !llvm.ptr
  %code = llvm.call @autosage_device_take_error(%slot) : (!llvm.ptr) -> i32
  vector.print str "error "
  vector.print %code : i32
  %text = llvm.load %slot : !llvm.ptr -> !llvm.ptr
  %written = llvm.call @puts(%text) : (!llvm.ptr) -> i32
  return
}
