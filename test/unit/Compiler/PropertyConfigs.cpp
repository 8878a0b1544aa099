//===- PropertyConfigs.cpp - what the property tests run ------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PropertyConfigs.h"

#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <limits>
#include <sstream>

using namespace autosage;
using namespace autosage::compiler;
using namespace autosage::test;

static const int64_t allWidths[] = {1, 3, 4, 31, 64, 257};

std::string test::nameOf(const KernelSpec &s) {
  std::string name(toString(s.op));
  if (s.op == OpKind::spmm)
    name += "_" + std::string(toString(s.reduction));
  if (s.op == OpKind::sddmm)
    name += "_" + std::string(toString(s.combine));
  if (isAttention(s.op))
    name += "_" + std::string(toString(s.score));
  static const char *edges[] = {"none", "perEdge", "column", "perHead"};
  name += "_" + std::string(toString(s.dtype)) + "_" +
          std::string(toString(s.rowptrType)) +
          std::string(toString(s.colindType)) + "_" +
          edges[static_cast<int>(s.edgeValues)];
  name += s.features == dynamic ? "_Fany" : "_F" + std::to_string(s.features);
  name += s.heads == dynamic ? "_Hany" : "_H" + std::to_string(s.heads);
  name += s.transpose ? "_transpose" : "";
  name += s.accumulate ? "_accumulate" : "";
  name += s.lse ? "_lse" : "";
  name += s.biasGradient ? "_bias" : "";
  name += s.composed ? "_composed" : "";
  name += s.f32Out ? "_f32Out" : "";
  if (s.schedule)
    for (char c : "_" + s.schedule->str())
      if (std::isalnum(c) || c == '_')
        name += c;
  return name;
}

//===----------------------------------------------------------------------===//
// Configurations
//===----------------------------------------------------------------------===//

static const DType dtypes[] = {DType::f32, DType::f64, DType::f16, DType::bf16};
static const IndexType indexTypes[] = {IndexType::i32, IndexType::i64};

static const EdgeValues edgeForms[] = {EdgeValues::none, EdgeValues::perEdge,
                                       EdgeValues::column, EdgeValues::perHead};

/// Index types are drawn, so that they go with no other choice and the number
/// of kernels stays; CasesTest.cpp has every combination for every op. So is
/// the type of the output where there is a choice.
static void drawTypes(KernelSpec &spec, std::mt19937_64 &engine) {
  spec.rowptrType = indexTypes[engine() % 2];
  spec.colindType = indexTypes[engine() % 2];
  bool isHalf = spec.dtype == DType::f16 || spec.dtype == DType::bf16;
  spec.f32Out = isHalf && engine() % 2;
}

std::vector<Widths> test::anyWidths(int64_t heads) {
  std::vector<Widths> widths;
  for (int64_t width : allWidths)
    widths.push_back({width, width, heads});
  return widths;
}

std::vector<Config> test::spmmConfigs() {
  std::vector<Config> configs;
  std::mt19937_64 engine(1);
  for (DType dtype : dtypes)
    for (Reduction r :
         {Reduction::sum, Reduction::mean, Reduction::max, Reduction::min})
      for (bool transpose : {false, true})
        for (bool accumulate : {false, true})
          for (EdgeValues edges : edgeForms) {
            if (accumulate && (r == Reduction::max || r == Reduction::min))
              continue;
            KernelSpec spec;
            spec.reduction = r;
            spec.dtype = dtype;
            spec.transpose = transpose;
            spec.accumulate = accumulate;
            spec.edgeValues = edges;
            bool heads = edges == EdgeValues::perHead || engine() % 2;
            spec.heads = heads ? dynamic : 0;
            drawTypes(spec, engine);
            configs.push_back({spec, anyWidths(heads ? 3 : 1)});
          }
  // Static widths, where full vectors and tails are known when compiling.
  for (DType dtype : dtypes)
    for (int64_t width : allWidths)
      for (EdgeValues edges : {EdgeValues::none, EdgeValues::perEdge}) {
        KernelSpec spec;
        spec.features = width;
        spec.dtype = dtype;
        spec.edgeValues = edges;
        drawTypes(spec, engine);
        configs.push_back({spec, {{width, 1, 1}}});
      }
  return configs;
}

