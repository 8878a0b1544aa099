//===- AttentionBackwardTest.cpp - attention_backward on every target -----===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against the f64 reference, which finite differences check
// (ReferenceBackwardTest.cpp), on the same numbers: `o` and the log-sum-exp are
// those of the reference, rounded to their type.
//
//===----------------------------------------------------------------------===//

#include "GradientProgram.h"
#include "RandomGraph.h"

#include "autosage/Core/ReferenceBackward.h"
#include "autosage/Runtime/Runtime.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace autosage;
using namespace autosage::test;

namespace {

/// Heads of biases: none are given, one serves all heads, or one for each.
enum class Bias { none, flat, column, perHead };

struct Config {
  Score score = Score::dot;
  DType dtype = DType::f32;
  int64_t heads = 0; // 0: no dimension
  int64_t features = 5, valueFeatures = 7;
  Bias bias = Bias::none;
  bool isStatic = false; // widths in the types
  bool wideOuts = false; // o, lse, d_o and gradients in f32
  IndexType rowptr = IndexType::i32, colind = IndexType::i32;
  double scale = 0.5, slope = 0.2;
  const char *schedule = ""; // none: the rule decides
};

/// One configuration's program, and calls of it.
class Backward {
public:
  Backward(Target target, const Config &config)
      : config(config), program(makeProgram(target)) {}

  struct Call {
    Csr csr;
    std::map<std::string, Numbers> values;
    std::map<std::string, Shape> shapes;
    std::map<std::string, Numbers> expected;
  };
  /// Draws operands; `change` may plant numbers before the forward pass.
  Call call(const Csr &csr, std::mt19937_64 &engine,
            const std::function<void(Call &)> &change = {}) const;
  std::map<std::string, Numbers> run(const Call &call) const {
    return program.run(call.csr, call.values, call.shapes);
  }
  explicit operator bool() const { return static_cast<bool>(program); }
  DType outType() const { return config.wideOuts ? DType::f32 : config.dtype; }
  /// What errors stay below, relative to the terms of the sums: those of
  /// logits' gradients as if nothing cancelled have this norm.
  double bound(const Call &call) const;
  double magnitude(const Call &call) const;

  Config config;

private:
  GradientProgram makeProgram(Target target) const;
  int64_t heads() const { return std::max<int64_t>(config.heads, 1); }
  std::string sizes(bool hasWidth, int64_t width) const;
  Shape shape(int64_t rows, bool hasWidth, int64_t width) const;
  bool isGat() const { return config.score == Score::gat; }
  bool hasBias() const { return config.bias != Bias::none; }
  int64_t biasHeads() const {
    return config.bias == Bias::perHead ? heads() : 1;
  }

