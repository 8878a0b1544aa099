//===- GradientsTest.cpp - autosage-add-backward on every target ----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function of one op and the function of its gradients, in one program: the
// gradients against the f64 reference, and those in f64 against differences of
// the compiled function itself.
//
//===----------------------------------------------------------------------===//

#include "GradientProgram.h"
#include "RandomGraph.h"

#include "autosage/Core/ReferenceBackward.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace autosage;
using namespace autosage::test;

namespace {

enum class Values { none, flat, column, perHead };

struct Config {
  OpKind op = OpKind::spmm;
  Reduction reduction = Reduction::sum;
  Combine combine = Combine::dot;
  DType dtype = DType::f32;
  int64_t heads = 0; // 0: no dimension
  int64_t features = 5;
  Values values = Values::none;
  bool transpose = false, accumulate = false, f32Out = false;
  double scale = 1;
  IndexType rowptr = IndexType::i32, colind = IndexType::i32;
};

std::string nameOf(const Config &config) {
  static const char *const forms[] = {"", "_w", "_w1", "_wH"};
  std::string name(toString(config.op));
  if (config.op == OpKind::spmm)
    name += "_" + std::string(toString(config.reduction));
  if (config.op == OpKind::sddmm)
    name += "_" + std::string(toString(config.combine));
  name += "_" + std::string(toString(config.dtype)) + "_h" +
          std::to_string(config.heads) + forms[static_cast<int>(config.values)];
  for (auto [flag, suffix] : {std::pair(config.transpose, "_transpose"),
                              {config.accumulate, "_accumulate"},
                              {config.f32Out, "_f32out"},
                              {config.scale != 1, "_scale"},
                              {config.rowptr == IndexType::i64, "_i64"},
                              {config.colind == IndexType::i64, "_crd64"}})
    if (flag)
      name += suffix;
  return name;
}

/// The op's operands in order, the tensor that it writes to last.
struct Operand {
  std::string name;
  bool ofEdges;   // nnz, else rows or columns
  bool ofColumns; // where of no edges
  bool hasWidth;
};

class Gradients {
public:
  Gradients(Target target, const Config &config)
      : config(config), operands(makeOperands()), program(makeProgram(target)) {
  }

  struct Call {
    Csr csr;
    std::map<std::string, Numbers> values;
    std::map<std::string, Shape> shapes;
  };
  Call call(const Csr &csr, std::mt19937_64 &engine) const;
  std::map<std::string, Numbers> run(const Call &call) const {
    return program.run(call.csr, call.values, call.shapes);
  }
  std::map<std::string, Numbers> expected(const Call &call) const;
  /// What errors stay below, relative to the terms of the sums.
  double bound(const Call &call) const;
  double magnitude(const Call &call) const;
  explicit operator bool() const { return static_cast<bool>(program); }
  std::vector<std::string> inputs() const {
    std::vector<std::string> names;
    for (const Operand &operand : operands)
      if (&operand != &operands.back() || config.accumulate)
        names.push_back(operand.name);
    return names;
  }

  Config config;

private:
  std::vector<Operand> makeOperands() const;
  GradientProgram makeProgram(Target target) const;
  int64_t heads() const { return std::max<int64_t>(config.heads, 1); }
  DType typeOf(const Operand &operand) const {
    bool isOut = operand.name == operands.back().name;
    return isOut && config.f32Out ? DType::f32 : config.dtype;
  }
  std::string sizesOf(const Operand &operand) const;
  bool picks() const {
    return config.op == OpKind::spmm && (config.reduction == Reduction::max ||
                                         config.reduction == Reduction::min);
  }

