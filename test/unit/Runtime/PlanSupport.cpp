//===- PlanSupport.cpp - what the tests of plans share --------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanSupport.h"

#include "autosage/Core/KernelArguments.h"
#include "autosage/Core/KernelSpecC.h"
#include "autosage/Emulation/Simt.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace autosage;
using namespace autosage::test;

//===----------------------------------------------------------------------===//
// CountingApi
//===----------------------------------------------------------------------===//

static CountingApi *counting = nullptr;
static const autosage_device_api &simt() { return *autosage_simt_device_api(); }

CountingApi::CountingApi() : api(simt()) {
  counting = this;
  api.launch_kernel = [](autosage_image *image, const char *kernel, int64_t gx,
                         int64_t gy, int64_t gz, int64_t bx, int64_t by,
                         int64_t bz, int64_t shared, void *const *args,
                         int64_t count) {
    ++counting->counts.launches;
    {
      std::lock_guard<std::mutex> lock(counting->mutex);
      counting->launchStreams.push_back(simt().get_stream());
    }
    if (counting->onLaunch)
      counting->onLaunch();
    return simt().launch_kernel(image, kernel, gx, gy, gz, bx, by, bz, shared,
                                args, count);
  };
  api.alloc = [](int64_t bytes) {
    counting->counts.allocs += bytes > 0;
    return simt().alloc(bytes);
  };
  api.free = [](void *pointer) {
    counting->counts.frees += pointer != nullptr;
    simt().free(pointer);
  };
  api.copy = [](void *to, const void *from, int64_t bytes) {
    ++counting->counts.copies;
    simt().copy(to, from, bytes);
  };
  api.upload = [](void *to, const void *from, int64_t bytes) {
    ++counting->counts.transfers;
    simt().upload(to, from, bytes);
  };
  api.download = [](void *to, const void *from, int64_t bytes) {
    ++counting->counts.transfers;
    simt().download(to, from, bytes);
  };
  api.validate_pattern = [](const void *rowptr, const void *colind,
                            int64_t rows, int64_t cols, int64_t nnz,
                            int32_t positionBytes, int32_t coordinateBytes) {
    ++counting->counts.validations;
    return simt().validate_pattern(rowptr, colind, rows, cols, nnz,
                                   positionBytes, coordinateBytes);
  };
  api.pattern_stats = [](const void *rowptr, const void *colind, int64_t rows,
                         int64_t cols, int64_t nnz, int32_t positionBytes,
                         int32_t coordinateBytes, autosage_input_stats *stats) {
    ++counting->counts.stats;
    return simt().pattern_stats(rowptr, colind, rows, cols, nnz, positionBytes,
                                coordinateBytes, stats);
  };
  api.synchronize = [] {
    ++counting->counts.waits;
    return simt().synchronize();
  };
  api.count_tasks = [](const void *rowptr, int64_t rows, int32_t bytes,
                       int64_t chunk) {
    ++counting->counts.builds;
    return simt().count_tasks(rowptr, rows, bytes, chunk);
  };
  api.build_tasks = [](const void *rowptr, const void *colind, int64_t rows,
                       int64_t cols, int64_t nnz, int32_t positionBytes,
                       int32_t coordinateBytes, int64_t chunk, int32_t order,
                       void *tasks, int64_t numTasks) {
    ++counting->counts.builds;
    simt().build_tasks(rowptr, colind, rows, cols, nnz, positionBytes,
                       coordinateBytes, chunk, order, tasks, numTasks);
  };
  api.build_transpose = [](const void *rowptr, const void *colind, int64_t rows,
                           int64_t cols, int64_t nnz, int32_t positionBytes,
                           int32_t coordinateBytes, int32_t outBytes,
                           void *outRowptr, void *outColind, void *outPerm) {
    ++counting->counts.builds;
    simt().build_transpose(rowptr, colind, rows, cols, nnz, positionBytes,
                           coordinateBytes, outBytes, outRowptr, outColind,
                           outPerm);
  };
  api.prepare_kernel = [](autosage_image *, const char *, int64_t) {
    ++counting->counts.prepared;
    return int32_t{0};
  };
  api.is_capturing = [] { return int32_t{counting->capturing}; };
}

CountingApi::~CountingApi() { counting = nullptr; }

//===----------------------------------------------------------------------===//
// Contexts and plans
//===----------------------------------------------------------------------===//

static_assert(sizeof(autosage_symbol) == sizeof(autosage_simt_symbol),
              "the emulator's list is one of symbols");

