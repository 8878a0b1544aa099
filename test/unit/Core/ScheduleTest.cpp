//===- ScheduleTest.cpp - text form, verification and estimate ------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every message once, in full.
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Schedule.h"
#include "TestPatterns.h"
#include "autosage/Core/Kernel.h"

#include <set>

using namespace autosage;
using namespace autosage::test;

namespace {

std::string errorOf(std::string_view text) {
  Result<Schedule> schedule = parseSchedule(text);
  return schedule ? "valid: " + schedule->str() : schedule.error();
}

TEST(Schedule, ParsesAndPrints) {
  Result<Schedule> plain = parseSchedule("row_parallel");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->str(), "row_parallel");
  EXPECT_TRUE(plain->knobs.empty());
  EXPECT_EQ(plain->get("vec"), 16);
  EXPECT_EQ(plain->get("tile"), 64);
  EXPECT_EQ(plain->get("grain"), 64);

  Result<Schedule> cpu =
      parseSchedule(" row_parallel ,vec=8,\ttile = 24 , grain= 1 ");
  ASSERT_TRUE(cpu) << cpu.error();
  EXPECT_EQ(cpu->str(), "row_parallel, grain = 1, tile = 24, vec = 8");
  EXPECT_EQ(cpu->get("vec"), 8);

  Result<Schedule> gpu =
      parseSchedule("row_tasks, chunk = 512, order = locality");
  ASSERT_TRUE(gpu) << gpu.error();
  EXPECT_EQ(gpu->str(), "row_tasks, chunk = 512, order = locality");
  EXPECT_EQ(gpu->getWord("order"), "locality");
  EXPECT_EQ(gpu->get("chunk"), 512);
  EXPECT_EQ(gpu->get("unroll"), 4);
  EXPECT_EQ(gpu->get("vec"), 4);
  EXPECT_EQ(gpu->get("tile"), 0);
  EXPECT_EQ(gpu->get("min_blocks"), 0);
  EXPECT_EQ(parseSchedule("row_tasks")->getWord("order"), "stored");
}

TEST(Schedule, OrderOfKnobsDoesNotMatter) {
  EXPECT_EQ(*parseSchedule("row_parallel, vec = 4, tile = 8"),
            *parseSchedule("row_parallel, tile = 8, vec = 4"));
  EXPECT_FALSE(*parseSchedule("row_parallel, vec = 16") ==
               *parseSchedule("row_parallel"));
}

// Bounds, words and defaults of every knob of every family, from the tables.
TEST(Schedule, EveryKnobRoundTrips) {
  std::set<std::string_view> names;
  for (const FamilySpec *family : scheduleFamilies()) {
    EXPECT_TRUE(names.insert(family->name).second) << family->name;
    EXPECT_EQ(findFamily(family->name), family);
    EXPECT_FALSE(family->targets.empty());
    EXPECT_FALSE(family->help.empty());
    Schedule defaults{std::string(family->name), {}};
    for (const KnobSpec &knob : family->knobs) {
      SCOPED_TRACE(std::string(family->name) + ", " + std::string(knob.name));
      EXPECT_FALSE(knob.help.empty());
      defaults.knobs[std::string(knob.name)] = knob.defaultValue;
      for (std::string_view word : knob.words) {
        Schedule one{std::string(family->name),
                     {{std::string(knob.name), std::string(word)}}};
        Result<Schedule> parsed = parseSchedule(one.str());
        ASSERT_TRUE(parsed) << parsed.error();
        EXPECT_EQ(*parsed, one);
        EXPECT_EQ(parsed->getWord(knob.name), word);
      }
      if (!knob.words.empty())
        continue;
      for (int64_t bad : {knob.min - 1, knob.max + 1})
        EXPECT_FALSE(verifySchedule(
            {std::string(family->name), {{std::string(knob.name), bad}}}));
    }
    Result<Schedule> parsed = parseSchedule(defaults.str());
    ASSERT_TRUE(parsed) << parsed.error();
    EXPECT_EQ(*parsed, defaults);
  }
  EXPECT_EQ(names,
            (std::set<std::string_view>{"row_parallel", "nnz_parallel",
                                        "row_group", "row_tasks", "vendor"}));
  EXPECT_EQ(findFamily("row"), nullptr);
}

