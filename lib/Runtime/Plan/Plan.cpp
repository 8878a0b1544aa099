//===- Plan.cpp - one operation on one graph, prepared --------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan.h"

#include "../Kernel/Stopwatch.h"
#include "../Oracle/Candidates.h"
#include "../Oracle/Decide.h"
#include "../Oracle/OnlineRace.h"

#include "autosage/Runtime/DeviceCpp.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace autosage;
using namespace autosage::runtime;

static Failure fail(autosage_plan_status code, std::string message) {
  return {code, std::move(message)};
}

Plan::Plan(std::shared_ptr<Context> owner, KernelSpec spec,
           const Operands &shapes, const PlanOptions &options)
    : context(std::move(owner)), shapes(shapes), options(options) {
  request.spec = std::move(spec);
  request.target = context->target;
  request.chip = context->chip;
  request.symbols = context->symbols;
  request.compiler = context->compiler;
}

//===----------------------------------------------------------------------===//
// The pattern and the choice
//===----------------------------------------------------------------------===//

Failure Plan::checkPattern(bool mayDecide, void *stream) {
  const CsrView &pattern = shapes.a;
  if (!context->api) {
    if (Status status = autosage::validate(pattern); !status)
      return fail(AUTOSAGE_PLAN_INVALID_PATTERN, status.error());
    validated = true;
    if (mayDecide && !request.spec.schedule)
      chooseBy(computeStats(pattern), stream);
    return {};
  }
  const autosage_device_api &api = *context->api;
  auto failed = [&]() -> Failure {
    const char *message = nullptr;
    int32_t code = api.take_error(&message);
    // Sizes and types were checked before: what is left is the contents.
    if (code == AUTOSAGE_DEVICE_INVALID_ARGUMENT)
      return fail(AUTOSAGE_PLAN_INVALID_PATTERN, message);
    return code ? fail(statusOf(code), message) : Failure();
  };
  api.validate_pattern(pattern.rowptr.data, pattern.colind.data, pattern.rows,
                       pattern.cols, pattern.nnz(),
                       static_cast<int32_t>(sizeOf(pattern.rowptr.type)),
                       static_cast<int32_t>(sizeOf(pattern.colind.type)));
  if (Failure failure = failed())
    return failure;
  validated = true;
  if (!mayDecide || request.spec.schedule)
    return {};
  Result<InputStats> stats = patternStats(api, pattern);
  if (!stats)
    return fail(AUTOSAGE_PLAN_DEVICE_FAILED, stats.error());
  chooseBy(*stats, stream);
  return {};
}

/// Product with the transposed graph, where kernels would transpose it in every
/// run.
Failure Plan::transposeOnHost() {
  if (!request.spec.transpose || context->api || !HostTranspose::fits(shapes.a))
    return {};
  int64_t valueBytes =
      request.spec.edgeValues == EdgeValues::none
          ? 0
          : shapes.edgeValues.rowElements() * sizeOf(request.spec.dtype);
  auto made = HostTranspose::make(shapes.a, valueBytes);
  if (!made)
    return fail(AUTOSAGE_PLAN_INVALID_PATTERN, made.error());
  if (options.workspaceLimit >= 0 && (*made)->bytes() > options.workspaceLimit)
    return {};
  transposed = std::move(*made);
  given = shapes.a;
  shapes.a = transposed->pattern();
  request.spec.transpose = bound.transpose = false;
  arguments = signatureOf(bound);
  return {};
}

/// For gradients of attention, whose kernels would transpose the pattern in
/// every run. Candidates are other plans, which do the same for themselves.
Failure Plan::transposeBeside() {
  if (context->api || !HostTranspose::isGiven(request.spec, shapes.a))
    return {};
  auto made = HostTranspose::make(shapes.a, 0, /*wantsPermutation=*/true);
  if (!made)
    return fail(AUTOSAGE_PLAN_INVALID_PATTERN, made.error());
  if (options.workspaceLimit >= 0 && (*made)->bytes() > options.workspaceLimit)
    return {};
  beside = std::move(*made);
  shapes.transposed = beside->pattern();
  shapes.permutation = beside->permutation();
  request.spec.transposeGiven = bound.transposeGiven = true;
  arguments = signatureOf(bound);
  return {};
}

