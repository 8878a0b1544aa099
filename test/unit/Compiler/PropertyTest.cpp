//===- PropertyTest.cpp - every op on random graphs against the reference -===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is compiled once for a configuration and run on every graph; kernels
// of dynamic width run on every width too. Half of the calls have NaN and
// infinities planted; they must come out where the reference has them.
//
//===----------------------------------------------------------------------===//

#include "RandomGraph.h"
#include "TestKernel.h"

#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <limits>

using namespace autosage;
using namespace autosage::compiler;
using namespace autosage::test;

static const int64_t allWidths[] = {1, 3, 4, 31, 64, 257};

/// One configuration of a kernel, printable for the test's name.
struct Config {
  KernelSpec spec;
  std::vector<Widths> widths;
};

static std::string nameOf(const KernelSpec &s) {
  std::string name(toString(s.op));
  if (s.op == OpKind::spmm)
    name += "_" + std::string(toString(s.reduction));
  if (s.op == OpKind::sddmm)
    name += "_" + std::string(toString(s.combine));
  if (s.op == OpKind::attention)
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

static std::vector<Widths> anyWidths(int64_t heads) {
  std::vector<Widths> widths;
  for (int64_t width : allWidths)
    widths.push_back({width, width, heads});
  return widths;
}

static std::vector<Config> spmmConfigs() {
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

static std::vector<Config> sddmmConfigs() {
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

static std::vector<Config> softmaxConfigs() {
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

static std::vector<Config> attentionConfigs() {
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

/// Every op under schedules other than the chosen one: one lane, tiles that do
/// not divide the width, blocks of one row, of a few, and of all.
static std::vector<Config> scheduleConfigs() {
  std::vector<Config> configs;
  for (const char *text :
       {"row_parallel, vec = 1, tile = 1, grain = 1",
        "row_parallel, vec = 4, tile = 12, grain = 7",
        "row_parallel, vec = 16, tile = 16, grain = 64",
        "row_parallel, vec = 8, tile = 128, grain = 1000",
        "row_parallel, unroll = 4, prefetch = 3",
        "row_parallel, vec = 4, tile = 8, unroll = 8",
        "nnz_parallel, parts = 5, unroll = 2, prefetch = 1024"})
    for (DType dtype : dtypes)
      for (OpKind op : {OpKind::spmm, OpKind::sddmm, OpKind::row_softmax,
                        OpKind::attention}) {
        KernelSpec spec;
        spec.op = op;
        spec.dtype = dtype;
        spec.edgeValues = EdgeValues::perEdge;
        auto schedule = parseSchedule(text);
        EXPECT_TRUE(schedule) << schedule.error();
        spec.schedule = *schedule;
        configs.push_back({spec, op == OpKind::row_softmax
                                     ? std::vector<Widths>{{1, 1, 1}}
                                     : anyWidths(1)});
      }
  return configs;
}

//===----------------------------------------------------------------------===//
// The property
//===----------------------------------------------------------------------===//

/// Puts a NaN and infinities into the operands.
static void plant(TestCall &call, std::mt19937_64 &engine) {
  const double specials[] = {std::nan(""),
                             std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity()};
  for (std::vector<double> *operand :
       {&call.w, &call.x, &call.q, &call.k, &call.v, &call.vec})
    for (double special : specials)
      if (!operand->empty())
        (*operand)[engine() % operand->size()] = special;
  if (call.spec.accumulate && !call.out.empty())
    call.out[engine() % call.out.size()] = std::nan("");
}

class Property : public testing::TestWithParam<Config> {};

TEST_P(Property, MatchesReference) {
  const Config &config = GetParam();
  auto kernel = compileCpu(config.spec);
  ASSERT_TRUE(kernel) << kernel.error();
  std::mt19937_64 engine(7);
  for (const NamedGraph &graph : propertyGraphs(11))
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
        Status status = call.run(**kernel);
        ASSERT_TRUE(status) << status.error();
        TestCall::Bounds bounds = call.bounds(expected, expectedLse);
        EXPECT_LE(relativeError(call.out, expected), bounds.out);
        EXPECT_LE(relativeError(call.lse, expectedLse), bounds.lse);
      }
}

/// Each again with its long rows cut: the graphs are small, so a number of
/// parts is given, which no graph's edges divide into.
static std::vector<Config> withFamilies(std::vector<Config> configs) {
  for (size_t i = 0, count = configs.size(); i < count; ++i)
    if (configs[i].spec.dtype == DType::f32 && !configs[i].spec.transpose) {
      Config config = configs[i];
      config.spec.schedule = Schedule{"nnz_parallel", {{"parts", int64_t(7)}}};
      configs.push_back(config);
    }
  return configs;
}

static std::string testName(const testing::TestParamInfo<Config> &info) {
  return nameOf(info.param.spec);
}
INSTANTIATE_TEST_SUITE_P(Spmm, Property,
                         testing::ValuesIn(withFamilies(spmmConfigs())),
                         testName);
INSTANTIATE_TEST_SUITE_P(Sddmm, Property,
                         testing::ValuesIn(withFamilies(sddmmConfigs())),
                         testName);
INSTANTIATE_TEST_SUITE_P(Softmax, Property,
                         testing::ValuesIn(withFamilies(softmaxConfigs())),
                         testName);
INSTANTIATE_TEST_SUITE_P(Attention, Property,
                         testing::ValuesIn(withFamilies(attentionConfigs())),
                         testName);
INSTANTIATE_TEST_SUITE_P(Schedules, Property,
                         testing::ValuesIn(scheduleConfigs()), testName);

TEST(Unroll, ChangesNoBitOfSpmm) {
  // The edges of a pass are added one after another. Prefetching computes
  // nothing.
  std::mt19937_64 engine(31);
  for (Reduction reduction : {Reduction::sum, Reduction::max}) {
    KernelSpec spec;
    spec.reduction = reduction;
    spec.features = 67;
    spec.edgeValues = EdgeValues::perEdge;
    std::vector<std::unique_ptr<CompiledKernel>> kernels;
    for (const char *text : {"row_parallel", "row_parallel, unroll = 2",
                             "row_parallel, unroll = 16, prefetch = 5",
                             "row_parallel, prefetch = 1"}) {
      spec.schedule = *parseSchedule(text);
      auto kernel = compileCpu(spec);
      ASSERT_TRUE(kernel) << kernel.error();
      kernels.push_back(std::move(*kernel));
    }
    for (const NamedGraph &graph : propertyGraphs(17)) {
      TestCall call(spec, graph.csr, {67, 1, 1}, engine);
      std::vector<double> first;
      for (size_t i = 0; i < kernels.size(); ++i) {
        std::fill(call.out.begin(), call.out.end(), std::nan(""));
        ASSERT_TRUE(call.run(*kernels[i]));
        if (i == 0)
          first = call.out;
        EXPECT_EQ(call.out, first) << graph.name << ", schedule " << i;
      }
    }
  }
}

TEST(Unroll, AScoreIsTheSameWhereverItStands) {
  // One edge again and again: in rows of 1 to 12 edges it is in every place of
  // a pass, and in the rest.
  std::mt19937_64 engine(37);
  std::vector<int32_t> rowptr{0};
  for (int32_t row = 0; row < 12; ++row)
    rowptr.push_back(rowptr.back() + row + 1);
  Csr csr{12, 1, IndexArray(rowptr),
          IndexArray(std::vector<int32_t>(rowptr.back(), 0))};
  for (int64_t width : {int64_t(3), int64_t(64), int64_t(300)})
    for (const char *text :
         {"row_parallel, unroll = 4", "row_parallel, unroll = 8, vec = 4",
          "row_parallel, unroll = 16, vec = 2, tile = 64"}) {
      KernelSpec spec;
      spec.op = OpKind::sddmm;
      spec.features = width;
      spec.schedule = *parseSchedule(text);
      auto kernel = compileCpu(spec);
      ASSERT_TRUE(kernel) << kernel.error();
      TestCall call(spec, csr, {width, 1, 1}, engine);
      for (size_t i = width; i < call.q.size(); ++i)
        call.q[i] = call.q[i - width];
      ASSERT_TRUE(call.run(**kernel));
      for (double value : call.out)
        EXPECT_EQ(value, call.out[0]) << text << ", width " << width;
    }
}

TEST(PropertyOfZero, NoFeaturesAtAll) {
  // Width 0 is legal and gives outputs of the right shape; a dot product of
  // nothing is 0, so that attention becomes the mean.
  std::mt19937_64 engine(5);
  KernelSpec spmm, sddmm, attention;
  sddmm.op = OpKind::sddmm;
  attention.op = OpKind::attention;
  for (const KernelSpec &spec : {spmm, sddmm, attention}) {
    auto kernel = compileCpu(spec);
    ASSERT_TRUE(kernel) << kernel.error();
    for (const NamedGraph &graph : propertyGraphs(13)) {
      TestCall call(spec, graph.csr, {0, 5, 1}, engine);
      std::vector<double> expected, lse;
      call.evaluate(expected, lse);
      Status status = call.run(**kernel);
      ASSERT_TRUE(status) << status.error();
      EXPECT_LE(relativeError(call.out, expected),
                call.bounds(expected, lse).out)
          << toString(spec.op) << " " << graph.name;
    }
  }
}