  GradientProgram program;
};

std::string Backward::sizes(bool hasWidth, int64_t width) const {
  std::string text = "?";
  if (config.heads)
    text += "x" + (config.isStatic ? std::to_string(config.heads) : "?");
  if (hasWidth)
    text += "x" + (config.isStatic ? std::to_string(width) : "?");
  return text;
}

Shape Backward::shape(int64_t rows, bool hasWidth, int64_t width) const {
  Shape shape = {rows};
  if (config.heads)
    shape.push_back(config.heads);
  if (hasWidth)
    shape.push_back(width);
  return shape;
}

GradientProgram Backward::makeProgram(Target target) const {
  DType in = config.dtype, out = outType();
  std::string qk = sizes(!isGat(), config.features);
  std::string v = sizes(true, config.valueFeatures);
  std::string vec =
      (config.isStatic || !config.heads ? std::to_string(heads()) : "?") +
      ("x" + (config.isStatic ? std::to_string(config.features) : "?"));
  std::string bias = config.bias == Bias::flat     ? "?"
                     : config.bias == Bias::column ? "?x1"
                                                   : sizes(false, 0);
  std::vector<ProgramOperand> operands = {
      {"q", in, qk}, {"k", in, qk}, {"v", in, v}};
  if (config.score == Score::gatv2)
    operands.push_back({"a", in, vec});
  if (hasBias())
    operands.push_back({"bias", in, bias});
  size_t numInputs = operands.size();
  operands.push_back({"o", out, v});
  operands.push_back({"lse", out, sizes(false, 0)});
  operands.push_back({"d_o", out, v});
  for (size_t i = 0; i < numInputs; ++i)
    operands.push_back({"d" + operands[i].name, out, operands[i].sizes, true});
  std::string results, outs, types;
  for (const ProgramOperand &operand : operands)
    if (operand.isOutput) {
      std::string comma = results.empty() ? "" : ", ";
      results += comma + "%" + operand.name;
      outs += comma + "%" + operand.name + "_0";
      types += comma + operand.tensor();
    }
  auto tensorOf = [&](const std::string &name) {
    for (const ProgramOperand &operand : operands)
      if (operand.name == name)
        return operand.tensor();
    return std::string();
  };
  std::string body =
      results + " = autosage.attention_backward " +
      std::string(toString(config.score)) + " %p" +
      (hasBias() ? "[%bias : " + tensorOf("bias") + "]" : "") + ", %q, %k, %v" +
      (config.score == Score::gatv2 ? " vec(%a : " + tensorOf("a") + ")" : "") +
      " from(%o, %lse, %d_o) outs(" + outs + ")" +
      (*config.schedule ? " schedule<" + std::string(config.schedule) + ">"
                        : "") +
      " {scale = " + std::to_string(config.scale) +
      " : f64, negative_slope = " + std::to_string(config.slope) +
      " : f64} : !p";
  for (const char *name : {"q", "k", "v", "o", "lse", "d_o"})
    body += ", " + tensorOf(name);
  return GradientProgram(target, config.rowptr, config.colind, operands,
                         body + " -> " + types + "\n");
}

Backward::Call Backward::call(const Csr &csr, std::mt19937_64 &engine,
                              const std::function<void(Call &)> &change) const {
  Call call;
  call.csr = csr;
  int64_t rows = csr.rows, cols = csr.cols, nnz = csr.nnz();
  call.shapes = {{"q", shape(rows, !isGat(), config.features)},
                 {"k", shape(cols, !isGat(), config.features)},
                 {"v", shape(cols, true, config.valueFeatures)},
                 {"a", {heads(), config.features}},
                 {"bias", config.bias == Bias::flat     ? Shape{nnz}
                          : config.bias == Bias::column ? Shape{nnz, 1}
                                                        : shape(nnz, false, 0)},
                 {"o", shape(rows, true, config.valueFeatures)},
                 {"lse", shape(rows, false, 0)}};
  call.shapes["d_o"] = call.shapes["o"];
  for (const char *name : {"q", "k", "v", "a", "bias"})
    call.shapes["d" + std::string(name)] = call.shapes[name];
  for (auto &[name, shape] : call.shapes) {
    size_t count = 1;
    for (int64_t size : shape)
      count *= static_cast<size_t>(size);
    bool isInput = name != "o" && name != "lse" && name != "d_o";
    call.values[name] =
        drawNumbers(engine, count, isInput ? config.dtype : outType());
  }
  if (change)
    change(call);

  auto &values = call.values;
  reference::AttentionParams params{config.score,    heads(),
                                    config.features, config.valueFeatures,
                                    config.scale,    config.slope};
  reference::EdgeValues bias{hasBias() ? values["bias"].data() : nullptr,
                             biasHeads()};
  reference::attention(csr.view(), bias, values["q"].data(), values["k"].data(),
                       values["v"].data(), values["a"].data(),
                       values["o"].data(), values["lse"].data(), params);
  values["o"] = roundedTo(values["o"], outType());
  values["lse"] = roundedTo(values["lse"], outType());
  for (const char *name : {"q", "k", "v", "a", "bias"})
    call.expected["d" + std::string(name)].resize(values[name].size());
  auto &expected = call.expected;
  reference::attentionBackward(
      csr.view(),
      {bias, values["q"].data(), values["k"].data(), values["v"].data(),
       values["a"].data(), values["o"].data(), values["lse"].data(),
       values["d_o"].data()},
      {expected["dq"].data(), expected["dk"].data(), expected["dv"].data(),
       expected["da"].data(), expected["dbias"].data()},
      params);
  if (config.score != Score::gatv2)
    expected.erase("da");
  if (!hasBias())
    expected.erase("dbias");
  return call;
}

double Backward::magnitude(const Call &call) const {
  // p * (|do . v| + |do . o|), with |v| and |o| at most 1: a pass with one
  // feature of 1 and twice the sums of |do|.
  const auto &values = call.values;
  int64_t heads = this->heads(), width = config.valueFeatures;
  Numbers ones(static_cast<size_t>(call.csr.cols * heads), 1.0);
  Numbers zeros(static_cast<size_t>(call.csr.rows * heads), 0.0);
  Numbers sums = zeros, bias;
  const Numbers &dO = values.at("d_o");
  for (size_t i = 0; i < dO.size(); ++i)
    if (std::isfinite(dO[i]))
      sums[i / static_cast<size_t>(width)] += 2 * std::fabs(dO[i]);
  reference::EdgeValues given{hasBias() ? values.at("bias").data() : nullptr,
                              biasHeads()};
  for (int64_t e = 0; e < call.csr.nnz(); ++e)
    for (int64_t h = 0; h < heads; ++h)
      bias.push_back(given.data ? given.at(e, h) : 0.0);
  Numbers ds(bias.size());
  reference::attentionBackward(
      call.csr.view(),
      {{bias.data(), heads},
       values.at("q").data(),
       values.at("k").data(),
       ones.data(),
       values.at("a").data(),
       zeros.data(),
       values.at("lse").data(),
       sums.data()},
      {nullptr, nullptr, nullptr, nullptr, ds.data()},
      {config.score, heads, config.features, 1, config.scale, config.slope});
  double sum = 0;
  for (double value : ds)
    if (std::isfinite(value))
      sum += value * value;
  return std::sqrt(sum);
}

double Backward::bound(const Call &call) const {
  int64_t width = std::max(config.features, config.valueFeatures);
  double u = config.dtype == DType::f64 ? 0x1p-53 : 0x1p-24;
  return 8 * u * std::sqrt(static_cast<double>(longestSum(call.csr) + width));
}

struct Case {
  Target target;
  Config config;
};

std::string nameOf(const Config &config) {
  static const char *const biases[] = {"", "_bias", "_bias1", "_biasH"};
  std::string name =
      std::string(toString(config.score)) + "_" +
      std::string(toString(config.dtype)) + "_h" +
      std::to_string(config.heads) + "_f" + std::to_string(config.features) +
      "_d" + std::to_string(config.valueFeatures) +
      biases[static_cast<int>(config.bias)] +
      (config.isStatic ? "_static" : "") + (config.wideOuts ? "_wide" : "");
  for (char c : std::string(config.schedule))
    if (c == ',')
      name += '_';
    else if (c != ' ' && c != '=')
      name += c;
  if (config.rowptr == IndexType::i64 || config.colind == IndexType::i64)
    name += "_" + std::string(toString(config.rowptr)) + "_" +
            std::string(toString(config.colind));
  return name;
}

std::vector<Config> configs() {
  std::vector<Config> all;
  for (Score score : {Score::dot, Score::gat, Score::gatv2}) {
    // The q and k of gat have heads always.
    int64_t one = score == Score::gat ? 1 : 0;
    for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16}) {
      Config config;
      config.score = score;
      config.dtype = dtype;
      config.heads = one;
      all.push_back(config);
      config.heads = 4;
      config.bias = Bias::perHead;
      config.isStatic = true;
      all.push_back(config);
    }
    Config config;
    config.score = score;
    config.heads = one;
    config.bias = Bias::flat;
    config.isStatic = true;
    all.push_back(config);
    config.heads = 3;
    config.isStatic = false;
    all.push_back(config);
    config.bias = Bias::column;
    config.scale = 1;
    config.slope = 0;
    all.push_back(config);
    config.dtype = DType::f16;
    config.wideOuts = true;
    config.bias = Bias::flat;
    config.rowptr = IndexType::i64;
    all.push_back(config);
    config.dtype = DType::f32;
    config.wideOuts = false;
    config.features = 33;
    config.valueFeatures = 1;
    config.colind = IndexType::i64;
    all.push_back(config);
  }
  return all;
}