/// Asks the oracle where the caller wants one, else the rule.
void Plan::chooseBy(const InputStats &stats, void *stream) {
  if (options.oracle.oracle != AUTOSAGE_ORACLE_RULE && vendorRefusal.empty())
    decide(stats, stream);
  choose(stats, /*capturing=*/false);
}

void Plan::decide(const InputStats &stats, void *stream) {
  Stopwatch deciding;
  double compiledBefore = spent.compileMs;
  oracle::Answer answer =
      runtime::decide({context, request, bound, shapes, stats, options, stream,
                       &spent.compileMs});
  spent.decideMs = deciding.milliseconds();
  decidedBy = toString(answer.decision.decidedBy);
  reason = answer.decision.reason;
  request.spec.schedule = std::move(answer.schedule);
  decided = std::move(answer.decision);
  if (decided->decidedBy == DecidedBy::probe)
    spent.probeMs = spent.decideMs - (spent.compileMs - compiledBefore);
  if (answer.open)
    online = std::make_unique<OnlineRace>(context, *answer.open,
                                          options.oracle.alpha);
  planVendor(/*capturing=*/false);
}

void Plan::choose(const std::optional<InputStats> &stats, bool capturing) {
  KernelSpec &spec = request.spec;
  if (!decidedBy.empty())
    return; // by the statistics
  if (spec.schedule) {
    decidedBy = "user";
    return;
  }
  if (capturing) {
    spec.schedule = Schedule{"row_group", {}};
    if (problemOf(spec).composedOnly)
      spec.schedule->knobs["attention"] = std::string("composed");
    decidedBy = "fallback";
    reason = "made under capture";
    return;
  }
  decidedBy = vendorRefusal.empty() ? "estimate" : "fallback";
  reason = stats ? "statistics known" : "statistics unknown";
  if (!vendorRefusal.empty())
    reason = vendorRefusal + "; " + reason;
  Problem problem = problemOf(spec);
  problem.stats = stats;
  spec.schedule = ruleOf(context->target, problem, options.vectorBits);
}

Failure Plan::load() {
  auto loaded =
      getKernel(request, context->cache, context->warnings, &spent.compileMs);
  if (!loaded)
    return fail(AUTOSAGE_PLAN_NO_KERNEL, loaded.error());
  kernel = std::move(*loaded);
  if (kernel->arguments == arguments.size())
    return {};
  return fail(AUTOSAGE_PLAN_INTERNAL,
              "expects a kernel of " + std::to_string(arguments.size()) +
                  " arguments, got " + std::to_string(kernel->arguments));
}

//===----------------------------------------------------------------------===//
// cuSPARSE
//===----------------------------------------------------------------------===//

void Plan::refuseVendor(const std::string &why) {
  vendorRefusal = why;
  decidedBy.clear();
  context->warnings.once("vendor " + why,
                         why + "; kernels of our own run instead");
}

void Plan::planVendor(bool capturing) {
  std::optional<Schedule> &schedule = request.spec.schedule;
  if (!schedule || schedule->family != "vendor")
    return;
  if (!capturing) {
    KernelSpec asked = bound;
    asked.schedule = schedule; // the oracle's, where it came later
    Result<VendorPart> made =
        VendorPart::make(*context, asked, shapes, options.deterministic);
    if (made) {
      vendor = std::move(*made);
      vendorSchedule = schedule->str();
      if (!decided)
        decidedBy = "user";
      schedule = Schedule{"row_group", {}};
      return;
    }
    if (options.vendorAlone) {
      vendorRefusal = made.error();
      return;
    }
    refuseVendor(made.error());
  }
  // Workspace cannot be had under capture, which a warning says anyway.
  schedule.reset();
}

bool Plan::needsKernelBesideVendor() const {
  return !options.vendorAlone &&
         (request.spec.strided || vendor->wantsAlignedRows());
}

