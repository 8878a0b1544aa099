//===- Environment.cpp - where a decision holds ---------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment.h"

#include "../Cusparse/Library.h"
#include "../Kernel/Machine.h"
#include "../ThreadCount.h"

#include "autosage/Core/Artifact.h"
#include "autosage/Core/Vendor.h"

#include <algorithm>

using namespace autosage;
using namespace autosage::runtime;

oracle::Environment runtime::deviceEnvironment(const autosage_device_api &api,
                                               const autosage_device_info &info,
                                               Target target) {
  oracle::Environment env;
  env.target = target;
  env.code = codeVersion();
  // As contexts of plans name it.
  env.device = std::string(info.name) + " (sm_" +
               std::to_string(info.compute_capability) + ")";
  env.units = std::max<int64_t>(info.multiprocessors, 1);
  env.capability = std::string(toString(target)) + " " +
                   std::to_string(info.compute_capability);
  if (target == Target::simt)
    return env;
  env.driver = std::to_string(info.driver_version);
  if (&api == autosage_cuda_device_api())
    if (const Result<cusparse::Library> &library = cusparse::library(); library)
      env.cusparse = cusparse::versionText(library->version);
  return env;
}

oracle::Environment runtime::hostEnvironment() {
  oracle::Environment env;
  env.target = Target::cpu;
  env.code = codeVersion();
  env.device = machineName();
  env.capability = machineText();
  env.units = wantedThreads();
  return env;
}