/// Forms of the kernels: whole and cut rows, vectors, tiles of features.
std::vector<Config> formsOn(Target target) {
  std::vector<const char *> schedules = {
      "row_group, attention = composed", "row_group, lanes = 8, unroll = 1",
      "row_tasks, chunk = 32", "row_tasks, chunk = 32, unroll = 16",
      "row_tasks, chunk = 32, order = length, tile = 32"};
  if (target == Target::cpu)
    schedules = {"row_parallel, attention = composed",
                 "row_parallel, grain = 3, vec = 1, tile = 2",
                 "row_parallel, prefetch = 8, unroll = 4, tile = 16",
                 "nnz_parallel, parts = 5, unroll = 2, vec = 8, tile = 32",
                 "nnz_parallel, parts = 64, attention = composed"};
  std::vector<Config> all;
  for (Score score : {Score::dot, Score::gat, Score::gatv2})
    for (const char *schedule : schedules) {
      Config config;
      config.score = score;
      config.schedule = schedule;
      config.isStatic = true;
      config.heads = 2;
      config.features = 16;
      config.valueFeatures = 64;
      config.bias = Bias::column;
      all.push_back(config);
      config.dtype = DType::f16;
      config.wideOuts = true;
      config.features = 136;
      config.valueFeatures = 8;
      config.heads = score == Score::gat ? 1 : 0;
      config.bias = Bias::none;
      all.push_back(config);
      config.isStatic = false;
      config.dtype = DType::f32;
      config.wideOuts = false;
      config.features = 36;
      config.valueFeatures = 72;
      all.push_back(config);
    }
  return all;
}