Failure Plan::prepareVendor(StreamState &state, bool isFirst, int64_t &bytes) {
  int64_t limit = options.workspaceLimit;
  Status status = vendor->prepare(
      state, limit < 0 ? -1 : std::max<int64_t>(limit - workspace, 0));
  if (status) {
    bytes += VendorPart::bytesOf(state);
    return {};
  }
  if (!isFirst || options.vendorAlone)
    return fail(AUTOSAGE_PLAN_DEVICE_FAILED, status.error());
  vendor.reset();
  refuseVendor(status.error());
  decidedBy = "fallback";
  reason = status.error();
  return kernel ? Failure() : load();
}

//===----------------------------------------------------------------------===//
// Preparing
//===----------------------------------------------------------------------===//

bool Plan::ownsScores() const {
  return request.spec.composed && request.spec.op == OpKind::attention &&
         !shapes.workspace.data;
}

/// Host code looks at alignment and passes addresses on; nothing is launched.
/// No memory lies there, so that nothing overlaps it.
static constexpr intptr_t standInAddress = intptr_t{1} << 60;

/// The spec with the widths of these operands in place of open ones: what runs
/// are checked against. The kernel stays that of the spec.
static KernelSpec bind(KernelSpec spec, const Operands &shapes) {
  const DenseIn *first = &shapes.x;
  if (spec.op == OpKind::row_softmax)
    first = &shapes.edgeValues;
  else if (spec.op != OpKind::spmm)
    first = &shapes.q;
  if (spec.heads == dynamic)
    spec.heads = first->heads;
  bool sameWidths = spec.features != dynamic;
  if (spec.features == dynamic && spec.op != OpKind::row_softmax)
    spec.features = first->width;
  if (isAttention(spec.op) && spec.valueFeatures == dynamic && !sameWidths)
    spec.valueFeatures = shapes.v.width;
  return spec;
}

Failure Plan::rehearse(PlanScope *scope, int64_t misalignment, void *scores) {
  Operands standIns = shapes;
  intptr_t next = standInAddress;
  auto stand = [&](auto &operand) {
    int64_t elements = operand.rows * std::max(operand.stride(), int64_t{1});
    using Pointer = decltype(operand.data);
    operand.data = reinterpret_cast<Pointer>(next + misalignment);
    next += (elements * 8 + 1023) / 256 * 256;
  };
  for (const Argument &argument : arguments)
    visitOperand(standIns, argument.kind, stand);
  if (scores)
    standIns.workspace.data = scores;
  KernelCall call(bound, arguments, standIns);
  if (Status status = call.prepare(); !status)
    return fail(AUTOSAGE_PLAN_INVALID_ARGUMENT, status.error());
  if (!scope)
    return {};
  kernel->entry(call.args());
  if (!scope->error().empty())
    return fail(scope->capturing ? AUTOSAGE_PLAN_NOT_PREPARED
                                 : AUTOSAGE_PLAN_INTERNAL,
                scope->error());
  return {};
}

namespace {
/// Lets loading a module happen while this or another thread captures: it is no
/// part of what is captured.
class RelaxedCapture {
public:
  explicit RelaxedCapture(bool capturing) {
    if (!capturing)
      return;
    if (const Result<cuda::Driver> &loaded = cuda::driver(); loaded) {
      driver = &*loaded;
      driver->exchangeCaptureMode(&mode);
    }
  }
  ~RelaxedCapture() {
    if (driver)
      driver->exchangeCaptureMode(&mode);
  }
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
  const cuda::Driver *driver = nullptr;
  int mode = 2; // CU_STREAM_CAPTURE_MODE_RELAXED
};
} // namespace

StreamState *Plan::find(void *stream) {
  std::lock_guard<std::mutex> lock(streamsMutex);
  for (const auto &state : streams)
    if (state->stream == stream)
      return state.get();
  return nullptr;
}

