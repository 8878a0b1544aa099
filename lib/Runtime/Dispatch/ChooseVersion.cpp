//===- ChooseVersion.cpp - programs ask which version runs ----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What plans have decided for the same call is taken where it is one of the
// versions. Nothing is stored: a choice among a few versions is not what a plan
// would find among all schedules.
//
//===----------------------------------------------------------------------===//

#include "DeviceLook.h"

#include "../Oracle/Environment.h"
#include "../ThreadCount.h"

#include "autosage/Oracle/DecisionLog.h"
#include "autosage/Oracle/DecisionStore.h"

using namespace autosage;
using namespace autosage::runtime;

namespace {
/// The process's store of decisions, for reading, and its log.
struct Memory {
  oracle::DecisionLog log{oracle::DecisionLog::defaultPath(), ignore};
  oracle::DecisionStore store{options()};

  static Memory &instance() {
    static Memory *memory = new Memory;
    return *memory;
  }

private:
  /// Programs run without a store as well.
  static void ignore(const std::string &) {}
  static oracle::StoreOptions options() {
    oracle::StoreOptions options = oracle::defaultStoreOptions(ignore);
    options.readOnly = true;
    return options;
  }
};

/// Recalls and notes under the keys of where the pattern is.
template <typename Base> class RememberingLook : public Base {
public:
  using Base::Base;

  std::optional<Schedule> recall(const KernelSpec &spec,
                                 const InputStats &stats) override {
    std::optional<oracle::Decision> found = Memory::instance().store.find(
        keyOf(spec, stats), DecidedBy::estimate, oracle::Detail::choice);
    if (!found)
      return std::nullopt;
    Result<Schedule> schedule = parseSchedule(found->schedule);
    return schedule ? std::optional<Schedule>(std::move(*schedule))
                    : std::nullopt;
  }

  void note(const KernelSpec &spec, const InputStats &stats,
            const Schedule &chosen, DecidedBy by,
            const std::string &why) override {
    oracle::Decision decision;
    decision.schedule = chosen.str();
    decision.decidedBy = by;
    decision.reason = why;
    oracle::DecisionKey key = keyOf(spec, stats);
    Memory::instance().log.write({"version", &key, &decision, why, {}});
  }

protected:
  virtual oracle::Environment environmentNow() = 0;

private:
  std::optional<oracle::Environment> environment;

  oracle::DecisionKey keyOf(const KernelSpec &spec, const InputStats &stats) {
    if (!environment)
      environment = environmentNow();
    oracle::CallFacts call;
    call.alignment = oracle::contiguousAlignment(spec);
    return oracle::makeKey(spec, stats.fingerprint, call, *environment);
  }
};

class RememberingDeviceLook final : public RememberingLook<DeviceLook> {
public:
  using RememberingLook::RememberingLook;

protected:
  oracle::Environment environmentNow() override {
    // Nothing is stored under the key of a device that cannot be asked.
    Result<autosage_device_info> info = deviceInfo(api);
    if (!info)
      return {};
    return deviceEnvironment(api, *info,
                             &api == autosage_cuda_device_api() ? Target::nvptx
                                                                : Target::simt);
  }
};

/// A look at a pattern in memory of the host.
class HostLook : public PatternLook {
public:
  std::optional<InputStats> stats(const CsrView &csr) override {
    if (!validate(csr))
      return std::nullopt;
    return computeStats(csr);
  }
  Result<DeviceFacts> facts() override { return cpuFacts(wantedThreads()); }
};

class RememberingHostLook final : public RememberingLook<HostLook> {
protected:
  oracle::Environment environmentNow() override { return hostEnvironment(); }
};
} // namespace

int64_t autosage_choose_version_on(const autosage_device_api *api,
                                   autosage_site *site, const void *rowptr,
                                   const void *colind, int64_t rows,
                                   int64_t cols, int64_t nnz,
                                   int32_t positionBytes,
                                   int32_t coordinateBytes) noexcept {
  if (!api || !site || site->struct_size < sizeof(autosage_site) ||
      site->version != AUTOSAGE_DEVICE_VERSION)
    return 0;
  RememberingDeviceLook look(*api);
  return chooseVersion(*site,
                       patternOf(rowptr, colind, rows, cols, nnz, positionBytes,
                                 coordinateBytes),
                       look);
}

int64_t autosage_choose_version(autosage_site *site, const void *rowptr,
                                const void *colind, int64_t rows, int64_t cols,
                                int64_t nnz, int32_t positionBytes,
                                int32_t coordinateBytes) noexcept {
  return autosage_choose_version_on(autosage_cuda_device_api(), site, rowptr,
                                    colind, rows, cols, nnz, positionBytes,
                                    coordinateBytes);
}

int64_t autosage_choose_version_host(autosage_site *site, const void *rowptr,
                                     const void *colind, int64_t rows,
                                     int64_t cols, int64_t nnz,
                                     int32_t positionBytes,
                                     int32_t coordinateBytes) noexcept {
  if (!site || site->struct_size < sizeof(autosage_site) ||
      site->version != AUTOSAGE_DEVICE_VERSION)
    return 0;
  RememberingHostLook look;
  return chooseVersion(*site,
                       patternOf(rowptr, colind, rows, cols, nnz, positionBytes,
                                 coordinateBytes),
                       look);
}