TEST(Schedule, BoundsAreInclusive) {
  for (std::string_view text : {"row_parallel, tile = 1, vec = 1",
                                "row_parallel, tile = 1024, vec = 64",
                                "row_parallel, grain = 1",
                                "row_parallel, grain = 1048576",
                                "nnz_parallel, parts = 0",
                                "nnz_parallel, parts = 65536",
                                "row_tasks, chunk = 32",
                                "row_tasks, chunk = 65536",
                                "row_tasks, chunk = 33",
                                "row_tasks, unroll = 1",
                                "row_tasks, unroll = 16",
                                "row_tasks, vec = 1",
                                "row_tasks, vec = 8",
                                "row_tasks, tile = 0",
                                "row_tasks, tile = 1024",
                                "row_tasks, min_blocks = 0",
                                "row_tasks, min_blocks = 32",
                                "row_group, lanes = 0",
                                "row_group, lanes = 32",
                                "row_group, block = 32",
                                "row_group, block = 1024"})
    EXPECT_EQ(errorOf(text), "valid: " + std::string(text));
}

TEST(Schedule, UnknownNames) {
  EXPECT_EQ(errorOf("row"),
            "unknown schedule family 'row', expects one of "
            "row_parallel, nnz_parallel, row_group, row_tasks, vendor");
  EXPECT_EQ(errorOf("row_parallel, chunk = 64"),
            "unknown knob 'chunk' of row_parallel, expects one of vec, tile, "
            "unroll, prefetch, grain, attention");
  EXPECT_EQ(errorOf("row_tasks, grain = 64"),
            "unknown knob 'grain' of row_tasks, expects one of chunk, order, "
            "unroll, vec, tile, min_blocks, attention");
}

TEST(Schedule, ValuesOutOfRange) {
  EXPECT_EQ(errorOf("row_parallel, vec = 3"),
            "expects vec to be a power of two in [1, 64], got 3");
  EXPECT_EQ(errorOf("row_parallel, vec = 128"),
            "expects vec to be a power of two in [1, 64], got 128");
  EXPECT_EQ(errorOf("row_parallel, vec = 0"),
            "expects vec to be a power of two in [1, 64], got 0");
  EXPECT_EQ(errorOf("row_parallel, grain = -5"),
            "expects grain to be in [1, 1048576], got -5");
  EXPECT_EQ(errorOf("row_parallel, tile = 1040"),
            "expects tile to be in [1, 1024], got 1040");
  EXPECT_EQ(errorOf("row_parallel, vec = -9223372036854775808"),
            "expects vec to be a power of two in [1, 64], got "
            "-9223372036854775808");
}

TEST(Schedule, ValuesOfTheWrongKind) {
  EXPECT_EQ(errorOf("row_parallel, vec = wide"),
            "expects vec to be a power of two in [1, 64], got 'wide'");
  EXPECT_EQ(errorOf("row_tasks, order = 3"),
            "expects order to be one of stored, length, locality, got 3");
  EXPECT_EQ(errorOf("row_tasks, order = random"),
            "expects order to be one of stored, length, locality, got "
            "'random'");
}

TEST(Schedule, TileIsAMultipleOfVec) {
  EXPECT_EQ(errorOf("row_parallel, tile = 24"),
            "expects tile to be a multiple of vec = 16, got 24");
  EXPECT_EQ(errorOf("row_parallel, tile = 8, vec = 16"),
            "expects tile to be a multiple of vec = 16, got 8");
  EXPECT_EQ(errorOf("row_parallel, tile = 24, vec = 8"),
            "valid: row_parallel, tile = 24, vec = 8");
}