std::vector<Config> test::sddmmConfigs() {
  std::vector<Config> configs;
  std::mt19937_64 engine(2);
  for (DType dtype : dtypes)
    for (Combine combine : {Combine::dot, Combine::add})
      for (EdgeValues edges : edgeForms) {
        KernelSpec spec;
        spec.op = OpKind::sddmm;
        spec.combine = combine;
        spec.dtype = dtype;
        spec.edgeValues = edges;
        spec.scale = 0.375;
        spec.heads =
            edges == EdgeValues::none && combine == Combine::dot ? 0 : dynamic;
        drawTypes(spec, engine);
        configs.push_back({spec, anyWidths(spec.heads ? 3 : 1)});
      }
  for (DType dtype : dtypes)
    for (int64_t width : allWidths) {
      KernelSpec spec;
      spec.op = OpKind::sddmm;
      spec.features = width;
      spec.dtype = dtype;
      drawTypes(spec, engine);
      configs.push_back({spec, {{width, 1, 1}}});
    }
  return configs;
}

std::vector<Config> test::softmaxConfigs() {
  std::vector<Config> configs;
  std::mt19937_64 engine(3);
  for (DType dtype : dtypes)
    for (int64_t heads : {int64_t(0), dynamic}) {
      KernelSpec spec;
      spec.op = OpKind::row_softmax;
      spec.dtype = dtype;
      spec.heads = heads;
      spec.edgeValues = heads == 0 ? EdgeValues::perEdge : EdgeValues::perHead;
      spec.scale = 0.75;
      drawTypes(spec, engine);
      std::vector<Widths> widths = {{1, 1, 1}};
      if (heads != 0)
        widths = {{1, 1, 1}, {1, 1, 3}, {1, 1, 31}};
      configs.push_back({spec, widths});
    }
  return configs;
}

std::vector<Config> test::attentionConfigs() {
  std::vector<Config> configs;
  std::mt19937_64 engine(4);
  for (DType dtype : dtypes)
    for (Score score : {Score::dot, Score::gat, Score::gatv2})
      for (EdgeValues edges : edgeForms) {
        KernelSpec spec;
        spec.op = OpKind::attention;
        spec.score = score;
        spec.dtype = dtype;
        spec.lse = engine() % 2;
        spec.scale = 0.25;
        spec.negativeSlope = 0.125;
        spec.edgeValues = edges;
        // Static heads for gatv2, whose vectors have their shape in the type.
        spec.heads = score == Score::gatv2 ? 3 : dynamic;
        drawTypes(spec, engine);
        std::vector<Widths> widths = anyWidths(3);
        for (size_t i = 0; score != Score::gat && i < widths.size(); ++i)
          widths[i].valueFeatures = allWidths[(i + 2) % 6];
        configs.push_back({spec, widths});
      }
  // Composed by ops of two dialects: leaky ReLU and bias.
  size_t next = 0;
  for (Score score : {Score::dot, Score::gat})
    for (EdgeValues edges : edgeForms) {
      if (score == Score::dot && edges == EdgeValues::none)
        continue;
      KernelSpec spec;
      spec.op = OpKind::attention;
      spec.score = score;
      spec.composed = true;
      spec.heads = dynamic;
      spec.scale = 0.25;
      spec.negativeSlope = 0.125;
      spec.edgeValues = edges;
      spec.dtype = dtypes[next++ % 4];
      // Weights of wide dot products may be 0 in f16 alone, and 0 times an
      // infinity of v is NaN.
      if (score == Score::dot && spec.dtype == DType::f16)
        spec.dtype = DType::bf16;
      drawTypes(spec, engine);
      configs.push_back({spec, anyWidths(3)});
    }
  for (DType dtype : dtypes)
    for (int64_t width : {int64_t(3), int64_t(64)}) {
      KernelSpec spec;
      spec.op = OpKind::attention;
      spec.features = width;
      spec.valueFeatures = width + 1;
      spec.scale = 0.25;
      spec.dtype = dtype;
      spec.lse = width == 64;
      drawTypes(spec, engine);
      configs.push_back({spec, {{width, width + 1, 1}}});
      spec.lse = false;
      spec.composed = true;
      spec.heads = 3;
      configs.push_back({spec, {{width, width + 1, 3}}});
    }
  return configs;
}

