//===- Symbols.cpp - names that compiled code refers to -------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Emulation/Simt.h"

#define SYMBOL(name, function) {name, reinterpret_cast<void *>(&function)}
#define SAME(function) SYMBOL(#function, function)

const autosage_simt_symbol *autosage_simt_symbols(void) noexcept {
  static const autosage_simt_symbol symbols[] = {
      SYMBOL("autosage_launch_kernel", autosage_simt_launch_kernel),
      SYMBOL("autosage_device_alloc", autosage_simt_device_alloc),
      SYMBOL("autosage_device_free", autosage_simt_device_free),
      SYMBOL("autosage_device_copy", autosage_simt_device_copy),
      SYMBOL("autosage_count_tasks", autosage_simt_count_tasks),
      SYMBOL("autosage_build_tasks", autosage_simt_build_tasks),
      SYMBOL("autosage_build_transpose", autosage_simt_build_transpose),
      SYMBOL("autosage_set_stream", autosage_simt_set_stream),
      SYMBOL("autosage_get_stream", autosage_simt_get_stream),
      SYMBOL("autosage_device_take_error", autosage_simt_take_error),
      SAME(autosage_simt_register),
      SAME(autosage_simt_clock),
      SAME(autosage_simt_shared),
      SAME(autosage_simt_shared_dynamic),
      SAME(autosage_simt_declare_global),
      SAME(autosage_simt_check_access),
      SAME(autosage_simt_check_masked),
      SAME(autosage_simt_check_gather),
      SAME(autosage_simt_barrier),
      SAME(autosage_simt_barrier_reduce),
      SAME(autosage_simt_syncwarp),
      SAME(autosage_simt_shuffle),
      SAME(autosage_simt_vote),
      SAME(autosage_simt_match),
      SAME(autosage_simt_redux),
      SAME(autosage_simt_elect),
      SAME(autosage_simt_activemask),
      SAME(autosage_simt_cp_async),
      SAME(autosage_simt_cp_async_commit),
      SAME(autosage_simt_cp_async_wait),
      SAME(autosage_simt_ldmatrix),
      SAME(autosage_simt_stmatrix),
      SAME(autosage_simt_mma),
      SAME(autosage_simt_approximate),
      SAME(autosage_simt_to_tf32),
      SAME(autosage_simt_trap),
      SAME(autosage_simt_assert_fail),
      {nullptr, nullptr}};
  return symbols;
}
