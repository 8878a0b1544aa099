// RUN: autosage-opt %s --split-input-file --verify-diagnostics --convert-nvvm-to-simt

gpu.module @not_lowered {
  // expected-error @below {{'gpu.func' op expects a gpu.module that is lowered to the llvm and nvvm dialects}}
  gpu.func @k() kernel {
    gpu.return
  }
}

// -----

gpu.module @inline_ptx {
  llvm.func @k() attributes {nvvm.kernel} {
    // expected-error @below {{'llvm.inline_asm' op is not emulated by the simt target}}
    llvm.inline_asm has_side_effects "membar.cta;", "" : () -> ()
    llvm.return
  }
}

// -----

gpu.module @named_barrier {
  llvm.func @k(%id: i32, %n: i32) attributes {nvvm.kernel} {
    // expected-error @below {{'nvvm.barrier' op expects the barrier of all threads of a block for the simt target, got an id or a number of threads}}
    nvvm.barrier id = %id number_of_threads = %n
    llvm.return
  }
}

// -----

gpu.module @clusters {
  llvm.func @k() attributes {nvvm.kernel} {
    // expected-error @below {{'nvvm.cluster.arrive' op is not emulated by the simt target}}
    nvvm.cluster.arrive
    llvm.return
  }
}

// -----

gpu.module @unknown_intrinsic {
  llvm.func @k(%x: f64) attributes {nvvm.kernel} {
    // expected-error @below {{'llvm.call_intrinsic' op calls an intrinsic that is not emulated by the simt target: llvm.nvvm.rcp.approx.ftz.d}}
    %0 = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.d"(%x) : (f64) -> f64
    llvm.return
  }
}

// -----

gpu.module @device_function {
  // expected-error @below {{'llvm.func' op is not emulated by the simt target}}
  llvm.func @__nv_brev(i32) -> i32
}

// -----

gpu.module @symbol {
  llvm.func @k() attributes {nvvm.kernel} {
    nvvm.barrier0
    llvm.return
  }
}
// expected-error @below {{'llvm.func' op expects the symbol autosage_simt_barrier to be an llvm.func of type '!llvm.func<void (ptr)>'}}
llvm.func @autosage_simt_barrier()

// -----

gpu.module @image {
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.return
  }
}
// expected-error @below {{'llvm.func' op expects the symbol autosage_image_image to be a declaration of a variable}}
llvm.func @autosage_image_image()
