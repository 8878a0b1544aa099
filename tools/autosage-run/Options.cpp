//===- Options.cpp - the command line of autosage-run ---------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CLI11 splits the command line; the values are read here, so that every
// message has the same form: the option, what it expects, what it got.
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "autosage/Compiler/Compiler.h"
#include "autosage/Core/GpuChip.h"
#include "autosage/Runtime/Runtime.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <cstdio>

using namespace autosage;
using namespace autosage::run;

using Text = std::optional<std::string>;

namespace {
/// The options as written.
struct Raw {
  std::string graph;
  Text op, features, heads, reduce, combine, score, scale, dtype, outDtype,
      index, target, cpu, cpuFeatures, threads, schedule, oracle, cache, probeK,
      probeBudget, probeFraction, guardrail, margin, expectedCalls, attention,
      seed, x, q, k, v, edgeValues, a, dO, output, repeat, emitMlir, json;
  bool transpose = false, accumulate = false, check = false, explain = false;
  bool neverRepeats = false, nondeterministic = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static Error got(std::string_view option, std::string_view expected,
                 const std::string &text) {
  return Error{std::string(option) + " expects " + std::string(expected) +
               ", got '" + text + "'"};
}

template <typename T>
static std::optional<T> parseNumber(const std::string &text) {
  T value{};
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end)
    return std::nullopt;
  return value;
}

static Status readCount(std::string_view option, const Text &text,
                        int64_t least, std::optional<int64_t> &value) {
  if (!text)
    return Status::success();
  value = parseNumber<int64_t>(*text);
  if (value && *value >= least)
    return Status::success();
  return got(option, "an integer of at least " + std::to_string(least), *text);
}

/// Reads a keyword with `parse`; `words` lists them for the message.
template <typename Enum, typename Parse>
static Status readWord(std::string_view option, const Text &text,
                       std::string_view words, Parse parse, Enum &value) {
  if (!text)
    return Status::success();
  std::optional<Enum> parsed = parse(*text);
  if (!parsed)
    return got(option, "one of " + std::string(words), *text);
  value = *parsed;
  return Status::success();
}

/// A number above 0 (or `least`, where that is allowed) and at most `most`.
static Status readFraction(std::string_view option, const Text &text,
                           std::string_view expected, double least,
                           bool leastAllowed, double most,
                           std::optional<double> &value) {
  if (!text)
    return Status::success();
  value = parseNumber<double>(*text);
  if (value && *value <= most &&
      (*value > least || (leastAllowed && *value == least)))
    return Status::success();
  return got(option, expected, *text);
}

//===----------------------------------------------------------------------===//
// Groups of options
//===----------------------------------------------------------------------===//

static Status readOperation(const Raw &raw, Options &o) {
  Status steps[] = {
      readWord("--op", raw.op,
               "spmm, sddmm, row_softmax, attention, attention_backward",
               parseOpKind, o.op),
      readCount("--features", raw.features, 0, o.features),
      readCount("--heads", raw.heads, 1, o.heads),
      readWord("--reduce", raw.reduce, "sum, mean, max, min", parseReduction,
               o.reduction),
      readWord("--combine", raw.combine, "dot, add", parseCombine, o.combine),
      readWord("--score", raw.score, "dot, gat, gatv2", parseScore, o.score),
      readWord("--dtype", raw.dtype, "f32, f64, f16, bf16", parseDType,
               o.dtype),
      readWord("--index", raw.index, "i32, i64", parseIndexType, o.index)};
  for (Status &step : steps)
    if (!step)
      return step;
  if (raw.scale) {
    o.scale = parseNumber<double>(*raw.scale);
    if (!o.scale || !std::isfinite(*o.scale))
      return got("--scale", "a finite number", *raw.scale);
  }
  if (raw.outDtype && *raw.outDtype != toString(o.dtype)) {
    o.f32Out = *raw.outDtype == "f32" &&
               (o.dtype == DType::f16 || o.dtype == DType::bf16);
    if (!o.f32Out)
      return got("--out-dtype", "the dtype, or f32 with --dtype f16 or bf16",
                 *raw.outDtype);
  }
  o.transpose = raw.transpose;
  o.accumulate = raw.accumulate;
  if (o.accumulate && o.reduction != Reduction::sum &&
      o.reduction != Reduction::mean)
    return Error{"--accumulate expects --reduce sum or mean, got " +
                 *raw.reduce};
  return Status::success();
}

/// An option that the op has no use for is a mistake, not a wish to be ignored.
static Status checkRelevance(const Raw &raw, const Options &o) {
  bool spmm = o.op == OpKind::spmm, sddmm = o.op == OpKind::sddmm;
  bool attention = isAttention(o.op);
  struct {
    const char *option;
    bool given, applies;
  } const rules[] = {
      {"--reduce", raw.reduce.has_value(), spmm},
      {"--combine", raw.combine.has_value(), sddmm},
      {"--score", raw.score.has_value(), attention},
      {"--scale", raw.scale.has_value(), !spmm},
      {"--transpose", raw.transpose, spmm},
      {"--accumulate", raw.accumulate, spmm},
      {"--attention", raw.attention.has_value(), attention},
      {"--x", raw.x.has_value(), spmm},
      {"--q", raw.q.has_value(), sddmm || attention},
      {"--k", raw.k.has_value(), sddmm || attention},
      {"--v", raw.v.has_value(), attention},
      {"--a", raw.a.has_value(), attention && o.score == Score::gatv2},
      {"--do", raw.dO.has_value(), o.op == OpKind::attention_backward},
  };
  for (const auto &rule : rules)
    if (rule.given && !rule.applies)
      return Error{std::string(rule.option) + " does not apply to --op " +
                   std::string(toString(o.op)) +
                   (attention ? " --score " + std::string(toString(o.score))
                              : std::string())};
  return Status::success();
}

std::string run::targetName(const Options &o) {
  std::string name(toString(o.target));
  return o.chip.empty() ? name : name + ":" + o.chip;
}

static Status readTarget(const Raw &raw, Options &o) {
  std::string target = raw.target.value_or("cpu");
  o.targetIsAuto = target == "auto";
  size_t colon = target.find(':');
  std::optional<Target> parsed = parseTarget(target.substr(0, colon));
  bool hasChip = colon != std::string::npos;
  if (!o.targetIsAuto && (!parsed || (hasChip && parsed != Target::nvptx)))
    return got("--target", "one of auto, cpu, simt, nvptx, nvptx:CHIP", target);
  o.target = parsed.value_or(Target::cpu);
  if (hasChip) {
    o.chip = target.substr(colon + 1);
    if (Result<GpuChip> chip = findGpuChip(o.chip); !chip)
      return Error{"--target: " + chip.error()};
  }
  o.cpu = raw.cpu.value_or("");
  o.cpuFeatures = raw.cpuFeatures.value_or("");
  if (Status s = readCount("--threads", raw.threads, 1, o.threads); !s)
    return s;
  if (o.threads.value_or(1) > AUTOSAGE_MAX_THREADS)
    return got("--threads", "at most " + std::to_string(AUTOSAGE_MAX_THREADS),
               *raw.threads);
  return Status::success();
}

static std::optional<OracleKind> parseOracle(std::string_view word) {
  if (word == "estimate")
    return OracleKind::estimate;
  if (word == "probe")
    return OracleKind::probe;
  if (word == "replay")
    return OracleKind::replay;
  return std::nullopt;
}

static std::optional<GuardrailKind> parseGuardrail(std::string_view word) {
  if (word == "on")
    return GuardrailKind::on;
  if (word == "off")
    return GuardrailKind::off;
  if (word == "online")
    return GuardrailKind::online;
  return std::nullopt;
}

/// Options of a probe that is not asked for, and an oracle that has nothing to
/// choose. The others tell what holds whoever chooses.
static Status checkOracle(const Raw &raw, const Options &o) {
  std::string oracle = raw.oracle.value_or("estimate");
  std::pair<const char *, bool> ofProbe[] = {
      {"--probe-k", raw.probeK.has_value()},
      {"--probe-budget-ms", raw.probeBudget.has_value()},
      {"--probe-fraction", raw.probeFraction.has_value()},
      {"--guardrail", raw.guardrail.has_value()},
      {"--guardrail-margin", raw.margin.has_value()}};
  for (auto [option, given] : ofProbe)
    if (given && o.oracle.kind != OracleKind::probe)
      return Error{std::string(option) +
                   " expects --oracle probe, got --oracle " + oracle};
  if (o.schedule && o.oracle.kind != OracleKind::estimate)
    return Error{"--oracle " + oracle +
                 " expects --schedule auto, got --schedule '" + *raw.schedule +
                 "'"};
  if (o.oracle.guardrail == GuardrailKind::online && !o.nondeterministic)
    return Error{"--guardrail online expects --nondeterministic: the first "
                 "runs alternate between two schedules"};
  if (raw.margin && o.oracle.guardrail == GuardrailKind::off)
    return Error{"--guardrail-margin expects a guardrail, got --guardrail off"};
  return Status::success();
}

static Status readOracle(const Raw &raw, Options &o) {
  OracleOptions &oracle = o.oracle;
  Status steps[] = {
      readWord("--oracle", raw.oracle, "estimate, probe, replay", parseOracle,
               oracle.kind),
      readWord("--guardrail", raw.guardrail, "on, off, online", parseGuardrail,
               oracle.guardrail),
      readCount("--probe-k", raw.probeK, 1, oracle.probeK),
      readCount("--expected-calls", raw.expectedCalls, 1, oracle.expectedCalls),
      readFraction("--probe-budget-ms", raw.probeBudget,
                   "a number above 0 and at most 1e9", 0, false, 1e9,
                   oracle.budgetMs),
      readFraction("--probe-fraction", raw.probeFraction,
                   "a number above 0 and at most 1", 0, false, 1,
                   oracle.fraction),
      readFraction("--guardrail-margin", raw.margin,
                   "a number of at least 0 and at most 0.9", 0, true, 0.9,
                   oracle.margin)};
  for (Status &step : steps)
    if (!step)
      return step;
  if (oracle.probeK.value_or(1) > 64)
    return got("--probe-k", "at most 64", *raw.probeK);
  oracle.neverRepeats = raw.neverRepeats;
  oracle.cache = raw.cache;
  o.nondeterministic = raw.nondeterministic;
  return checkOracle(raw, o);
}

/// The form of the gradients is a knob of their schedule; where that is open, a
/// flag of the spec.
static Status readFormOfGradients(const Raw &raw, Options &o) {
  if (!o.schedule)
    return readOracle(raw, o);
  auto [knob, isNew] =
      o.schedule->knobs.try_emplace("attention", *raw.attention);
  if (!isNew && knob->second != KnobValue(*raw.attention))
    return Error{"--attention " + *raw.attention +
                 " expects a schedule of that form, got --schedule '" +
                 *raw.schedule + "'"};
  if (Status s = verifySchedule(*o.schedule); !s)
    return Error{"--schedule: " + s.error()};
  return readOracle(raw, o);
}

static Status readScheduling(const Raw &raw, Options &o) {
  if (raw.schedule && *raw.schedule != "auto") {
    Result<Schedule> schedule = parseSchedule(*raw.schedule);
    if (!schedule)
      return Error{"--schedule: " + schedule.error()};
    o.schedule = std::move(*schedule);
  }
  if (raw.attention) {
    o.composed = *raw.attention == "composed";
    if (!o.composed && *raw.attention != "fused")
      return got("--attention", "one of fused, composed", *raw.attention);
    if (o.op == OpKind::attention_backward)
      return readFormOfGradients(raw, o);
    if (o.composed && o.score == Score::gatv2)
      return Error{
          "--attention composed expects --score dot or gat, got gatv2"};
  }
  return readOracle(raw, o);
}

static Status readData(const Raw &raw, Options &o) {
  if (raw.seed) {
    std::optional<uint64_t> seed = parseNumber<uint64_t>(*raw.seed);
    if (!seed)
      return got("--seed", "a non-negative integer below 2^64", *raw.seed);
    o.seed = *seed;
  }
  o.x = raw.x;
  o.q = raw.q;
  o.k = raw.k;
  o.v = raw.v;
  o.a = raw.a;
  o.dO = raw.dO;
  if (raw.edgeValues) {
    if (*raw.edgeValues == "stored")
      o.edgeSource = EdgeSource::stored;
    else if (*raw.edgeValues == "pattern")
      o.edgeSource = EdgeSource::pattern;
    else
      o.edgeSource = EdgeSource::file;
    o.edgeFile = *raw.edgeValues;
  }
  return readCount("--repeat", raw.repeat, 1, o.repeat);
}

static Result<Options> interpret(const Raw &raw) {
  Options o;
  o.graph = raw.graph;
  if (Status s = readOperation(raw, o); !s)
    return Error{s.error()};
  if (Status s = checkRelevance(raw, o); !s)
    return Error{s.error()};
  if (Status s = readTarget(raw, o); !s)
    return Error{s.error()};
  if (Status s = readScheduling(raw, o); !s)
    return Error{s.error()};
  if (Status s = readData(raw, o); !s)
    return Error{s.error()};
  o.check = raw.check;
  o.explain = raw.explain;
  o.output = raw.output;
  o.emitMlir = raw.emitMlir;
  o.json = raw.json;
  if (o.emitMlir && o.json && *o.emitMlir == "-" && *o.json == "-")
    return Error{"--emit-mlir and --json expect different files, got - twice"};
  return o;
}

//===----------------------------------------------------------------------===//
// The command line
//===----------------------------------------------------------------------===//

static void declare(CLI::App &app, Raw &raw) {
  auto add = [&](const char *name, Text &value, const char *argument,
                 const char *help) {
    return app.add_option(name, value, help)->option_text(argument);
  };
  app.add_option("GRAPH", raw.graph,
                 "A graph: .mtx, .npz or raw CSR .bin (docs/formats.md)")
      ->required()
      ->option_text(" ");
  add("--op", raw.op, "OP",
      "spmm, sddmm, row_softmax, attention or attention_backward")
      ->required();
  add("--features", raw.features, "N",
      "Width per head of the dense operands; taken from a file where one is "
      "given");
  add("--heads", raw.heads, "H", "Number of heads (1)");
  add("--reduce", raw.reduce, "R", "spmm: sum, mean, max or min (sum)");
  add("--combine", raw.combine, "C", "sddmm: dot or add (dot)");
  add("--score", raw.score, "S", "attention: dot, gat or gatv2 (dot)");
  add("--scale", raw.scale, "S",
      "Factor of the scores (1; attention: 1/sqrt(features))");
  app.add_flag("--transpose", raw.transpose,
               "spmm: multiply by the transposed graph");
  app.add_flag("--accumulate", raw.accumulate,
               "spmm: add to an output drawn from the seed");
  add("--dtype", raw.dtype, "T", "f32, f64, f16 or bf16 (f32)");
  add("--out-dtype", raw.outDtype, "T",
      "Type of the result: the dtype, or f32 for f16 and bf16 (the dtype)");
  add("--index", raw.index, "T", "i32 or i64 (i32)");
  add("--target", raw.target, "T",
      "cpu, simt, nvptx[:CHIP], or auto: a GPU where there is one (cpu)");
  add("--cpu", raw.cpu, "NAME",
      "LLVM's name of the CPU to compile for, like x86-64-v3 (this machine's)");
  add("--cpu-features", raw.cpuFeatures, "TEXT",
      "What the CPU has beside that and has not, like +avx2,-fma");
  add("--threads", raw.threads, "N",
      "Number of threads (all cores that the process may use; "
      "AUTOSAGE_NUM_THREADS, OMP_NUM_THREADS)");
  add("--schedule", raw.schedule, "TEXT",
      "auto, or a schedule like 'row_parallel, vec = 16' (auto)");
  add("--oracle", raw.oracle, "O",
      "Who chooses a schedule: estimate (a model), probe (measurements) or "
      "replay (earlier decisions alone) (estimate)");
  add("--cache", raw.cache, "FILE",
      "Earlier decisions, and those of this run; '' for none "
      "(AUTOSAGE_DECISION_CACHE, else a file in the cache folder)");
  add("--probe-k", raw.probeK, "K",
      "probe: candidates to measure, the best by the estimate (3)");
  add("--probe-budget-ms", raw.probeBudget, "MS",
      "probe: time for the decision, compiling included (50 ms or five runs of "
      "the baseline, whichever is more, compiling apart)");
  add("--probe-fraction", raw.probeFraction, "P",
      "probe: part of the entries to measure on (what the budget allows)");
  add("--guardrail", raw.guardrail, "G",
      "probe: compare the winner with the baseline on the whole graph: on, "
      "off, or online, by the first runs (on)");
  add("--guardrail-margin", raw.margin, "M",
      "probe: by which part the winner has to be faster (0.02)");
  add("--expected-calls", raw.expectedCalls, "N",
      "How often the operation will run on this graph (not stated)");
  app.add_flag("--never-repeats", raw.neverRepeats,
               "Take what was decided for graphs with like statistics");
  app.add_flag("--nondeterministic", raw.nondeterministic,
               "Allow results that differ from run to run");
  add("--attention", raw.attention, "HOW",
      "fused: one op; composed: sddmm, row_softmax, spmm (fused). Gradients: "
      "fused: two walks; composed: a step for each thing to compute");
  add("--seed", raw.seed, "S", "Seed of the operands that are drawn (0)");
  add("--x", raw.x, "FILE.npy", "spmm: the dense operand");
  add("--q", raw.q, "FILE.npy", "sddmm, attention: operand of the rows");
  add("--k", raw.k, "FILE.npy", "sddmm, attention: operand of the columns");
  add("--v", raw.v, "FILE.npy", "attention: values");
  add("--a", raw.a, "FILE.npy", "attention gatv2: the score vectors");
  add("--do", raw.dO, "FILE.npy",
      "attention_backward: the gradient of attention's output");
  add("--edge-values", raw.edgeValues, "SOURCE",
      "FILE.npy, pattern (none) or stored (stored; attention: none)");
  add("--output", raw.output, "FILE.npy",
      "Write the result; attention_backward: FILE.dq.npy, FILE.dk.npy, ...");
  add("--repeat", raw.repeat, "N", "Timed runs (as many as take 0.3 s)");
  app.add_flag("--check", raw.check, "Compare with the f64 reference");
  app.add_flag("--explain", raw.explain,
               "Print the statistics and why the schedule was chosen");
  add("--emit-mlir", raw.emitMlir, "FILE", "Write the kernel as MLIR");
  add("--json", raw.json, "FILE", "Write the report as JSON; - is stdout");
}

Parsed run::parseOptions(int argc, char **argv) {
  Raw raw;
  CLI::App app("Compiles one sparse kernel, runs it on a graph, checks and "
               "times it.",
               "autosage-run");
  declare(app, raw);
  app.set_version_flag("--version", std::string("autosage-run ") +
                                        compiler::versionString());
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &success) {
    app.exit(success); // prints the help or the version
    return {std::nullopt, Status::success()};
  } catch (const CLI::ParseError &error) {
    std::string message = error.what();
    if (message.rfind("The ", 0) == 0)
      message[0] = 't';
    for (char &c : message)
      if (c == '\n')
        c = ' ';
    while (!message.empty() && (message.back() == ' ' || message.back() == '.'))
      message.pop_back();
    return {std::nullopt, Error{message + " (see --help)"}};
  }
  Result<Options> options = interpret(raw);
  if (!options)
    return {std::nullopt, Error{options.error()}};
  return {std::move(*options), Status::success()};
}
