//===- DeviceTarget.cpp - what runs the kernels of a module ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceTarget.h"

#include "autosage/Emulation/Simt.h"
#include "autosage/Runtime/Vendor.h"

using namespace autosage;
using namespace autosage::compiler;

/// The functions of Device.h that emitted host code calls.
static void addDevice(std::vector<JitSymbol> &symbols,
                      const autosage_device_api &api) {
  auto add = [&](const char *name, auto *function) {
    symbols.push_back({name, reinterpret_cast<void *>(function)});
  };
  add("autosage_launch_kernel", api.launch_kernel);
  add("autosage_device_alloc", api.alloc);
  add("autosage_device_free", api.free);
  add("autosage_device_copy", api.copy);
  add("autosage_count_tasks", api.count_tasks);
  add("autosage_build_tasks", api.build_tasks);
  add("autosage_build_transpose", api.build_transpose);
}

/// With the emulator's memory.
static int64_t chooseOnSimt(autosage_site *site, const void *rowptr,
                            const void *colind, int64_t rows, int64_t cols,
                            int64_t nnz, int32_t positionBytes,
                            int32_t coordinateBytes) {
  return autosage_choose_version_on(autosage_simt_device_api(), site, rowptr,
                                    colind, rows, cols, nnz, positionBytes,
                                    coordinateBytes);
}

const DeviceTarget &compiler::simtTarget() {
  static const DeviceTarget target = [] {
    DeviceTarget simt{autosage_simt_device_api(), {}};
    addDevice(simt.symbols, *simt.api);
    for (const autosage_simt_symbol *symbol = autosage_simt_symbols();
         symbol->name; ++symbol)
      simt.symbols.push_back({symbol->name, symbol->address});
    simt.symbols.push_back(
        {"autosage_choose_version", reinterpret_cast<void *>(chooseOnSimt)});
    return simt;
  }();
  return target;
}

const DeviceTarget &compiler::cudaTarget() {
  static const DeviceTarget target = [] {
    DeviceTarget cuda{autosage_cuda_device_api(), {}};
    addDevice(cuda.symbols, *cuda.api);
    auto add = [&](const char *name, auto *function) {
      cuda.symbols.push_back({name, reinterpret_cast<void *>(function)});
    };
    add("autosage_choose_version", autosage_choose_version);
    add("autosage_vendor_spmm", autosage_vendor_spmm);
    add("autosage_vendor_sddmm", autosage_vendor_sddmm);
    return cuda;
  }();
  return target;
}