autosage_context_options test::optionsFor(uint32_t target,
                                          std::vector<std::string> *warnings) {
  autosage_context_options options;
  autosage_context_options_init(&options, sizeof options);
  options.target = target;
  options.cache_dir = "";
  if (target == AUTOSAGE_TARGET_SIMT) {
    options.api = autosage_simt_device_api();
    options.symbols =
        reinterpret_cast<const autosage_symbol *>(autosage_simt_symbols());
  }
  if (warnings) {
    options.warn = [](void *list, const char *message) {
      static std::mutex mutex;
      std::lock_guard<std::mutex> lock(mutex);
      static_cast<std::vector<std::string> *>(list)->push_back(message);
    };
    options.warn_data = warnings;
  }
  return options;
}

ContextPtr test::makeContext(const autosage_context_options &options) {
  autosage_context *context = nullptr;
  EXPECT_EQ(autosage_context_create(&options, &context), AUTOSAGE_PLAN_OK)
      << autosage_plan_last_error();
  return ContextPtr(context);
}

autosage_kernel_spec test::toC(const KernelSpec &spec,
                               const std::string &schedule) {
  return writeSpec(spec, schedule);
}

autosage_plan_status test::makePlan(autosage_context *context,
                                    const KernelSpec &spec,
                                    const Operands &operands, void *stream,
                                    PlanPtr &plan,
                                    const autosage_plan_options *options) {
  std::string schedule = spec.schedule ? spec.schedule->str() : "";
  autosage_kernel_spec c = toC(spec, schedule);
  autosage_pattern pattern = patternOf(operands.a);
  autosage_operands shapes = toC(operands);
  for (autosage_dense *dense :
       {&shapes.edge_values, &shapes.x, &shapes.q, &shapes.k, &shapes.v,
        &shapes.vec, &shapes.out, &shapes.lse, &shapes.workspace, &shapes.o,
        &shapes.d_o, &shapes.dq, &shapes.dk, &shapes.dv, &shapes.dvec,
        &shapes.dbias})
    dense->data = nullptr;
  autosage_plan *made = nullptr;
  autosage_plan_status status = autosage_plan_create(
      context, &c, &pattern, &shapes, options, stream, &made);
  plan.reset(made);
  return status;
}

SimtMemory::SimtMemory(const KernelSpec &spec, const Operands &operands) {
  std::vector<Argument> arguments = signatureOf(spec);
  KernelCall call(spec, arguments, operands);
  if (!call.prepare())
    return; // the plan says why
  for (const Span &span : call)
    if (autosage_simt_register_buffer(span.begin, span.end - span.begin,
                                      std::string(span.name).c_str(),
                                      !span.output) == AUTOSAGE_SIMT_OK)
      registered.push_back(span.begin);
}

SimtMemory::~SimtMemory() {
  for (const void *pointer : registered)
    autosage_simt_unregister_buffer(pointer);
}

Operands SmallSpmm::operands() {
  Operands ops;
  ops.a = {2,
           2,
           {rowptr.data(), 3, IndexType::i32},
           {colind.data(), 3, IndexType::i32}};
  ops.edgeValues = {w.data(), 3, 1, 1, 0};
  ops.x = {x.data(), 2, 1, 1, 0};
  ops.out = {out.data(), 2, 1, 1, 0};
  return ops;
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

static const char *const gpuSchedules[] = {
    "", "row_group", "row_tasks, chunk = 32",
    "row_tasks, chunk = 48, order = locality, tile = 32, min_blocks = 8",
    "row_group, lanes = 8, block = 64, unroll = 2"};

std::string test::gpuPlanSchedule(size_t index) {
  return gpuSchedules[index % std::size(gpuSchedules)];
}

std::vector<Config> test::planConfigs() {
  std::vector<Config> configs;
  auto add = [&](const std::vector<Config> &all, size_t step) {
    for (size_t i = 0; i < all.size(); i += step) {
      Config config = all[i];
      if (config.widths.size() > 2)
        config.widths = {config.widths[1],
                         config.widths[config.widths.size() - 2]};
      configs.push_back(config);
    }
  };
  add(spmmConfigs(), 11);
  add(sddmmConfigs(), 7);
  add(softmaxConfigs(), 3);
  add(attentionConfigs(), 7);
  add(gradientConfigs(), 5);
  // A static width and the composed form, which has a workspace.
  for (const Config &config : attentionConfigs())
    if (config.spec.composed && config.spec.features == 64) {
      configs.push_back(config);
      break;
    }
  return configs;
}

std::vector<NamedGraph> test::planGraphs() {
  std::vector<NamedGraph> graphs = propertyGraphs(17);
  std::mt19937_64 engine(19);
  graphs.push_back({"long rows", randomCsr({3, 300, 0, 65, 31}, 40, engine)});
  return graphs;
}
