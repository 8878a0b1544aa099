//===- Symbols.cpp - names that compiled code refers to -------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Half.h"
#include "autosage/Emulation/Simt.h"

#include <cstring>

using namespace autosage;

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

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

#define SYMBOL(function) {#function, reinterpret_cast<void *>(&function)}

const autosage_simt_symbol *autosage_simt_symbols(void) noexcept {
  static const autosage_simt_symbol symbols[] = {
      SYMBOL(autosage_simt_register),
      SYMBOL(autosage_simt_clock),
      SYMBOL(autosage_simt_shared),
      SYMBOL(autosage_simt_shared_dynamic),
      SYMBOL(autosage_simt_declare_global),
      SYMBOL(autosage_simt_check_access),
      SYMBOL(autosage_simt_check_masked),
      SYMBOL(autosage_simt_check_gather),
      SYMBOL(autosage_simt_barrier),
      SYMBOL(autosage_simt_barrier_reduce),
      SYMBOL(autosage_simt_syncwarp),
      SYMBOL(autosage_simt_shuffle),
      SYMBOL(autosage_simt_vote),
      SYMBOL(autosage_simt_match),
      SYMBOL(autosage_simt_redux),
      SYMBOL(autosage_simt_elect),
      SYMBOL(autosage_simt_activemask),
      SYMBOL(autosage_simt_cp_async),
      SYMBOL(autosage_simt_cp_async_commit),
      SYMBOL(autosage_simt_cp_async_wait),
      SYMBOL(autosage_simt_ldmatrix),
      SYMBOL(autosage_simt_stmatrix),
      SYMBOL(autosage_simt_mma),
      SYMBOL(autosage_simt_approximate),
      SYMBOL(autosage_simt_to_tf32),
      SYMBOL(autosage_simt_trap),
      SYMBOL(autosage_simt_assert_fail),
      {"__truncsfbf2", reinterpret_cast<void *>(truncateToBfloat)},
      {"__truncdfbf2", reinterpret_cast<void *>(truncateDoubleToBfloat)},
      {"__truncsfhf2", reinterpret_cast<void *>(truncateToHalf)},
      {"__truncdfhf2", reinterpret_cast<void *>(truncateDoubleToHalf)},
      {"__extendhfsf2", reinterpret_cast<void *>(extendHalf)},
      {"autosage_vendor_spmm",
       reinterpret_cast<void *>(autosage_simt_vendor_spmm)},
      {"autosage_vendor_sddmm",
       reinterpret_cast<void *>(autosage_simt_vendor_sddmm)},
      {nullptr, nullptr}};
  return symbols;
}

const autosage_device_api *autosage_simt_device_api(void) noexcept {
  static const autosage_device_api api = {
      sizeof(autosage_device_api),      AUTOSAGE_DEVICE_VERSION,
      autosage_simt_launch_kernel,      autosage_simt_device_alloc,
      autosage_simt_device_free,        autosage_simt_device_copy,
      autosage_simt_device_upload,      autosage_simt_device_download,
      autosage_simt_device_synchronize, autosage_simt_event_record,
      autosage_simt_event_elapsed,      autosage_simt_count_tasks,
      autosage_simt_build_tasks,        autosage_simt_build_transpose,
      autosage_simt_get_info,           autosage_simt_set_stream,
      autosage_simt_get_stream,         autosage_simt_take_error,
      autosage_simt_image_unload,       autosage_simt_validate_pattern,
      /*prepare_kernel=*/nullptr,       /*is_capturing=*/nullptr,
      autosage_simt_pattern_stats,      /*event_query=*/nullptr};
  return &api;
}