Failure Plan::prepareKernel(const DeviceGuard &guard, StreamState &state,
                            bool isFirst, int64_t &bytes) {
  bool capturing = guard.isCapturing();
  Failure failure;
  if (ownsScores()) {
    int64_t scores = shapes.a.nnz() *
                     std::max<int64_t>(shapes.workspace.heads, 1) *
                     sizeOf(request.spec.dtype);
    bytes += scores;
    if (capturing)
      failure = fail(AUTOSAGE_PLAN_NOT_PREPARED,
                     "expects a plan that was made before the capture: it "
                     "needs memory; call autosage_plan_create before the "
                     "capture begins");
    else if (options.workspaceLimit < 0 ||
             workspace + bytes <= options.workspaceLimit)
      state.scores = context->api ? context->api->alloc(scores)
                                  : std::malloc(static_cast<size_t>(scores));
  }
  for (const auto &made : {transposed.get(), beside.get()})
    if (made)
      bytes += made->bytes();
  bool overLimit =
      options.workspaceLimit >= 0 && workspace + bytes > options.workspaceLimit;
  if (context->api && !failure) {
    PlanScope scope(isFirst ? PlanScope::Mode::record : PlanScope::Mode::fill,
                    *context->api, recording, state);
    scope.capturing = capturing;
    if (options.workspaceLimit >= 0)
      scope.limit =
          std::max<int64_t>(options.workspaceLimit - workspace - bytes, 0);
    failure = rehearse(&scope, 0, state.scores);
    bytes += scope.bytes();
    overLimit |= scope.isOverLimit();
  }
  if (!failure && overLimit)
    failure = fail(AUTOSAGE_PLAN_WORKSPACE_LIMIT,
                   "expects a workspace of at most " +
                       std::to_string(options.workspaceLimit) +
                       " bytes, got a plan that needs " +
                       std::to_string(workspace + bytes));
  if (!failure && context->api && isFirst) {
    PlanScope scope(PlanScope::Mode::warm, *context->api, recording, state);
    failure = rehearse(&scope, sizeOf(request.spec.dtype), nullptr);
  }
  return failure;
}

Failure Plan::prepare(const DeviceGuard &guard, void *stream) {
  auto state = std::make_unique<StreamState>(stream);
  bool isFirst = streams.empty();
  bool capturing = guard.isCapturing();
  RelaxedCapture relaxed(capturing &&
                         context->api == autosage_cuda_device_api());
  int64_t bytes = 0;
  Failure failure;
  if (vendor)
    failure = prepareVendor(*state, isFirst, bytes);
  if (!failure && kernel)
    failure = prepareKernel(guard, *state, isFirst, bytes);
  if (Failure device = guard.takeError(); device && !failure)
    failure = device;
  // What was built here is read by other streams from now on.
  if (!failure && context->api && !capturing) {
    context->api->synchronize();
    failure = guard.takeError();
  }
  if (failure) {
    release(*state, isFirst);
    if (isFirst)
      recording = Recording();
    guard.takeError();
    return failure;
  }
  workspace += bytes;
  std::lock_guard<std::mutex> lock(streamsMutex);
  streams.push_back(std::move(state));
  return {};
}