  std::vector<Operand> operands;
  GradientProgram program;
};

std::vector<Operand> Gradients::makeOperands() const {
  std::vector<Operand> list;
  bool isDot = config.combine == Combine::dot;
  if (config.op == OpKind::spmm)
    list.push_back({"x", false, !config.transpose, true});
  if (config.op == OpKind::sddmm) {
    list.push_back({"q", false, false, isDot});
    list.push_back({"k", false, true, isDot});
  }
  if (config.op == OpKind::row_softmax)
    list.push_back({"s", true, false, false});
  if (config.values != Values::none)
    list.push_back({"w", true, false, false});
  if (config.op == OpKind::spmm)
    list.push_back({"out", false, config.transpose, true});
  else
    list.push_back({"out", true, false, false});
  return list;
}

std::string Gradients::sizesOf(const Operand &operand) const {
  if (operand.name == "w" && config.values == Values::flat)
    return "?";
  if (operand.name == "w" && config.values == Values::column)
    return "?x1";
  return std::string("?") + (config.heads ? "x?" : "") +
         (operand.hasWidth ? "x?" : "");
}

GradientProgram Gradients::makeProgram(Target target) const {
  std::vector<ProgramOperand> list;
  std::string parameters = "%p: !p", arguments = "%p", types = "!p";
  std::string results, resultTypes;
  for (const Operand &operand : operands) {
    ProgramOperand in{operand.name, typeOf(operand), sizesOf(operand)};
    list.push_back(in);
    parameters += ", %" + operand.name + ": " + in.tensor();
    arguments += ", %" + operand.name;
    types += ", " + in.tensor();
    results += (results.empty() ? "%d" : ", %d") + operand.name;
    resultTypes += (resultTypes.empty() ? "" : ", ") + in.tensor();
  }
  std::string outType = list.back().tensor();
  list.push_back({"given", list.back().dtype, list.back().sizes});
  list.push_back({"y", list.back().dtype, list.back().sizes, true});
  for (size_t i = 0; i < operands.size(); ++i)
    list.push_back({"d" + list[i].name, list[i].dtype, list[i].sizes, true});

  std::string word, reads, readTypes = "!p", edges;
  for (size_t i = 0; i + 1 < operands.size(); ++i) {
    bool isEdges = operands[i].name == "w" || operands[i].name == "s";
    if (isEdges) {
      edges = "[%" + operands[i].name + " : " + list[i].tensor() + "]";
      continue;
    }
    reads += ", %" + operands[i].name;
    readTypes += ", " + list[i].tensor();
  }
  std::string attributes;
  auto attribute = [&](const std::string &text) {
    attributes += (attributes.empty() ? "" : ", ") + text;
  };
  if (config.transpose)
    attribute("transpose");
  if (config.accumulate)
    attribute("accumulate");
  if (config.scale != 1)
    attribute("scale = " + std::to_string(config.scale) + " : f64");
  if (config.op == OpKind::spmm)
    word = " " + std::string(toString(config.reduction));
  if (config.op == OpKind::sddmm)
    word = " " + std::string(toString(config.combine));
  std::string before =
      "func.func private @f(" + parameters + ") -> " + outType +
      " {\n%r = autosage." + std::string(toString(config.op)) + word + " %p" +
      edges + reads + " outs(%out)" +
      (attributes.empty() ? "" : " {" + attributes + "}") + " : " + readTypes +
      " -> " + outType + "\nreturn %r : " + outType +
      "\n}\nfunc.func private @f_backward(" + types + ", " + outType +
      ") -> (" + resultTypes + ")\n";
  std::string body = "%y = func.call @f(" + arguments + ") : (" + types +
                     ") -> " + outType + "\n" + results +
                     " = func.call @f_backward(" + arguments + ", %given) : (" +
                     types + ", " + outType + ") -> (" + resultTypes + ")\n";
  return GradientProgram(target, config.rowptr, config.colind, list, body,
                         before, "autosage-add-backward{functions=f}");
}

Gradients::Call Gradients::call(const Csr &csr, std::mt19937_64 &engine) const {
  Call call;
  call.csr = csr;
  for (const Operand &operand : operands) {
    Shape shape = {operand.ofEdges     ? csr.nnz()
                   : operand.ofColumns ? csr.cols
                                       : csr.rows};
    bool isShared = operand.name == "w" && config.values != Values::perHead;
    if (isShared && config.values == Values::column)
      shape.push_back(1);
    else if (!isShared && config.heads)
      shape.push_back(config.heads);
    if (operand.hasWidth)
      shape.push_back(config.features);
    size_t count = 1;
    for (int64_t size : shape)
      count *= static_cast<size_t>(size);
    Numbers &values = call.values[operand.name];
    values = drawNumbers(engine, count, typeOf(operand));
    // Messages that every type holds, with ties: the same edge everywhere.
    if (picks() && operand.name != "out")
      for (double &value : values)
        value = std::floor(3 * value);
    call.shapes[operand.name] = call.shapes["d" + operand.name] = shape;
  }
  call.shapes["given"] = call.shapes["y"] = call.shapes["out"];
  call.values["given"] =
      drawNumbers(engine, call.values["out"].size(), typeOf(operands.back()));
  return call;
}

std::map<std::string, Numbers> Gradients::expected(const Call &call) const {
  const auto &values = call.values;
  auto at = [&](const char *name) {
    auto found = values.find(name);
    return found == values.end() ? nullptr : found->second.data();
  };
  reference::EdgeValues w{at("w"),
                          config.values == Values::perHead ? heads() : 1};
  std::map<std::string, Numbers> out;
  for (const Operand &operand : operands)
    out["d" + operand.name].resize(values.at(operand.name).size());
  out["y"] = values.at("out");
  auto to = [&](const char *name) {
    return out.count(name) ? out[name].data() : nullptr;
  };
  CsrView a = call.csr.view();
  if (config.op == OpKind::spmm) {
    reference::SpmmParams params{config.reduction, heads(), config.features,
                                 config.transpose, config.accumulate};
    reference::spmm(a, w, at("x"), to("y"), params);
    reference::spmmBackward(a, w, at("x"), at("given"), to("dx"), to("dw"),
                            params);
    if (config.accumulate)
      out["dout"] = values.at("given");
  } else if (config.op == OpKind::sddmm) {
    reference::SddmmParams params{config.combine, heads(), config.features,
                                  config.scale};
    reference::sddmm(a, w, at("q"), at("k"), to("y"), params);
    reference::sddmmBackward(a, w, at("q"), at("k"), at("given"), to("dq"),
                             to("dk"), to("dw"), params);
  } else {
    reference::rowSoftmax(a, at("s"), to("y"), heads(), config.scale);
    // The kernel reads the weights that it stored.
    Numbers weights = roundedTo(out["y"], typeOf(operands.back()));
    reference::rowSoftmaxBackward(a, weights.data(), at("given"), to("ds"),
                                  heads(), config.scale);
  }
  // The function itself has tests of its own.
  out.erase("y");
  return out;
}

double Gradients::bound(const Call &call) const {
  double u = config.dtype == DType::f64 ? 0x1p-53 : 0x1p-24;
  // What is stored on the way: weights, and what is given to f16.
  double narrow = config.dtype == DType::f16    ? 0x1p-11
                  : config.dtype == DType::bf16 ? 0x1p-8
                                                : 0;
  return narrow + 8 * u *
                      std::sqrt(static_cast<double>(longestSum(call.csr) +
                                                    config.features));
}

double Gradients::magnitude(const Call &call) const {
  double sum = 0;
  for (double value : call.values.at("given"))
    sum += value * value;
  return std::sqrt(sum);
}

std::vector<Config> configs() {
  std::vector<Config> all;
  auto add = [&](Config config) { all.push_back(config); };
  for (Reduction reduction :
       {Reduction::sum, Reduction::mean, Reduction::max, Reduction::min})
    for (bool transpose : {false, true}) {
      Config config;
      config.reduction = reduction;
      config.transpose = transpose;
      add(config);
      config.values = Values::flat;
      add(config);
      config.heads = 3;
      add(config);
      config.values = Values::perHead;
      config.dtype = DType::f64;
      config.rowptr = IndexType::i64;
      add(config);
      config.values = Values::column;
      config.dtype = DType::f16;
      config.colind = IndexType::i64;
      add(config);
      config.dtype = DType::bf16;
      config.f32Out = true;
      add(config);
      if (reduction == Reduction::sum || reduction == Reduction::mean) {
        config.dtype = DType::f32;
        config.f32Out = false;
        config.accumulate = true;
        add(config);
      }
    }
  for (Combine combine : {Combine::dot, Combine::add}) {
    Config config;
    config.op = OpKind::sddmm;
    config.combine = combine;
    config.heads = combine == Combine::add ? 1 : 0;
    add(config);
    config.values = Values::flat;
    config.scale = 0.75;
    add(config);
    config.heads = 3;
    add(config);
    config.dtype = DType::f64;
    config.values = Values::perHead;
    add(config);
    config.dtype = DType::f16;
    config.f32Out = true;
    add(config);
    config.dtype = DType::bf16;
    config.f32Out = false;
    config.values = Values::column;
    add(config);
  }
  for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16}) {
    Config config;
    config.op = OpKind::row_softmax;
    config.dtype = dtype;
    add(config);
    config.heads = 3;
    config.scale = 1.5;
    add(config);
  }
  return all;
}