std::vector<Config> test::gradientConfigs() {
  std::vector<Config> configs;
  std::mt19937_64 engine(6);
  auto add = [&](KernelSpec spec, const Widths &widths) {
    spec.op = OpKind::attention_backward;
    spec.scale = 0.25;
    spec.negativeSlope = 0.125;
    spec.biasGradient = spec.edgeValues != EdgeValues::none;
    drawTypes(spec, engine);
    configs.push_back({spec, {widths}});
  };
  size_t next = 0;
  for (Score score : {Score::dot, Score::gat, Score::gatv2})
    for (DType dtype : dtypes) {
      KernelSpec spec;
      spec.score = score;
      spec.dtype = dtype;
      // The numbers of gat are one a head; their v has heads.
      bool narrow = score == Score::gat;
      spec.features = 5;
      spec.valueFeatures = 7;
      spec.heads = narrow ? 1 : 0;
      add(spec, {5, 7, 1});
      // A form of edge values for each score and type.
      spec.heads = 4;
      spec.edgeValues = edgeForms[1 + next++ % 3];
      spec.features = 64;
      spec.valueFeatures = dynamic;
      add(spec, {64, 64, 4});
    }
  for (Score score : {Score::dot, Score::gat, Score::gatv2}) {
    // Widths that are known when the kernel runs, one of them 1.
    KernelSpec spec;
    spec.score = score;
    spec.heads = score == Score::gatv2 ? 3 : dynamic;
    add(spec, {33, 1, 3});
    // Edge values whose gradient is not wanted.
    spec.edgeValues = EdgeValues::perHead;
    add(spec, {1, 3, 3});
    configs.back().spec.biasGradient = false;
  }
  return configs;
}

std::vector<Config> test::staticAttentionConfigs() {
  std::vector<Config> configs;
  std::mt19937_64 engine(5);
  // Widths of q and k, of v, and heads: less than a lane's vector, a segment
  // for each of several heads, heads that fill no group, several vectors a
  // lane, more than a tile.
  const int64_t shapes[][3] = {
      {1, 1, 0},     {4, 4, 8},     {8, 20, 3},  {31, 5, 5},   {32, 32, 4},
      {64, 64, 1},   {16, 64, 0},   {64, 16, 2}, {100, 47, 0}, {128, 128, 2},
      {256, 256, 1}, {257, 256, 0}, {5, 600, 0}, {600, 8, 2}};
  size_t next = 0;
  for (auto [width, valueWidth, heads] : shapes)
    for (Score score : {Score::dot, Score::gat, Score::gatv2}) {
      KernelSpec spec;
      spec.op = OpKind::attention;
      spec.score = score;
      spec.features = width;
      spec.valueFeatures = valueWidth;
      spec.heads = heads;
      // The numbers of gat are one a head; their v has heads.
      if (score == Score::gat && heads == 0)
        spec.heads = 1;
      spec.dtype = dtypes[next++ % 4];
      spec.edgeValues = edgeForms[engine() % (spec.heads ? 4 : 2)];
      spec.scale = 0.25;
      spec.negativeSlope = 0.125;
      spec.lse = engine() % 2;
      drawTypes(spec, engine);
      configs.push_back(
          {spec, {{width, valueWidth, std::max<int64_t>(1, heads)}}});
    }
  return configs;
}