std::vector<Case> casesOn(Target target) {
  std::vector<Case> cases;
  for (const Config &config : configs())
    // The emulator takes longer; bf16 has the code of f16.
    if (target != Target::simt || config.dtype != DType::bf16)
      cases.push_back({target, config});
  for (const Config &config : formsOn(target))
    cases.push_back({target, config});
  return cases;
}

void PrintTo(const Case &c, std::ostream *os) { *os << nameOf(c.config); }

class AttentionBackward : public testing::TestWithParam<Case> {
protected:
  void SetUp() override {
    if (GetParam().target == Target::nvptx && testGpu().chip.empty())
      GTEST_SKIP() << testGpu().missing;
  }
};

void expectNear(const Backward &backward, const Backward::Call &call,
                const std::map<std::string, Numbers> &got) {
  double bound = backward.bound(call), magnitude = backward.magnitude(call);
  for (const auto &[name, expected] : call.expected)
    EXPECT_TRUE(
        isNear(got.at(name), expected, backward.outType(), bound, magnitude))
        << name;
}

TEST_P(AttentionBackward, MatchesReference) {
  Backward backward(GetParam().target, GetParam().config);
  ASSERT_TRUE(backward);
  std::mt19937_64 engine(31);
  for (const NamedGraph &graph : propertyGraphs(5)) {
    // Thread by thread takes longer.
    if (GetParam().target == Target::simt && graph.csr.nnz() > 300)
      continue;
    SCOPED_TRACE(graph.name);
    auto call = backward.call(graph.csr, engine);
    auto got = backward.run(call);
    expectNear(backward, call, got);
    // Two runs give the same bits.
    EXPECT_EQ(backward.run(call), got);
  }
}