struct Case {
  Target target;
  Config config;
};
void PrintTo(const Case &c, std::ostream *os) { *os << nameOf(c.config); }

std::vector<Case> casesOn(Target target) {
  std::vector<Case> cases;
  for (const Config &config : configs())
    // The emulator takes longer; bf16 and min have the code of f16 and max.
    if (target != Target::simt ||
        (config.dtype != DType::bf16 && config.reduction != Reduction::min))
      cases.push_back({target, config});
  return cases;
}

class GradientsOf : public testing::TestWithParam<Case> {
protected:
  void SetUp() override {
    if (GetParam().target == Target::nvptx && testGpu().chip.empty())
      GTEST_SKIP() << testGpu().missing;
  }
};

TEST_P(GradientsOf, MatchReference) {
  Gradients gradients(GetParam().target, GetParam().config);
  ASSERT_TRUE(gradients);
  std::mt19937_64 engine(37);
  for (const NamedGraph &graph : propertyGraphs(6)) {
    // Thread by thread takes longer.
    if (GetParam().target == Target::simt && graph.csr.nnz() > 300)
      continue;
    SCOPED_TRACE(graph.name);
    auto call = gradients.call(graph.csr, engine);
    auto got = gradients.run(call);
    for (const auto &[name, expected] : gradients.expected(call))
      EXPECT_TRUE(isNear(got.at(name), expected, GetParam().config.dtype,
                         gradients.bound(call), gradients.magnitude(call)))
          << name;
    // Two runs give the same bits.
    EXPECT_EQ(gradients.run(call), got);
  }
}