Failure Plan::create(std::shared_ptr<Context> context, KernelSpec spec,
                     std::string cpu, std::string features,
                     const Operands &shapes, const PlanOptions &options,
                     void *stream, std::unique_ptr<Plan> &result) {
  Stopwatch total;
  if (context->target == Target::cpu && stream)
    return fail(AUTOSAGE_PLAN_INVALID_ARGUMENT,
                "expects stream to be null on the cpu, got one");
  std::unique_ptr<Plan> plan(
      new Plan(std::move(context), std::move(spec), shapes, options));
  plan->request.cpu = std::move(cpu);
  plan->request.features = std::move(features);
  KernelRequest &request = plan->request;
  if (Status status = verify(request.spec, request.target); !status)
    return fail(AUTOSAGE_PLAN_INVALID_ARGUMENT, status.error());
  if (request.spec.transposeGiven)
    return fail(AUTOSAGE_PLAN_INVALID_ARGUMENT,
                "expects no transposed pattern: the plan makes it");
  plan->bound = bind(request.spec, shapes);
  plan->arguments = signatureOf(plan->bound);
  if (plan->ownsScores()) {
    int64_t heads = request.spec.heads == 0 ? 1 : shapes.q.heads;
    plan->shapes.workspace = {nullptr, shapes.a.nnz(), heads, 1, 0};
  }
  // The arrays of the pattern are real, the others stand for themselves later.
  CsrView pattern = shapes.a;
  if (Status status = validateSizes(pattern); !status)
    return fail(AUTOSAGE_PLAN_INVALID_ARGUMENT, status.error());
  if (!pattern.rowptr.data || (pattern.nnz() > 0 && !pattern.colind.data))
    return fail(AUTOSAGE_PLAN_INVALID_ARGUMENT,
                std::string("expects ") +
                    (pattern.rowptr.data ? "colind" : "rowptr") +
                    " of the pattern, got a null pointer");

  if (Failure failure = plan->rehearse(nullptr, 0, nullptr))
    return failure;
  if (Failure failure = plan->transposeOnHost())
    return failure;
  DeviceGuard guard(*plan->context, stream);
  if (guard.failure())
    return guard.failure();
  bool capturing = guard.isCapturing();
  if (!capturing && plan->context->api)
    plan->context->freeKept();
  if (capturing)
    plan->context->warnings.once(
        "capture", "a plan is made under capture: its schedule is row_group, "
                   "and the pattern is not validated until the plan is "
                   "prepared outside of one");
  plan->planVendor(capturing);
  if (options.vendorAlone && !plan->vendorRefusal.empty())
    return fail(AUTOSAGE_PLAN_INVALID_ARGUMENT, plan->vendorRefusal);
  plan->kernelFailure =
      fail(AUTOSAGE_PLAN_INVALID_ARGUMENT,
           "expects operands that cuSPARSE takes, got others");
  bool isOpen = !request.spec.schedule;
  bool asksOracle = isOpen && options.oracle.oracle != AUTOSAGE_ORACLE_RULE;
  if (!capturing && (options.validate || asksOracle))
    if (Failure failure = plan->checkPattern(isOpen, stream))
      return failure;
  plan->choose(std::nullopt, capturing);
  if (Failure failure = plan->transposeBeside())
    return failure;
  if (Status status = verify(request.spec, request.target); !status)
    return fail(AUTOSAGE_PLAN_INVALID_ARGUMENT, status.error());
  if (!plan->vendor || plan->needsKernelBesideVendor())
    if (Failure failure = plan->load()) {
      if (!plan->vendor)
        return failure;
      plan->kernelFailure = failure;
    }
  if (Failure failure = plan->prepare(guard, stream))
    return failure;
  if (Failure failure = plan->startOnline(stream))
    return failure;
  plan->writeDecision();
  plan->explainIt();
  plan->spent.totalMs = total.milliseconds();
  result = std::move(plan);
  return {};
}

