//===- Symbols.cpp - names that compiled code refers to -------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Emulation/Simt.h"

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
      autosage_simt_image_unload,       autosage_simt_validate_pattern};
  return &api;
}
