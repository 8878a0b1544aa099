//===- Vendor.cpp - cuSPARSE as a schedule --------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The GPU family that is no kernel of ours: a call of cuSPARSE through the
// runtime. On simt, where there is no cuSPARSE, plain loops on the host.
//
//===----------------------------------------------------------------------===//

#include "Families.h"

#include "autosage/Core/Vendor.h"

using namespace autosage;
using schedule::knob;

static Status verifyVendor(const KnobMap &knobs, Target,
                           const Problem &problem) {
  bool deterministic =
      std::get<std::string>(knobs.find("deterministic")->second) == "true";
  return verifyVendorAlgorithm(problem.op, knob(knobs, "alg"), deterministic);
}

const FamilySpec &schedule::VendorFamily() {
  static const FamilySpec spec = {
      "vendor",
      {Target::simt, Target::nvptx},
      {{"alg",
        0,
        vendorAlgorithms - 1,
        false,
        {},
        deterministicVendorAlgorithm,
        "algorithm of cuSPARSE's SpMM: 0 for its own choice, else CSR_ALG1 to "
        "CSR_ALG3; SDDMM has one"},
       {"deterministic",
        0,
        0,
        false,
        {"true", "false"},
        std::string("true"),
        "whether results have to be the same bits in every run, which NVIDIA "
        "documents for algorithm 3 and SDDMM alone"}},
      "a call of cuSPARSE",
      nullptr,
      verifyVendor};
  return spec;
}
