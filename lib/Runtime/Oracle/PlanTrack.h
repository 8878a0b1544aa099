//===- PlanTrack.h - plans that race on scratch operands --------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_ORACLE_PLANTRACK_H
#define AUTOSAGE_LIB_RUNTIME_ORACLE_PLANTRACK_H

#include "../Cuda/KeptMemory.h"
#include "../Plan/Plan.h"
#include "Scratch.h"

#include "autosage/Oracle/Race.h"

#include <array>
#include <optional>

namespace autosage::runtime {

/// What a plan that is being made knows, borrowed.
struct TrackInput {
  std::shared_ptr<Context> context;
  const KernelRequest &request; // its schedule plays no part
  const KernelSpec &bound;
  const Operands &shapes; // with the pattern, in the device's memory
  const InputStats &stats;
  const PlanOptions &options;
  void *stream = nullptr;
  double *compileMs = nullptr; // what compiling took is added
};

/// Each runner is a plan of its own, made like the caller's. Expects a
/// DeviceGuard around all calls.
class PlanTrack final : public oracle::Racetrack {
public:
  explicit PlanTrack(const TrackInput &input);
  ~PlanTrack() override;

  double now() override;
  void enter(const std::vector<Schedule> &schedules) override;
  std::optional<Status> entered(size_t runner, double until) override;
  Result<double> layOut(double fraction) override;
  Result<double> prepare(size_t runner, oracle::Course course) override;
  Result<double> run(size_t runner, oracle::Course course) override;
  Status compare(size_t runner, size_t reference,
                 oracle::Course course) override;
  void retire(size_t runner) override;
  double compiledMs() const override { return waitedMs; }
  Status load(size_t runner) override;
  double leastMs() const override;
  double closingMs() const override;
  void close() override;

private:
  using Results = std::vector<std::vector<double>>;
  /// A runner on a course.
  struct Entry {
    std::unique_ptr<Plan> plan;
    bool hasRun = false;
    int64_t repetitions = 1;
    double launchMs = 0;
    Results first; // of its first run
  };
  struct Runner {
    Schedule schedule;
    std::shared_future<MadeKernel> kernel; // of a schedule of ours
    bool isFresh = false;                  // it is compiled for this race
    double launchMs = -1;                  // below 0: not known yet
    std::array<Entry, 3> entries;
  };
  /// A part of the pattern. The memory is the track's.
  struct Part {
    Csr host; // on a device without entries, where those stay there
    CsrView pattern;
  };

  const TrackInput input;
  std::optional<cuda::KeptMemory> kept; // while plans come and go
  Memory memory;
  std::unique_ptr<Scratch> scratch;
  std::vector<Runner> runners;
  std::array<Part, 3> parts; // of the courses
  Part smallest;             // hardly any work
  IndexArray positions;      // of a device's pattern, once they are needed
  double clockMs = -1;       // what two looks at the clock take
  double waitedMs = 0;       // for the compiler
  double destroyMs = 0;      // the most that a plan's end took

  const CsrView &patternOf(oracle::Course course) const {
    return parts[static_cast<size_t>(course)].pattern;
  }
  Status deviceStatus() const;
  IndexArray download(const IndexView &view) const;
  Part place(Csr csr);
  Part placeRows(const Part &whole, const IndexView &rowptr, double fraction);
  void sampleHere(double fraction);
  void sampleOnDevice(double fraction);
  void makeSmallest();
  Status makeScratch();
  Result<std::unique_ptr<Plan>> planFor(const Runner &runner,
                                        const Operands &shapes);
  Result<double> measure(Plan &plan, const CsrView &pattern,
                         int64_t repetitions);
  Result<double> lookAtClock();
  void noteWait(double ms);
  void destroy(std::unique_ptr<Plan> &plan);
  double launchCost(const Runner &runner);
};

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_ORACLE_PLANTRACK_H