/// Every score, with heads and a bias for each.
Config everything(Score score) {
  Config config;
  config.score = score;
  config.heads = 2;
  config.bias = Bias::perHead;
  return config;
}

class BackwardOnTarget : public testing::TestWithParam<Target> {
protected:
  void SetUp() override {
    if (GetParam() == Target::nvptx && testGpu().chip.empty())
      GTEST_SKIP() << testGpu().missing;
  }
};

// Rows without weight take part in nothing, whatever their gradient and what
// they refer to; empty rows and unreferenced columns have gradients of 0.
TEST_P(BackwardOnTarget, MaskedRowsAreZeroAndTouchNothing) {
  const double infinity = std::numeric_limits<double>::infinity();
  Csr csr{4, 4, std::vector<int64_t>{0, 3, 3, 5, 7},
          std::vector<int64_t>{0, 1, 3, 1, 2, 1, 1}};
  for (Score score : {Score::dot, Score::gat, Score::gatv2}) {
    SCOPED_TRACE(toString(score));
    Backward backward(GetParam(), everything(score));
    ASSERT_TRUE(backward);
    std::mt19937_64 engine(51);
    auto call = backward.call(csr, engine, [&](Backward::Call &call) {
      // All edges of row 0, and one of the two of row 2 in head 1.
      for (size_t i : {0, 1, 2, 3, 4, 5, 7})
        call.values["bias"][i] = -infinity;
      call.values["d_o"][0] = std::nan("");
      // Column 3 is referred to by row 0 alone.
      call.values["v"][3 * 2 * 7] = infinity;
    });
    auto got = backward.run(call);
    expectNear(backward, call, got);
    size_t width = score == Score::gat ? 1 : 5;
    for (size_t c = 0; c < 2 * width; ++c) {
      EXPECT_EQ(got["dq"][c], 0);
      EXPECT_EQ(got["dq"][2 * width + c], 0);
      EXPECT_EQ(got["dk"][c], 0);
      EXPECT_EQ(got["dk"][3 * 2 * width + c], 0);
    }
    for (size_t c = 0; c < 2 * 7; ++c)
      EXPECT_EQ(got["dv"][3 * 2 * 7 + c], 0);
  }
}

TEST_P(BackwardOnTarget, NanAndInfinityStayWithTheirNeighbours) {
  std::mt19937_64 engine(53);
  Csr csr = randomCsr({4, 7, 0, 2, 9, 1}, 30, engine);
  for (Score score : {Score::dot, Score::gat, Score::gatv2}) {
    Backward backward(GetParam(), everything(score));
    ASSERT_TRUE(backward);
    auto check = [&](const char *name, double special) {
      SCOPED_TRACE(std::string(toString(score)) + " " + name);
      auto call = backward.call(csr, engine, [&](Backward::Call &call) {
        call.values[name][3] = special;
      });
      auto got = backward.run(call);
      expectNear(backward, call, got);
      EXPECT_TRUE(std::any_of(got["dq"].begin(), got["dq"].end(),
                              [](double x) { return std::isfinite(x); }));
    };
    for (const char *name : {"q", "k", "v", "bias", "d_o"})
      check(name, std::nan(""));
    check("bias", std::numeric_limits<double>::infinity());
  }
}