// Handed case X07.
TEST(GradientsCases, X07_MixedIndexTypes) {
  Csr csr{3, 3, std::vector<int64_t>{0, 2, 2, 3},
          std::vector<int64_t>{0, 2, 1}};
  for (Target target : {Target::cpu, Target::simt})
    for (Config config : configs()) {
      // One of each op and reduction.
      if (config.dtype != DType::f32 || config.values != Values::none ||
          config.transpose || config.heads > 1)
        continue;
      // Kernels of the emulator take longer to compile.
      if (target == Target::simt && (config.reduction == Reduction::min ||
                                     config.reduction == Reduction::mean))
        continue;
      SCOPED_TRACE(nameOf(config));
      std::map<std::string, Numbers> first;
      for (IndexType rowptr : {IndexType::i32, IndexType::i64})
        for (IndexType colind : {IndexType::i32, IndexType::i64}) {
          config.rowptr = rowptr;
          config.colind = colind;
          Gradients gradients(target, config);
          ASSERT_TRUE(gradients);
          std::mt19937_64 engine(7);
          auto got = gradients.run(gradients.call(csr, engine));
          if (first.empty())
            first = got;
          EXPECT_EQ(got, first);
        }
    }
}

// Handed case N22: 50 runs have the same bits, and so has a program that is
// compiled anew.
TEST(GradientsCases, N22_RunsAreBitIdentical) {
  std::vector<int64_t> rowptr, colind;
  for (int64_t i = 0; i <= 1000; ++i)
    rowptr.push_back(i * 250);
  for (int64_t i = 0; i < 1000; ++i)
    for (int64_t e = 0; e < 250; ++e)
      colind.push_back((i * 17 + e * 4) % 1000);
  Csr csr{1000, 1000, rowptr, colind};
  for (Config config : configs()) {
    if (config.dtype != DType::f32 || config.transpose || config.heads > 1 ||
        (config.op != OpKind::row_softmax && config.values != Values::flat))
      continue;
    SCOPED_TRACE(nameOf(config));
    config.features = 32;
    Gradients gradients(Target::cpu, config), again(Target::cpu, config);
    ASSERT_TRUE(gradients && again);
    std::mt19937_64 engine(22);
    auto call = gradients.call(csr, engine);
    auto first = gradients.run(call);
    for (int run = 1; run < 50; ++run)
      ASSERT_EQ(gradients.run(call), first) << "run " << run;
    EXPECT_EQ(again.run(call), first) << "compiled anew";
  }
}