TEST(Schedule, MalformedText) {
  EXPECT_EQ(errorOf(""), "expects a schedule family, got the end of the text");
  EXPECT_EQ(errorOf(" \n"),
            "expects a schedule family, got the end of the text");
  EXPECT_EQ(errorOf("12"), "expects a schedule family, got '12'");
  EXPECT_EQ(errorOf("row_parallel,"),
            "expects a knob after ',', got the end of the text");
  EXPECT_EQ(errorOf("row_parallel, vec = 16,"),
            "expects a knob after ',', got the end of the text");
  EXPECT_EQ(errorOf("row_parallel,, vec = 16"),
            "expects a knob after ',', got ', vec = 16'");
  EXPECT_EQ(errorOf("row_parallel vec = 16"),
            "expects ',' between knobs, got 'vec = 16'");
  EXPECT_EQ(errorOf("row_parallel; vec = 16"),
            "expects ',' between knobs, got '; vec = 16'");
  EXPECT_EQ(errorOf("row_parallel, vec"),
            "expects '=' after knob 'vec', got the end of the text");
  EXPECT_EQ(errorOf("row_parallel, vec, tile = 8"),
            "expects '=' after knob 'vec', got ', tile = 8'");
  EXPECT_EQ(errorOf("row_parallel, vec ="),
            "expects a value for knob 'vec', got the end of the text");
  EXPECT_EQ(errorOf("row_parallel, vec = , tile = 8"),
            "expects a value for knob 'vec', got ', tile = 8'");
  EXPECT_EQ(errorOf("row_parallel, vec = 8, vec = 8"),
            "expects each knob once, got 'vec' twice");
  EXPECT_EQ(errorOf("row_parallel, vec = 16 tile = 64"),
            "expects ',' between knobs, got 'tile = 64'");
  for (std::string value : {"1.5", "16x", "0x10", "+8", "-", "a-b", "\"8\""})
    EXPECT_EQ(errorOf("row_parallel, vec = " + value),
              "expects the value of 'vec' to be an integer or a word, got '" +
                  value + "'");
  for (std::string value : {"9223372036854775808", "-9223372036854775809",
                            "99999999999999999999999999"})
    EXPECT_EQ(errorOf("row_parallel, vec = " + value),
              "expects the value of 'vec' to fit 64 bits, got '" + value + "'");
}

TEST(Schedule, MessagesAreOneLineOfBoundedLength) {
  std::string binary("row\n\0\x7f\xff", 7);
  EXPECT_EQ(errorOf(binary), "expects ',' between knobs, got '\\x00\\x7f\xff'");
  std::string message = errorOf(std::string(100000, 'a'));
  EXPECT_LT(message.size(), 200u);
  EXPECT_EQ(message.find("unknown schedule family 'aaa"), 0u);
  EXPECT_NE(message.find("aaa...', expects one of"), std::string::npos);
}

/// Names of the families that run on the target, or on any, as messages list
/// them.
static std::string namesOfFamilies(std::optional<Target> target = {}) {
  std::string names;
  for (const FamilySpec *family : scheduleFamilies()) {
    bool runs = !target;
    for (Target each : family->targets)
      runs = runs || each == *target;
    if (runs)
      names += (names.empty() ? "" : ", ") + std::string(family->name);
  }
  return names;
}

TEST(Schedule, VerifyForTarget) {
  auto error = [](std::string_view text, Target target) {
    Result<Schedule> schedule = parseSchedule(text);
    EXPECT_TRUE(schedule) << schedule.error();
    Status status = verifyForTarget(*schedule, target, {});
    return status ? "valid" : status.error();
  };
  EXPECT_EQ(error("row_parallel", Target::cpu), "valid");
  EXPECT_EQ(error("row_tasks", Target::simt), "valid");
  EXPECT_EQ(error("row_tasks", Target::nvptx), "valid");
  EXPECT_EQ(error("row_tasks", Target::cpu),
            "schedule family 'row_tasks' does not run on cpu, expects one of " +
                namesOfFamilies(Target::cpu));
  EXPECT_EQ(error("row_parallel", Target::nvptx),
            "schedule family 'row_parallel' does not run on nvptx, expects one "
            "of " +
                namesOfFamilies(Target::nvptx));
  EXPECT_EQ(error("row_parallel", Target::simt),
            "schedule family 'row_parallel' does not run on simt, expects one "
            "of " +
                namesOfFamilies(Target::simt));
}

TEST(Schedule, VerifyForTargetCountsAccumulators) {
  auto check = [](std::string_view text) {
    return verifyForTarget(*parseSchedule(text), Target::cpu, {});
  };
  EXPECT_TRUE(check("row_parallel, tile = 64, vec = 1"));
  EXPECT_TRUE(check("row_parallel, tile = 1024, vec = 16"));
  EXPECT_EQ(
      check("row_parallel, tile = 65, vec = 1").error(),
      "expects tile / vec to be at most 64 accumulators, got 65 / 1 = 65");
  EXPECT_EQ(
      check("row_parallel, tile = 1024, vec = 8").error(),
      "expects tile / vec to be at most 64 accumulators, got 1024 / 8 = 128");
}

