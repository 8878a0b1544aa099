//===- KernelSpecC.cpp - specs from and to C ------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/KernelSpecC.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

using namespace autosage;

// The size of the struct in version 1; later versions only grow.
static constexpr uint32_t sizeOfVersion1 =
    offsetof(autosage_kernel_spec, cpu_features) + sizeof(const char *);

/// Reads one word of the spec; `count` is the number of its enumerators.
template <typename Enum>
static Status readWord(const char *name, uint32_t word, uint32_t count,
                       Enum &value) {
  if (word >= count)
    return Error{"expects " + std::string(name) + " below " +
                 std::to_string(count) + ", got " + std::to_string(word)};
  value = static_cast<Enum>(word);
  return Status::success();
}

Status autosage::readSpec(const autosage_kernel_spec &c, KernelSpec &spec) {
  if (c.struct_size < sizeOfVersion1)
    return Error{"expects struct_size of at least " +
                 std::to_string(sizeOfVersion1) + ", got " +
                 std::to_string(c.struct_size)};
  spec = KernelSpec();
  Status words[] = {readWord("op", c.op, 5, spec.op),
                    readWord("reduction", c.reduction, 4, spec.reduction),
                    readWord("combine", c.combine, 2, spec.combine),
                    readWord("score", c.score, 3, spec.score),
                    readWord("dtype", c.dtype, 4, spec.dtype),
                    readWord("rowptr_type", c.rowptr_type, 2, spec.rowptrType),
                    readWord("colind_type", c.colind_type, 2, spec.colindType),
                    readWord("edge_values", c.edge_values, 4, spec.edgeValues)};
  for (Status &status : words)
    if (!status)
      return status;
  if (c.flags >= 512)
    return Error{"expects flags below 512, got " + std::to_string(c.flags)};
  if (c.reserved != 0)
    return Error{"expects reserved to be 0, got " + std::to_string(c.reserved)};
  spec.transpose = c.flags & AUTOSAGE_FLAG_TRANSPOSE;
  spec.accumulate = c.flags & AUTOSAGE_FLAG_ACCUMULATE;
  spec.lse = c.flags & AUTOSAGE_FLAG_LSE;
  spec.composed = c.flags & AUTOSAGE_FLAG_COMPOSED;
  spec.strided = c.flags & AUTOSAGE_FLAG_STRIDED;
  spec.aligned = c.flags & AUTOSAGE_FLAG_ALIGNED;
  spec.f32Out = c.flags & AUTOSAGE_FLAG_F32_OUT;
  spec.biasGradient = c.flags & AUTOSAGE_FLAG_BIAS_GRADIENT;
  spec.transposeGiven = c.flags & AUTOSAGE_FLAG_TRANSPOSE_GIVEN;
  spec.features = c.features;
  spec.valueFeatures = c.value_features;
  spec.heads = c.heads;
  spec.scale = c.scale;
  spec.negativeSlope = c.negative_slope;
  if (c.schedule) {
    Result<Schedule> schedule = parseSchedule(c.schedule);
    if (!schedule)
      return Error{schedule.error()};
    spec.schedule = std::move(*schedule);
  }
  return Status::success();
}

static uint32_t flagsOf(const KernelSpec &spec) {
  uint32_t flags = 0;
  flags |= spec.transpose ? AUTOSAGE_FLAG_TRANSPOSE : 0;
  flags |= spec.accumulate ? AUTOSAGE_FLAG_ACCUMULATE : 0;
  flags |= spec.lse ? AUTOSAGE_FLAG_LSE : 0;
  flags |= spec.composed ? AUTOSAGE_FLAG_COMPOSED : 0;
  flags |= spec.strided ? AUTOSAGE_FLAG_STRIDED : 0;
  flags |= spec.aligned ? AUTOSAGE_FLAG_ALIGNED : 0;
  flags |= spec.f32Out ? AUTOSAGE_FLAG_F32_OUT : 0;
  flags |= spec.biasGradient ? AUTOSAGE_FLAG_BIAS_GRADIENT : 0;
  flags |= spec.transposeGiven ? AUTOSAGE_FLAG_TRANSPOSE_GIVEN : 0;
  return flags;
}

autosage_kernel_spec autosage::writeSpec(const KernelSpec &spec,
                                         const std::string &schedule) {
  autosage_kernel_spec c = {};
  c.struct_size = sizeof c;
  c.version = AUTOSAGE_KERNEL_SPEC_VERSION;
  c.op = static_cast<uint32_t>(spec.op);
  c.reduction = static_cast<uint32_t>(spec.reduction);
  c.combine = static_cast<uint32_t>(spec.combine);
  c.score = static_cast<uint32_t>(spec.score);
  c.dtype = static_cast<uint32_t>(spec.dtype);
  c.rowptr_type = static_cast<uint32_t>(spec.rowptrType);
  c.colind_type = static_cast<uint32_t>(spec.colindType);
  c.edge_values = static_cast<uint32_t>(spec.edgeValues);
  c.flags = flagsOf(spec);
  c.features = spec.features;
  c.value_features = spec.valueFeatures;
  c.heads = spec.heads;
  c.scale = spec.scale;
  c.negative_slope = spec.negativeSlope;
  c.schedule = schedule.empty() ? nullptr : schedule.c_str();
  return c;
}

void autosage::initSpec(autosage_kernel_spec *spec, size_t size,
                        uint32_t version) {
  if (!spec)
    return;
  autosage_kernel_spec full = writeSpec(KernelSpec(), "");
  full.struct_size = static_cast<uint32_t>(size);
  full.version = version;
  // The caller's struct may be one of a shorter or a longer header.
  std::memset(spec, 0, size);
  std::memcpy(spec, &full, std::min(size, sizeof full));
}
