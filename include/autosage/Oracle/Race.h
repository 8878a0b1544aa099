//===- Race.h - which schedule is fastest, by running them ------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The micro-probe and the guardrail, without a device, a compiler or a clock of
// their own: whoever has those implements a Racetrack. What is decided follows
// from the times that it gives and from nothing else. docs/oracle.md has the
// rules.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_ORACLE_RACE_H
#define AUTOSAGE_ORACLE_RACE_H

#include "autosage/Oracle/Decision.h"

#include <optional>
#include <string>
#include <vector>

namespace autosage::oracle {

/// What runners run on.
enum class Course : uint8_t {
  scout,  // a few rows: what does not end in time shows here
  sample, // whole rows, as many as the budget allows
  whole   // the whole input
};

/// The entries of a scout, as a share of the sample's.
inline constexpr double scoutShare = 1.0 / 32;

/// Runs schedules on scratch outputs. Runners are numbered in the order in
/// which they entered. No function throws.
class Racetrack {
public:
  virtual ~Racetrack() = default;
  /// Milliseconds by a clock that does not go back.
  virtual double now() = 0;
  /// Starts to get code for these, together.
  virtual void enter(const std::vector<Schedule> &schedules) = 0;
  /// Waits for a runner's code until that time of the clock: nothing where it
  /// is not there by then, else a status, whose error says why the runner is
  /// out.
  virtual std::optional<Status> entered(size_t runner, double until) = 0;
  /// Milliseconds of the clock that compiling has held up these calls so far.
  virtual double compiledMs() const = 0;
  /// Loads the code of a runner that has entered: no part of what a preparation
  /// takes.
  virtual Status load(size_t runner) = 0;
  /// Lays out the courses `scout` and `sample` with about this share of the
  /// entries, and gives the sample's actual share: 1 where it is the whole
  /// input, and then neither course is used.
  virtual Result<double> layOut(double fraction) = 0;
  /// Gets a runner ready for a course, and gives the milliseconds that its own
  /// structures (task lists, orders) took there.
  virtual Result<double> prepare(size_t runner, Course course) = 0;
  /// Milliseconds of one repetition, without the cost of a launch.
  virtual Result<double> run(size_t runner, Course course) = 0;
  /// Whether the runner's last result is that of the reference, within what the
  /// types allow.
  virtual Status compare(size_t runner, size_t reference, Course course) = 0;
  /// It does not run again.
  virtual void retire(size_t runner) = 0;
  /// What a measurement takes at least, however short a run is.
  virtual double leastMs() const = 0;
  /// What `close` would take now, from what was measured so far.
  virtual double closingMs() const = 0;
  /// Gives all memory back. Nothing runs afterwards.
  virtual void close() = 0;
};

/// A candidate, with what the estimate says.
struct RaceEntry {
  Schedule schedule;
  double estimateMs = 0;
};

/// Entries of one name are ways to do the same: the fastest counts. Those of
/// another name, further on, count where none of the first runs.
struct BaselineEntry {
  std::string name;
  Schedule schedule;
};

enum class GuardrailMode : uint8_t { on, off, online };

struct RaceOptions {
  /// Of all, compilation too; 0: `freeMs` or `baselineRuns` runs of the
  /// baseline, whichever is more, and compilation apart.
  double budgetMs = 0;
  /// Of it, what was spent before the race, and what is kept for afterwards.
  double spentMs = 0, reserveMs = 0;
  double freeMs = 50, baselineRuns = 5;
  /// Of the entries; 0: what the budget allows.
  double fraction = 0;
  GuardrailMode guardrail = GuardrailMode::on;
  /// The winner's time is at most this part of the baseline's.
  double alpha = 0.98;
  /// What preparing costs is spread over so many calls; 0: `assumedCalls`.
  int64_t expectedCalls = 0;
};

/// Calls that a caller who says nothing is taken to make.
inline constexpr int64_t assumedCalls = 1000;

/// A median and how far the truth may be from it.
struct Interval {
  double low = 0, middle = 0, high = 0;
};
/// Of at least one sample: the median, give or take twice its standard error,
/// which the median absolute deviation tells; at least half a percent.
Interval intervalOf(const std::vector<double> &samples);

/// Runs the race. Candidates come in the order of the estimate, at least one,
/// and at least one baseline. The decision is `probe` where it may be kept; its
/// guardrail is open under GuardrailMode::online. Fails where no baseline runs,
/// or where it differs from two candidates or more and agrees with none: then
/// nothing was decided.
Result<Decision> race(Racetrack &track,
                      const std::vector<RaceEntry> &candidates,
                      const std::vector<BaselineEntry> &baselines,
                      const RaceOptions &options);

/// An online guardrail: the caller's own runs alternate between baseline and
/// winner until the interval decides, at the latest after `mostSamples` of
/// each.
class OnlineGuardrail {
public:
  enum Side : uint8_t { baseline, chosen };
  static constexpr size_t leastSamples = 4, mostSamples = 24;

  explicit OnlineGuardrail(double alpha) : alpha(alpha) {}
  /// Whose turn the next run is; of the one that stayed, once decided.
  Side next();
  /// The time of a run; the first of each side warms up and does not count.
  void add(Side side, double ms);
  /// Open until decided.
  const GuardrailRecord &record() const { return state; }

private:
  const double alpha;
  GuardrailRecord state;
  std::vector<double> samples[2];
  bool isWarm[2] = {false, false};
  uint8_t turn = 0;
};

/// Puts what an online guardrail found into the decision that was open.
void conclude(Decision &decision, const GuardrailRecord &record);

} // namespace autosage::oracle

#endif // AUTOSAGE_ORACLE_RACE_H