Failure Plan::prepareStream(void *stream) {
  if (context->target == Target::cpu && stream)
    return fail(AUTOSAGE_PLAN_INVALID_ARGUMENT,
                "expects stream to be null on the cpu, got one");
  DeviceGuard guard(*context, stream);
  if (guard.failure())
    return guard.failure();
  std::lock_guard<std::mutex> lock(preparingMutex);
  bool capturing = guard.isCapturing();
  if (options.validate && !validated && !capturing)
    if (Failure failure = checkPattern(/*mayDecide=*/false, stream))
      return failure;
  if (online && !capturing)
    if (Failure failure = online->prepareStream(stream))
      return failure;
  if (find(stream))
    return {};
  if (capturing)
    return fail(AUTOSAGE_PLAN_NOT_PREPARED,
                "expects a stream that was prepared before its capture; call "
                "autosage_plan_prepare_stream before the capture begins");
  return prepare(guard, stream);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

namespace {
/// Holds a pair of plan and stream for one run.
class Turn {
public:
  explicit Turn(std::atomic<bool> &busy)
      : busy(busy), taken(!busy.exchange(true, std::memory_order_acquire)) {}
  ~Turn() {
    if (taken)
      busy.store(false, std::memory_order_release);
  }
  Turn(const Turn &) = delete;
  Turn &operator=(const Turn &) = delete;
  explicit operator bool() const { return taken; }

private:
  std::atomic<bool> &busy;
  const bool taken;
};
} // namespace

Failure Plan::call(StreamState *state, Operands &operands) {
  operands.a = shapes.a;
  operands.transposed = shapes.transposed;
  operands.permutation = shapes.permutation;
  if (ownsScores() && !operands.workspace.data) {
    operands.workspace = shapes.workspace;
    operands.workspace.data = state->scores;
  }
  KernelCall call(bound, arguments, operands);
  if (Status status = call.prepare(); !status)
    return fail(AUTOSAGE_PLAN_INVALID_ARGUMENT, status.error());
  if (!context->api && transposed && transposed->hasValues()) {
    operands.edgeValues = transposed->inOrder(operands.edgeValues);
    KernelCall inOrder(bound, arguments, operands);
    if (Status status = inOrder.prepare(); !status)
      return fail(AUTOSAGE_PLAN_INTERNAL, status.error());
    kernel->entry(inOrder.args());
    return {};
  }
  if (!context->api) {
    kernel->entry(call.args());
    return {};
  }
  if (vendor && vendor->takes(operands))
    return vendor->run(*state, operands);
  if (!kernel)
    return kernelFailure;
  PlanScope scope(PlanScope::Mode::replay, *context->api, recording, *state);
  kernel->entry(call.args());
  if (!scope.error().empty())
    return fail(AUTOSAGE_PLAN_INTERNAL, scope.error());
  return {};
}

Failure Plan::startOnline(void *stream) {
  if (!online)
    return {};
  auto fail = [&](const std::string &why) {
    // What was measured still holds, only that nothing is compared any more.
    context->warnings.once("online", "the online guardrail is off: " + why);
    online.reset();
    decided->guardrail.reset();
    return Failure();
  };
  if (vendor)
    return fail("cuSPARSE is what was chosen");
  Result<Schedule> schedule = parseSchedule(decided->baseline->schedule);
  if (!schedule)
    return fail(schedule.error());
  PlanOptions plain;
  plain.validate = false;
  plain.deterministic = options.deterministic;
  plain.workspaceLimit = options.workspaceLimit;
  KernelSpec spec = request.spec;
  spec.schedule = std::move(*schedule);
  spec.transposeGiven = false; // that plan makes its own
  Operands asGiven = shapes;
  if (transposed) { // runs have their values in the order of that pattern
    spec.transpose = true;
    asGiven.a = given;
  }
  std::unique_ptr<Plan> baseline;
  if (Failure failure =
          create(context, std::move(spec), request.cpu, request.features,
                 asGiven, plain, stream, baseline))
    return fail(failure.message);
  online->start(std::move(baseline), *decided,
                context->decisions(options.oracle.decisionCache));
  return {};
}

Failure Plan::run(Operands &operands, void *stream) {
  if (online)
    return online->run([&](Operands &o) { return runOwn(o, stream); }, operands,
                       stream);
  return runOwn(operands, stream);
}

Failure Plan::runOwn(Operands &operands, void *stream) {
  StreamState *state = find(stream);
  if (!state) {
    if (Failure failure = prepareStream(stream))
      return failure;
    state = find(stream);
  }
  // On the cpu memory of its own is all that runs could fight over.
  bool ownsMemory = state->scores || (transposed && transposed->hasValues());
  if (!context->api && !ownsMemory)
    return call(state, operands);
  Turn turn(state->busy);
  if (!turn)
    return fail(AUTOSAGE_PLAN_BUSY,
                "expects one run at a time of a plan on a stream, got a second "
                "one from another thread; use a stream a thread");
  DeviceGuard guard(*context, stream);
  if (guard.failure())
    return guard.failure();
  if (Failure failure = call(state, operands)) {
    guard.takeError();
    return failure;
  }
  return guard.takeError();
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

void Plan::release(StreamState &state, bool withShared) {
  releaseVendor(state);
  if (!context->api) {
    std::free(state.scores);
    state.scores = nullptr;
    return;
  }
  if (state.scores)
    context->api->free(state.scores);
  for (size_t i = 0; i < state.pointers.size(); ++i)
    if (state.pointers[i] && (withShared || !recording.allocations[i].shared))
      context->api->free(state.pointers[i]);
  state.pointers.clear();
  state.scores = nullptr;
}

Plan::~Plan() {
  bool capturing = false;
  for (const auto &state : streams) {
    DeviceGuard guard(*context, state->stream);
    capturing |= !guard.failure() && guard.isCapturing();
  }
  if (capturing) {
    std::vector<void *> pointers;
    for (size_t s = 0; s < streams.size(); ++s) {
      pointers.push_back(streams[s]->scores);
      if (streams[s]->vendor)
        context->keep(std::move(streams[s]->vendor));
      for (size_t i = 0; i < streams[s]->pointers.size(); ++i)
        if (s == 0 || !recording.allocations[i].shared)
          pointers.push_back(streams[s]->pointers[i]);
    }
    pointers.erase(std::remove(pointers.begin(), pointers.end(), nullptr),
                   pointers.end());
    context->keep(std::move(pointers));
    return;
  }
  // Memory that streams share goes last, when all have been waited for.
  for (size_t s = streams.size(); s-- > 0;) {
    DeviceGuard guard(*context, streams[s]->stream);
    if (guard.failure())
      continue;
    if (context->api)
      context->api->synchronize();
    guard.takeError();
    release(*streams[s], s == 0);
    guard.takeError();
  }
}

const char *Plan::decision() const {
  const std::string *concluded = online ? online->concluded() : nullptr;
  return concluded ? concluded->c_str() : decisionText.c_str();
}

void Plan::writeDecision() {
  oracle::Decision decision;
  if (decided)
    decision = *decided;
  decision.schedule = vendor ? vendorSchedule : request.spec.schedule->str();
  decision.decidedBy = parseDecidedBy(decidedBy).value_or(DecidedBy::fallback);
  decision.reason = reason;
  decisionText = toJson(decision);
}

static std::string milliseconds(double ms) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g ms", ms);
  return text;
}

/// A line a candidate, and what it was up against.
template <typename Line>
static void explainDecision(const oracle::Decision &d, Line &&line) {
  for (const oracle::CandidateRecord &c : d.candidates) {
    std::string text = c.schedule + ":";
    if (c.estimateMs > 0)
      text += " estimate " + milliseconds(c.estimateMs) + ",";
    if (!c.rejected.empty())
      text += " rejected, " + c.rejected;
    else if (c.probeMs > 0)
      text += " probe " + milliseconds(c.probeMs);
    else
      text += " not measured";
    line("candidate", text);
  }
  if (d.baseline)
    line("baseline", d.baseline->name + " (" + d.baseline->schedule +
                         "): " + milliseconds(d.baseline->ms));
  if (d.guardrail && d.guardrail->decided)
    line("guardrail",
         std::string(d.guardrail->keptBaseline ? "the baseline stays, "
                                               : "passed, ") +
             milliseconds(d.guardrail->chosenMs) + " against " +
             milliseconds(d.guardrail->baselineMs));
  else if (d.guardrail)
    line("guardrail", "open, the first runs decide");
  if (d.budget.limitMs > 0)
    line("budget",
         milliseconds(d.budget.spentMs) + " of " +
             milliseconds(d.budget.limitMs) +
             (d.budget.ended ? ", which ended the search" : "") +
             (d.budget.runsMs > 0
                  ? "; setup " + milliseconds(d.budget.setupMs) + ", runs " +
                        milliseconds(d.budget.runsMs) + ", teardown " +
                        milliseconds(d.budget.teardownMs)
                  : ""));
}

void Plan::explainIt() {
  std::string text;
  auto line = [&](std::string_view key, const std::string &value) {
    text += std::string(key) + " " + value + "\n";
  };
  line("kernel", textOf(request.spec));
  line("device", context->deviceName);
  line("pattern", std::to_string(shapes.a.rows) + " x " +
                      std::to_string(shapes.a.cols) + ", nnz " +
                      std::to_string(shapes.a.nnz()) +
                      (transposed ? ", transposed by the plan"
                       : beside   ? ", and transposed by the plan"
                                  : ""));
  line("schedule", vendor ? vendorSchedule : request.spec.schedule->str());
  line("decided_by", decidedBy + (reason.empty() ? "" : " (" + reason + ")"));
  line("origin", vendor ? vendor->origin() : kernel->origin);
  if (vendor && needsKernelBesideVendor())
    line("otherwise",
         kernel ? request.spec.schedule->str() +
                      " (rows that lie elsewhere or apart by another distance)"
                : "none (" + kernelFailure.message + ")");
  if (decided)
    explainDecision(*decided, line);
  line("validated", validated ? "yes" : "no");
  line("deterministic", options.deterministic ? "yes" : "no");
  line("workspace", std::to_string(workspace) + " bytes a stream");
  explanation = std::move(text);
}
