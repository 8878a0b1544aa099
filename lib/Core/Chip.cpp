//===- Chip.cpp - what is known of each GPU -------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers are those of the CUDA programming guide's table of compute
// capabilities.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Chip.h"

#include "Text.h"

using namespace autosage;

static constexpr int64_t KiB = 1024;

const std::vector<Chip> &autosage::allChips() {
  static const std::vector<Chip> chips = {
      {"sm_80", 163 * KiB, "+ptx83"},   {"sm_86", 99 * KiB, "+ptx83"},
      {"sm_87", 163 * KiB, "+ptx83"},   {"sm_89", 99 * KiB, "+ptx83"},
      {"sm_90", 227 * KiB, "+ptx83"},   {"sm_90a", 227 * KiB, "+ptx83"},
      {"sm_100", 227 * KiB, "+ptx87"},  {"sm_100a", 227 * KiB, "+ptx87"},
      {"sm_103", 227 * KiB, "+ptx88"},  {"sm_103a", 227 * KiB, "+ptx88"},
      {"sm_120", 99 * KiB, "+ptx87"},   {"sm_120a", 99 * KiB, "+ptx87"},
      {"sm_121", 99 * KiB, "+ptx88"},   {"sm_121a", 99 * KiB, "+ptx88"}};
  return chips;
}

Result<Chip> autosage::findChip(std::string_view name) {
  for (const Chip &chip : allChips())
    if (chip.name == name)
      return chip;
  std::string known = ", expects one of " + joined(allChips(), [](const Chip &c) {
                        return std::string(c.name);
                      });
  if (name.empty())
    return Error{"empty chip" + known};
  if (name.substr(0, 3) != "sm_")
    return Error{quoted(name) + " is not an NVVM chip" + known};
  return Error{"unknown chip " + quoted(name) + known};
}