TEST(Schedule, VerifyForTargetCountsValuesInFlight) {
  auto check = [](std::string_view text, std::optional<int64_t> features) {
    Problem problem;
    problem.features = features;
    return verifyForTarget(*parseSchedule(text), Target::nvptx, problem);
  };
  EXPECT_TRUE(check("row_group", std::nullopt));
  EXPECT_TRUE(check("row_tasks, tile = 1024", std::nullopt));
  EXPECT_EQ(check("row_tasks, tile = 1024, unroll = 8", std::nullopt).error(),
            "expects unroll * columns of a lane to be at most 128, got 8 * 32 "
            "= 256");
  // No lane has more columns than there are.
  EXPECT_TRUE(check("row_tasks, tile = 1024, unroll = 8", 64));
  EXPECT_FALSE(check("row_group, lanes = 1, unroll = 16", 64));
}

// What counts is what the op's kernels hold: the numbers here are those of
// DotSplit, EdgeSplit, FusedSplit and Split in lib/Conversion/AutosageToGPU.
TEST(Schedule, VerifyForTargetCountsPerOp) {
  auto check = [](std::string_view text, Problem problem) {
    Status status =
        verifyForTarget(*parseSchedule(text), Target::nvptx, problem);
    return status ? "valid" : status.error();
  };
  auto limit = [](const std::string &product) {
    return "expects unroll * columns of a lane to be at most 128, got " +
           product;
  };
  const char *oneLane = "row_group, lanes = 1, unroll = 16";
  const char *oneLaneTiled = "row_group, lanes = 1, unroll = 16, tile = 64";
  const char *wide = "row_tasks, tile = 1024, unroll = 8";
  Problem problem;
  problem.features = 64;
  EXPECT_EQ(check(oneLane, problem), limit("16 * 64 = 1024"));

  // Scores make a tile of 0 fit, and take heads one by one.
  problem.op = OpKind::sddmm;
  problem.heads = 8;
  EXPECT_EQ(check(oneLane, problem), "valid");
  EXPECT_EQ(check(oneLaneTiled, problem), limit("16 * 64 = 1024"));
  EXPECT_EQ(check(wide, problem), "valid");
  problem.features = 1024;
  EXPECT_EQ(check(wide, problem), limit("8 * 32 = 256"));
  problem.features = std::nullopt;
  EXPECT_EQ(check(wide, problem), limit("8 * 32 = 256"));

  // A number for every entry.
  problem.op = OpKind::row_softmax;
  EXPECT_EQ(check(oneLaneTiled, problem), "valid");
  EXPECT_EQ(check(wide, problem), "valid");

  // Composed attention: scores over q and k, then sums over v.
  const char *composed =
      "row_group, lanes = 1, unroll = 16, tile = 64, attention = composed";
  problem.op = OpKind::attention;
  problem.heads = 1;
  problem.features = 8;
  problem.scoreFeatures = 64;
  EXPECT_EQ(check(oneLane, problem), "valid");
  EXPECT_EQ(check(composed, problem), limit("16 * 64 = 1024"));
  // Fused: both at once, heads one by one.
  EXPECT_EQ(check(oneLaneTiled, problem), limit("16 * 72 = 1152"));
  problem.scoreFeatures = 1;
  EXPECT_EQ(check(composed, problem), "valid");
  EXPECT_EQ(check(oneLaneTiled, problem), "valid");
  problem.heads = 2;
  EXPECT_EQ(check(composed, problem), limit("16 * 16 = 256"));
  EXPECT_EQ(check(oneLaneTiled, problem), "valid");
}

// Registers for rows of k and v in flight, however wide heads are.
TEST(Schedule, FusedAttentionBoundsItsBlocks) {
  auto blocks = [](DType dtype, int64_t features) {
    Problem problem;
    problem.op = OpKind::attention;
    problem.dtype = dtype;
    problem.features = problem.scoreFeatures = features;
    Schedule schedule = estimateGpuSchedule(problem);
    EXPECT_TRUE(verifyForTarget(schedule, Target::nvptx, problem));
    return schedule.get("min_blocks");
  };
  EXPECT_EQ(blocks(DType::f32, 16), 8);
  EXPECT_EQ(blocks(DType::f32, 128), 8);
  EXPECT_EQ(blocks(DType::f32, 256), 4);
  EXPECT_EQ(blocks(DType::f16, 256), 8);
  EXPECT_EQ(blocks(DType::f64, 256), 2);
  EXPECT_EQ(blocks(DType::f64, 1024), 0);
}

