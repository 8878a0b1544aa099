//===- Plan.h - one operation on one graph, prepared ------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_RUNTIME_PLAN_PLAN_H
#define AUTOSAGE_LIB_RUNTIME_PLAN_PLAN_H

#include "Context.h"
#include "HostTranspose.h"
#include "Scope.h"
#include "VendorPart.h"

#include "autosage/Core/KernelArguments.h"
#include "autosage/Oracle/Decision.h"
#include "autosage/Oracle/DecisionKey.h"

namespace autosage::runtime {

/// The fields of version 2 of autosage_plan_options.
struct OracleOptions {
  uint32_t oracle = AUTOSAGE_ORACLE_RULE;
  uint32_t guardrail = AUTOSAGE_GUARDRAIL_ON;
  uint32_t probeK = 3;
  bool graphsNeverRepeat = false;
  double budgetMs = 0;
  double alpha = 0.98;
  double fraction = 0;
  int64_t expectedCalls = 0;
  std::optional<std::string> decisionCache; // empty: the default place
};

struct PlanOptions {
  bool validate = true;
  bool deterministic = true;
  int64_t workspaceLimit = -1;
  int64_t vectorBits = 0; // 0: this machine's
  /// Of a plan that is measured: a schedule `vendor` runs as such or fails, and
  /// has no kernel of ours beside it.
  bool vendorAlone = false;
  OracleOptions oracle;
};

/// Of making a plan.
struct PlanTimes {
  double compileMs = 0, probeMs = 0, decideMs = 0;
  double totalMs = 0;
};

class OnlineRace;

class Plan {
public:
  /// `spec` may have a schedule; `shapes` have the pattern in `a`.
  static Failure create(std::shared_ptr<Context> context, KernelSpec spec,
                        std::string cpu, std::string features,
                        const Operands &shapes, const PlanOptions &options,
                        void *stream, std::unique_ptr<Plan> &plan);
  ~Plan();
  Plan(const Plan &) = delete;
  Plan &operator=(const Plan &) = delete;

  Failure prepareStream(void *stream);
  /// The pattern in `operands` is replaced by the plan's.
  Failure run(Operands &operands, void *stream);

  const std::string &explain() const { return explanation; }
  /// JSON.
  const char *decision() const;
  /// Whether runs are cuSPARSE's.
  bool usesVendor() const { return vendor.has_value(); }
  int64_t workspaceBytes() const { return workspace; }
  const PlanTimes &times() const { return spent; }

private:
  Plan(std::shared_ptr<Context> context, KernelSpec spec,
       const Operands &shapes, const PlanOptions &options);

  const std::shared_ptr<Context> context;
  KernelRequest request;
  Operands shapes;
  KernelSpec bound; // with the widths of the shapes
  const PlanOptions options;
  std::vector<Argument> arguments;
  /// Of the cpu: the pattern of `shapes` is the transposed one, and the request
  /// is the plain product.
  std::unique_ptr<HostTranspose> transposed;
  CsrView given; // the pattern that it was made of
  /// Of the cpu, for gradients of attention: the transposed pattern beside that
  /// of `shapes`.
  std::unique_ptr<HostTranspose> beside;
  /// Of a schedule `vendor`; the request is then for what it does not take.
  std::optional<VendorPart> vendor;
  std::string vendorSchedule, vendorRefusal;
  /// Null where all is the vendor's.
  std::shared_ptr<const LoadedKernel> kernel;
  Failure kernelFailure; // why there is none beside the vendor
  Recording recording;
  PlanTimes spent;
  std::string decidedBy, reason, explanation, decisionText;
  std::optional<oracle::Decision> decided; // by the oracle
  std::unique_ptr<OnlineRace> online;
  std::atomic<int64_t> workspace{0};
  std::atomic<bool> validated{false};

  std::mutex streamsMutex;   // of the list
  std::mutex preparingMutex; // one preparation at a time
  std::vector<std::unique_ptr<StreamState>> streams;

  bool ownsScores() const;
  StreamState *find(void *stream);
  Failure transposeOnHost();
  Failure transposeBeside();
  /// `mayDecide`: a schedule is still open, and what it depends on is looked
  /// at.
  Failure checkPattern(bool mayDecide, void *stream);
  void chooseBy(const InputStats &stats, void *stream);
  void decide(const InputStats &stats, void *stream);
  Failure startOnline(void *stream);
  void choose(const std::optional<InputStats> &stats, bool capturing);
  Failure load();
  /// Takes a schedule `vendor`, or notes why not and leaves the choice open.
  void planVendor(bool capturing);
  void refuseVendor(const std::string &reason);
  /// Whether operands of runs may be such as the vendor does not take.
  bool needsKernelBesideVendor() const;
  Failure prepareVendor(StreamState &state, bool isFirst, int64_t &bytes);
  Failure prepareKernel(const DeviceGuard &guard, StreamState &state,
                        bool isFirst, int64_t &bytes);
  Failure prepare(const DeviceGuard &guard, void *stream);
  /// Runs host code on addresses that stand for the operands; a null scope:
  /// checks the shapes alone.
  Failure rehearse(PlanScope *scope, int64_t misalignment, void *scores);
  void release(StreamState &state, bool withShared);
  Failure runOwn(Operands &operands, void *stream);
  Failure call(StreamState *state, Operands &operands);
  void explainIt();
  void writeDecision();
};

} // namespace autosage::runtime

#endif // AUTOSAGE_LIB_RUNTIME_PLAN_PLAN_H
