//===- DeviceTarget.cpp - what runs the kernels of a module ---------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceTarget.h"

#include "autosage/Core/Half.h"
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

//===----------------------------------------------------------------------===//
// Conversions that LLVM calls a library for
//===----------------------------------------------------------------------===//
//
// A GPU has instructions for them, so that kernels keep them. On x86-64 a
// 16-bit floating-point number travels in the low bits of a vector register, as
// a float does; older compilers have no type for it.

static float carry(uint16_t bits) {
  uint32_t wide = bits;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

static uint16_t carried(float value) {
  uint32_t wide;
  std::memcpy(&wide, &value, sizeof wide);
  return static_cast<uint16_t>(wide);
}

static float truncateToBfloat(float value) {
  return carry(BFloat16(value).bits);
}
static float truncateToHalf(float value) { return carry(Float16(value).bits); }
static float truncateDoubleToBfloat(double value) {
  return carry(BFloat16(value).bits);
}
static float truncateDoubleToHalf(double value) {
  return carry(Float16(value).bits);
}
static float extendHalf(float bits) { return Float16::ofBits(carried(bits)); }

const DeviceTarget &compiler::simtTarget() {
  static const DeviceTarget target = [] {
    DeviceTarget simt{autosage_simt_device_api(), {}};
    addDevice(simt.symbols, *simt.api);
    for (const autosage_simt_symbol *symbol = autosage_simt_symbols();
         symbol->name; ++symbol)
      simt.symbols.push_back({symbol->name, symbol->address});
    auto add = [&](const char *name, auto *function) {
      simt.symbols.push_back({name, reinterpret_cast<void *>(function)});
    };
    add("autosage_vendor_spmm", autosage_simt_vendor_spmm);
    add("autosage_vendor_sddmm", autosage_simt_vendor_sddmm);
    add("__truncsfbf2", truncateToBfloat);
    add("__truncdfbf2", truncateDoubleToBfloat);
    add("__truncsfhf2", truncateToHalf);
    add("__truncdfhf2", truncateDoubleToHalf);
    add("__extendhfsf2", extendHalf);
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
    add("autosage_vendor_spmm", autosage_vendor_spmm);
    add("autosage_vendor_sddmm", autosage_vendor_sddmm);
    return cuda;
  }();
  return target;
}