std::vector<Config> test::withAttention(std::vector<Config> configs,
                                        const std::string &form) {
  for (Config &config : configs)
    config.spec.schedule->knobs["attention"] = form;
  return configs;
}

/// Schedules whose chunks, tiles and blocks the graphs' longest rows and widest
/// features exceed.
static const char *const gpuSchedules[] = {
    "row_group",
    "row_tasks, chunk = 32",
    "row_group, lanes = 8, block = 64, unroll = 2",
    "row_tasks, chunk = 32, order = length, unroll = 8, vec = 2",
    "row_group, vec = 8, tile = 64, unroll = 1",
    "row_tasks, chunk = 48, order = locality, tile = 32, min_blocks = 8",
    "row_group, lanes = 32, vec = 1, unroll = 16",
    "row_tasks, chunk = 40, vec = 1, unroll = 4, tile = 8"};

std::vector<Config> test::withGpuSchedules(std::vector<Config> configs,
                                           size_t first) {
  size_t next = first;
  for (Config &config : configs) {
    auto schedule =
        parseSchedule(gpuSchedules[next++ % std::size(gpuSchedules)]);
    EXPECT_TRUE(schedule) << schedule.error();
    config.spec.schedule = *schedule;
  }
  return configs;
}

std::vector<NamedGraph> test::gpuPropertyGraphs() {
  std::vector<NamedGraph> graphs = propertyGraphs(11);
  std::mt19937_64 engine(13);
  graphs.push_back({"long rows", randomCsr({3, 700, 0, 129, 31}, 40, engine)});
  return graphs;
}

//===----------------------------------------------------------------------===//
// The property
//===----------------------------------------------------------------------===//

/// Puts a NaN and infinities into the operands. What attention gave is computed
/// anew: of an `o` and `lse` that do not belong to the others nothing is said.
static void plant(TestCall &call, std::mt19937_64 &engine) {
  const double specials[] = {std::nan(""),
                             std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity()};
  for (std::vector<double> *operand :
       {&call.w, &call.x, &call.q, &call.k, &call.v, &call.vec, &call.dO})
    for (double special : specials)
      if (!operand->empty())
        (*operand)[engine() % operand->size()] = special;
  if (call.spec.accumulate && !call.out.empty())
    call.out[engine() % call.out.size()] = std::nan("");
  if (call.spec.op == OpKind::attention_backward)
    call.runForward();
}

/// Expects each output to be within its bound; returns the largest error.
static double expectNear(const TestCall &call,
                         const std::vector<double> &expected,
                         const std::vector<double> &expectedLse) {
  double worst = 0;
  for (const TestCall::OutputError &e : call.errors(expected, expectedLse)) {
    EXPECT_LE(e.error, e.bound) << e.name;
    if (std::string_view(e.name) != "lse")
      worst = std::max(worst, e.error);
  }
  return worst;
}

void test::expectMatchesReference(const Config &config,
                                  const TestCall::Runner &runner,
                                  const std::vector<NamedGraph> &graphs,
                                  const autosage_device_api *device) {
  std::mt19937_64 engine(7);
  double worst = 0;
  for (const NamedGraph &graph : graphs)
    for (const Widths &widths : config.widths)
      for (bool special : {false, true}) {
        SCOPED_TRACE(graph.name + ", width " + std::to_string(widths.features) +
                     ", " + std::to_string(widths.valueFeatures) + ", heads " +
                     std::to_string(widths.heads) +
                     (special ? ", NaN and infinities" : ""));
        TestCall call(config.spec, graph.csr, widths, engine);
        if (special)
          plant(call, engine);
        std::vector<double> expected, expectedLse;
        call.evaluate(expected, expectedLse);
        Status status = call.run(runner, device);
        ASSERT_TRUE(status) << status.error();
        worst = std::max(worst, expectNear(call, expected, expectedLse));
      }
  std::ostringstream text;
  text << worst;
  testing::Test::RecordProperty("rel_err", text.str());
}
