//===- Versions.cpp - which version of an op runs on a pattern ------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Versions.h"

#include "autosage/Core/Estimate.h"

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>

using namespace autosage;
using namespace autosage::runtime;

//===----------------------------------------------------------------------===//
// Deciding
//===----------------------------------------------------------------------===//

/// Width that a kernel of unknown width is estimated for, and calls that a
/// caller who says nothing is taken to make: as selection and plans have them.
static constexpr int64_t assumedFeatures = 64;
static constexpr double assumedCalls = 1000;

size_t runtime::decideVersion(const KernelSpec &spec,
                              const std::vector<Schedule> &versions,
                              const InputStats &stats, PatternLook &look) {
  if (std::optional<Schedule> known = look.recall(spec, stats))
    for (size_t i = 0; i < versions.size(); ++i)
      if (versions[i] == *known) {
        look.note(spec, stats, versions[i], DecidedBy::cache,
                  "version " + std::to_string(i) + ", decided before");
        return i;
      }
  Result<DeviceFacts> facts = look.facts();
  if (!facts) {
    look.note(spec, stats, versions[0], DecidedBy::fallback, facts.error());
    return 0;
  }
  KernelSpec wide = spec;
  if (wide.features == dynamic && wide.op != OpKind::row_softmax)
    wide.features = assumedFeatures;
  if (wide.heads == dynamic)
    wide.heads = 1;
  size_t best = 0;
  double bestMs = 0;
  for (size_t i = 0; i < versions.size(); ++i) {
    Estimate e = estimate(*facts, wide, stats, versions[i]);
    double ms = e.ms + e.prepareMs / assumedCalls;
    if (i == 0 || ms < bestMs) {
      best = i;
      bestMs = ms;
    }
  }
  look.note(spec, stats, versions[best], DecidedBy::estimate,
            "version " + std::to_string(best) + ", the model of costs");
  return best;
}

//===----------------------------------------------------------------------===//
// Remembering
//===----------------------------------------------------------------------===//

namespace {
/// What is known of a place in a program. Equal places share it, so that a
/// program that is compiled again finds what it knew.
class Place {
public:
  /// Fails where the texts are none of the compiler's.
  static Result<std::unique_ptr<Place>> read(const autosage_site &site) {
    auto place = std::make_unique<Place>();
    Result<KernelSpec> spec = parseKernelText(site.kernel);
    if (!spec)
      return Error{spec.error()};
    place->spec = std::move(*spec);
    const char *text = site.versions;
    for (uint32_t i = 0; i < site.num_versions; ++i) {
      Result<Schedule> schedule = parseSchedule(text);
      if (!schedule)
        return Error{schedule.error()};
      place->versions.push_back(std::move(*schedule));
      text += std::strlen(text) + 1;
    }
    if (place->versions.empty())
      return Error{"expects versions, got none"};
    return place;
  }

  int64_t choose(const CsrView &csr, PatternLook &look) {
    std::lock_guard<std::mutex> lock(mutex);
    for (size_t i = entries.size(); i-- > 0;)
      if (entries[i].is(csr))
        return entries[i].version;
    std::optional<InputStats> stats = look.stats(csr);
    if (!stats)
      return 0;
    auto version =
        static_cast<int64_t>(decideVersion(spec, versions, *stats, look));
    if (entries.size() < mostEntries) {
      entries.push_back({csr, version});
    } else {
      entries[oldest] = {csr, version};
      oldest = (oldest + 1) % mostEntries;
    }
    return version;
  }

private:
  struct Entry {
    CsrView csr;
    int64_t version;
    bool is(const CsrView &o) const {
      return csr.rowptr.data == o.rowptr.data &&
             csr.colind.data == o.colind.data && csr.rows == o.rows &&
             csr.cols == o.cols && csr.nnz() == o.nnz();
    }
  };
  /// A look through them all takes less than a launch.
  static constexpr size_t mostEntries = 64;

  KernelSpec spec;
  std::vector<Schedule> versions;
  std::mutex mutex;
  std::vector<Entry> entries; // the newest last, until all are taken
  size_t oldest = 0;
};

/// All places of the process; never destroyed, programs may run at its end.
struct Places {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<Place>> byText;

  static Places &instance() {
    static Places *places = new Places;
    return *places;
  }
};
} // namespace

/// Null where the site's texts cannot be read.
static Place *placeOf(autosage_site &site) {
  if (void *known = __atomic_load_n(&site.state, __ATOMIC_ACQUIRE))
    return static_cast<Place *>(known);
  std::string text = std::string(site.kernel) + '\n';
  const char *version = site.versions;
  for (uint32_t i = 0; i < site.num_versions; ++i) {
    text.append(version).append("\n");
    version += std::strlen(version) + 1;
  }
  Places &places = Places::instance();
  std::lock_guard<std::mutex> lock(places.mutex);
  std::unique_ptr<Place> &place = places.byText[text];
  if (!place) {
    Result<std::unique_ptr<Place>> read = Place::read(site);
    if (!read)
      return nullptr;
    place = std::move(*read);
  }
  __atomic_store_n(&site.state, static_cast<void *>(place.get()),
                   __ATOMIC_RELEASE);
  return place.get();
}

int64_t runtime::chooseVersion(autosage_site &site, const CsrView &csr,
                               PatternLook &look) {
  // Nothing to compute: every version launches nothing.
  if (csr.rows <= 0 || csr.nnz() <= 0)
    return 0;
  Place *place = placeOf(site);
  return place ? place->choose(csr, look) : 0;
}