// A head's width says nothing of the columns where heads are unknown.
TEST(Schedule, VerifyForTargetOfUnknownHeads) {
  Problem problem;
  problem.features = 64;
  auto schedule = parseSchedule("row_tasks, tile = 1024, unroll = 8");
  EXPECT_TRUE(verifyForTarget(*schedule, Target::nvptx, problem));
  problem.heads = 0;
  EXPECT_FALSE(verifyForTarget(*schedule, Target::nvptx, problem));
}

TEST(Schedule, LanesArePowersOfTwo) {
  EXPECT_EQ(errorOf("row_group, lanes = 3"),
            "expects lanes to be 0 or a power of two, got 3");
}

TEST(Schedule, VerifyForTargetVerifiesTheScheduleToo) {
  EXPECT_EQ(verifyForTarget({"none", {}}, Target::cpu, {}).error(),
            "unknown schedule family 'none', expects one of " +
                namesOfFamilies());
  EXPECT_EQ(
      verifyForTarget({"row_parallel", {{"vec", int64_t(3)}}}, Target::cpu, {})
          .error(),
      "expects vec to be a power of two in [1, 64], got 3");
}

//===----------------------------------------------------------------------===//
// Estimate
//===----------------------------------------------------------------------===//

TEST(Estimate, DocumentedExamples) {
  auto table =
      readTable("scheduling.md",
                "| vector bits | dtype | features | rows | nnz | schedule |");
  EXPECT_EQ(table.size(), 11u);
  for (auto &cells : table) {
    ASSERT_EQ(cells.size(), 6u);
    SCOPED_TRACE(cells[5]);
    Problem problem;
    problem.dtype = *parseDType(cells[1]);
    if (cells[2] != "-")
      problem.features = std::stoll(cells[2]);
    if (cells[3] != "-") {
      problem.stats = InputStats();
      problem.stats->rows = std::stoll(cells[3]);
      problem.stats->nnz = std::stoll(cells[4]);
    }
    Schedule estimate = estimateCpuSchedule(problem, std::stoll(cells[0]));
    EXPECT_EQ(estimate.str(), cells[5]);
  }
}

TEST(Estimate, RowSoftmaxHasNoFeatureWidth) {
  Problem problem;
  problem.op = OpKind::row_softmax;
  problem.features = 1;
  EXPECT_EQ(estimateCpuSchedule(problem, 256).str(),
            "row_parallel, grain = 64, tile = 32, vec = 8");
}

TEST(Estimate, ReductionsAcrossLanesAreShared) {
  Problem problem;
  problem.op = OpKind::sddmm;
  problem.features = 64;
  EXPECT_EQ(estimateCpuSchedule(problem, 512).str(),
            "row_parallel, grain = 64, tile = 64, unroll = 4, vec = 16");
  problem.features = 1; // a sum of two scalars has none
  EXPECT_EQ(estimateCpuSchedule(problem, 512).str(),
            "row_parallel, grain = 64, tile = 1, vec = 1");
}

TEST(Estimate, PrefetchesOperandsThatCachesDoNotHold) {
  Problem problem;
  problem.features = 32;
  problem.stats = InputStats();
  problem.stats->rows = 1000;
  auto prefetchOf = [&](int64_t cols, int64_t heads = 1) {
    problem.stats->cols = cols;
    problem.heads = heads;
    return estimateCpuSchedule(problem, 512).get("prefetch");
  };
  EXPECT_EQ(prefetchOf(32767), 0); // 4 MiB less a row
  EXPECT_EQ(prefetchOf(32768), 16);
  EXPECT_EQ(prefetchOf(8191, 4), 0);
  EXPECT_EQ(prefetchOf(8192, 4), 16);
  problem.dtype = DType::f64;
  EXPECT_EQ(prefetchOf(16384), 8); // a longer row
  problem.features = 7;            // less than a line
  EXPECT_EQ(prefetchOf(1 << 30), 0);
  problem.features = 8;
  EXPECT_EQ(prefetchOf(1 << 30), 16);
  problem.op = OpKind::row_softmax; // gathers nothing
  EXPECT_EQ(prefetchOf(1 << 30), 0);
}