/// Central differences of the compiled function, in f64.
TEST_P(GradientsOf, MatchFiniteDifferences) {
  Config config = GetParam().config;
  if (config.dtype != DType::f64 || GetParam().target != Target::cpu)
    GTEST_SKIP() << "in f64 on the CPU";
  // Ties have no derivative.
  bool picks =
      config.op == OpKind::spmm && (config.reduction == Reduction::max ||
                                    config.reduction == Reduction::min);
  Gradients gradients(Target::cpu, config);
  ASSERT_TRUE(gradients);
  std::mt19937_64 engine(41);
  Csr csr = randomCsr({0, 5, 1, 9}, 6, engine);
  auto call = gradients.call(csr, engine);
  if (picks)
    for (const std::string &name : gradients.inputs())
      call.values[name] =
          drawNumbers(engine, call.values[name].size(), DType::f64);
  auto got = gradients.run(call);
  auto loss = [&] {
    Numbers y = gradients.run(call)["y"];
    double sum = 0;
    for (size_t i = 0; i < y.size(); ++i)
      sum += y[i] * call.values["given"][i];
    return sum;
  };
  constexpr double step = 1e-5;
  for (const std::string &name : gradients.inputs())
    for (size_t i = 0; i < call.values[name].size(); ++i) {
      double &value = call.values[name][i], before = value;
      value = before + step;
      double above = loss();
      value = before - step;
      double below = loss();
      value = before;
      EXPECT_NEAR(got.at("d" + name)[i], (above - below) / (2 * step), 1e-7)
          << name << " " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, GradientsOf,
                         testing::ValuesIn(casesOn(Target::cpu)),
                         [](const auto &info) {
                           return nameOf(info.param.config);
                         });
INSTANTIATE_TEST_SUITE_P(Simt, GradientsOf,
                         testing::ValuesIn(casesOn(Target::simt)),
                         [](const auto &info) {
                           return nameOf(info.param.config);
                         });
INSTANTIATE_TEST_SUITE_P(Nvptx, GradientsOf,
                         testing::ValuesIn(casesOn(Target::nvptx)),
                         [](const auto &info) {
                           return nameOf(info.param.config);
                         });

} // namespace