// Handed case X07.
TEST_P(BackwardOnTarget, X07_MixedIndexTypes) {
  Csr csr{3, 3, std::vector<int64_t>{0, 2, 2, 3},
          std::vector<int64_t>{0, 2, 1}};
  for (Score score : {Score::dot, Score::gat, Score::gatv2}) {
    std::map<std::string, Numbers> first;
    for (IndexType rowptr : {IndexType::i32, IndexType::i64})
      for (IndexType colind : {IndexType::i32, IndexType::i64}) {
        Config config = everything(score);
        config.rowptr = rowptr;
        config.colind = colind;
        Backward backward(GetParam(), config);
        ASSERT_TRUE(backward);
        std::mt19937_64 engine(7);
        auto call = backward.call(csr, engine);
        auto got = backward.run(call);
        expectNear(backward, call, got);
        if (first.empty())
          first = got;
        EXPECT_EQ(got, first);
      }
  }
}

// Handed case N22: 50 runs have the same bits, and so has a program that is
// compiled anew.
TEST_P(BackwardOnTarget, N22_RunsAreBitIdentical) {
  bool isSimt = GetParam() == Target::simt;
  const int64_t n = isSimt ? 40 : 1000, degree = 250;
  std::vector<int64_t> rowptr, colind;
  for (int64_t i = 0; i <= n; ++i)
    rowptr.push_back(i * degree);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t e = 0; e < degree; ++e)
      colind.push_back((i * 17 + e * 4) % n);
  Csr csr{n, n, rowptr, colind};
  for (Score score : {Score::dot, Score::gat, Score::gatv2}) {
    SCOPED_TRACE(toString(score));
    Config config = everything(score);
    config.heads = 1;
    config.features = config.valueFeatures = isSimt ? 4 : 32;
    Backward backward(GetParam(), config), again(GetParam(), config);
    ASSERT_TRUE(backward && again);
    std::mt19937_64 engine(22);
    auto call = backward.call(csr, engine);
    auto first = backward.run(call);
    for (int run = 1; run < (isSimt ? 2 : 50); ++run)
      ASSERT_EQ(backward.run(call), first) << "run " << run;
    EXPECT_EQ(again.run(call), first) << "compiled anew";
  }
}

// Dense ops between the sparse ones run in several threads, too.
TEST(BackwardThreads, DoNotChangeABit) {
  std::mt19937_64 engine(61);
  std::vector<int64_t> degrees(4000);
  for (int64_t &degree : degrees)
    degree = static_cast<int64_t>(engine() % 20);
  Csr csr = randomCsr(degrees, 3000, engine);
  for (Score score : {Score::dot, Score::gat, Score::gatv2}) {
    SCOPED_TRACE(toString(score));
    Backward backward(Target::cpu, everything(score));
    ASSERT_TRUE(backward);
    auto call = backward.call(csr, engine);
    autosage_set_num_threads(1);
    auto first = backward.run(call);
    expectNear(backward, call, first);
    for (int32_t threads : {2, 5}) {
      autosage_set_num_threads(threads);
      EXPECT_EQ(backward.run(call), first) << threads << " threads";
    }
    autosage_set_num_threads(0);
  }
}

INSTANTIATE_TEST_SUITE_P(Cpu, BackwardOnTarget, testing::Values(Target::cpu));
INSTANTIATE_TEST_SUITE_P(Simt, BackwardOnTarget, testing::Values(Target::simt));
INSTANTIATE_TEST_SUITE_P(Nvptx, BackwardOnTarget,
                         testing::Values(Target::nvptx));

INSTANTIATE_TEST_SUITE_P(Cpu, AttentionBackward,
                         testing::ValuesIn(casesOn(Target::cpu)),
                         [](const auto &info) {
                           return nameOf(info.param.config);
                         });
INSTANTIATE_TEST_SUITE_P(Simt, AttentionBackward,
                         testing::ValuesIn(casesOn(Target::simt)),
                         [](const auto &info) {
                           return nameOf(info.param.config);
                         });
INSTANTIATE_TEST_SUITE_P(Nvptx, AttentionBackward,
                         testing::ValuesIn(casesOn(Target::nvptx)),
                         [](const auto &info) {
                           return nameOf(info.param.config);
                         });

} // namespace