TEST(Estimate, SharesOutEntriesWhereRowsMayNotDo) {
  Problem problem;
  problem.features = 64;
  problem.stats = InputStats();
  problem.stats->rows = 65536;
  problem.stats->nnz = 1 << 20;
  auto familyOf = [&](int64_t max, double hubFraction) {
    problem.stats->max = max;
    problem.stats->hubFraction = hubFraction;
    return estimateCpuSchedule(problem, 512).family;
  };
  EXPECT_EQ(familyOf(16, 0), "row_parallel");
  EXPECT_EQ(familyOf(1 << 15, 0.03), "row_parallel");
  EXPECT_EQ(familyOf((1 << 15) + 1, 0.03), "nnz_parallel");
  EXPECT_EQ(familyOf(8000, 0.25), "row_parallel");
  EXPECT_EQ(familyOf(8000, 0.26), "nnz_parallel");
  // Too small for threads to matter.
  problem.stats->rows = 30000;
  problem.stats->nnz = 30000;
  EXPECT_EQ(familyOf(30000, 1), "row_parallel");
}

// The rule never gives what the verifier refuses, and a width that fits the
// tiles takes as few of them as it can.
TEST(Estimate, IsAlwaysValid) {
  for (int64_t bits : {1, 32, 64, 128, 256, 512, 1024, 2048, 1 << 20})
    for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16})
      for (int64_t features :
           {int64_t(-1), int64_t(0), int64_t(1), int64_t(3), int64_t(31),
            int64_t(64), int64_t(100), int64_t(257), int64_t(1048577),
            std::numeric_limits<int64_t>::max() / 2})
        for (int64_t nnz :
             {int64_t(0), int64_t(5000), std::numeric_limits<int64_t>::max()}) {
          Problem problem;
          problem.dtype = dtype;
          problem.features = features;
          problem.stats = InputStats();
          problem.stats->rows = 1000;
          problem.stats->nnz = nnz;
          Schedule schedule = estimateCpuSchedule(problem, bits);
          Status status = verifyForTarget(schedule, Target::cpu, problem);
          ASSERT_TRUE(status) << status.error();
          EXPECT_EQ(parseSchedule(schedule.str())->str(), schedule.str());
          EXPECT_LE(schedule.get("tile") / schedule.get("vec"), 8);
        }
}

TEST(Estimate, Cases_X05_NnzBeyond32Bits) {
  Problem problem;
  problem.features = 1;
  problem.stats = InputStats();
  problem.stats->rows = 1000;
  problem.stats->cols = 5000000;
  problem.stats->nnz = 2147483653;
  EXPECT_EQ(estimateCpuSchedule(problem, 512).str(),
            "row_parallel, grain = 1, tile = 1, vec = 1");
}

} // namespace

TEST(KernelText, ReadsBackAsItWasWritten) {
  KernelSpec attention;
  attention.op = OpKind::attention;
  attention.score = Score::gatv2;
  attention.features = 8;
  attention.valueFeatures = 16;
  attention.heads = 4;
  attention.dtype = DType::bf16;
  attention.f32Out = true;
  attention.rowptrType = IndexType::i64;
  attention.edgeValues = EdgeValues::perHead;
  attention.scale = 0.1;
  attention.lse = true;
  attention.schedule = *parseSchedule("row_tasks, chunk = 128, order = length");
  for (const KernelSpec &spec : {KernelSpec(), attention}) {
    Result<KernelSpec> read = parseKernelText(textOf(spec));
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(textOf(*read), textOf(spec));
  }
}

TEST(KernelText, SaysWhatIsWrong) {
  std::string text = textOf(KernelSpec());
  auto errorOf = [](const std::string &t) {
    Result<KernelSpec> read = parseKernelText(t);
    return read ? std::string("none") : read.error();
  };
  EXPECT_EQ(errorOf(""), "expects op of a kernel to be a value, got ''");
  EXPECT_EQ(errorOf(text + " more"),
            "expects nothing behind the schedule of a kernel, got 'more'");
  std::string word = text;
  word.replace(word.find("dtype=f32"), 9, "dtype=f33");
  EXPECT_EQ(errorOf(word),
            "expects dtype of a kernel to be a word of its own, got 'f33'");
  std::string flag = text;
  flag.replace(flag.find("transpose=0"), 11, "transpose=2");
  EXPECT_EQ(errorOf(flag),
            "expects transpose of a kernel to be 0 or 1, got '2'");
}
