//===- DecisionStore.cpp - decisions that outlive the process -------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What to do about each fault of the file (StoreFile.h): nothing that a caller
// would notice but for time.
//
//===----------------------------------------------------------------------===//

#include "autosage/Oracle/DecisionStore.h"

#include "ForkGuard.h"
#include "StoreFile.h"

#include "autosage/Core/CacheFolder.h"
#include "autosage/Oracle/DecisionLog.h"

#include <cstdlib>
#include <ctime>
#include <map>
#include <mutex>
#include <set>
#include <unistd.h>

using namespace autosage;
using namespace autosage::oracle;

static constexpr int64_t day = 24 * 60 * 60;
/// Decisions that could not be written, and keys whose use is to be noted.
static constexpr size_t mostInMemory = 4096;
/// Decisions that were read, with their numbers.
static constexpr size_t mostRead = 1024;

static int64_t now() { return static_cast<int64_t>(std::time(nullptr)); }

/// Whether `by` has at least the authority of `least`.
static bool suffices(DecidedBy by, DecidedBy least) { return by <= least; }

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

StoreOptions oracle::storeOptionsFor(std::string path, WarningFunction warn) {
  StoreOptions options;
  options.path = std::move(path);
  options.warn = std::move(warn);
  return options;
}

StoreOptions oracle::defaultStoreOptions(WarningFunction warn) {
  if (const char *file = std::getenv("AUTOSAGE_DECISION_CACHE"))
    return storeOptionsFor(file, std::move(warn));
  std::string folder = defaultCacheFolder();
  if (folder.empty()) {
    if (!std::getenv("AUTOSAGE_CACHE_DIR"))
      warnOnce(warn, "", "folder",
               "decision cache: expects HOME or XDG_CACHE_HOME to be an "
               "absolute path, got neither; decisions are not kept");
    return storeOptionsFor("", std::move(warn));
  }
  StoreOptions options =
      storeOptionsFor(folder + "/decisions.sqlite", std::move(warn));
  options.ownFolder = true;
  return options;
}

//===----------------------------------------------------------------------===//
// The connection and its faults
//===----------------------------------------------------------------------===//

class DecisionStore::Impl : public ForkGuarded {
public:
  explicit Impl(const StoreOptions &options)
      : options(options), file(settingsOf(options)) {}
  ~Impl() override {
    leave();
    flushUsed();
  }

  void beforeFork() override {
    mutex.lock();
    file.close();
  }
  void afterFork() override {
    process = getpid();
    mutex.unlock();
  }

  const StoreOptions &options;
  StoreFile file;
  std::mutex mutex;
  /// By text of the key.
  std::map<std::string, Decision> memory;
  std::map<std::string, int64_t> sightings;

  /// What was read of one version of the file, by text of the key.
  struct Read {
    Decision decision;
    int64_t used;
  };
  std::map<std::string, Read> read;
  StoreVersion readVersion;

  /// Warnings of one call, given when the mutex is free again: who takes them
  /// may fork, or wait for a thread that does.
  struct Warning {
    std::string cause, message;
  };
  std::vector<Warning> pending;

  /// Runs `body` on the open file, and again on a fresh one where it is
  /// damaged. False: the caller goes on without the file.
  template <typename Body>
  bool use(Access access, Body &&body, bool isKnownCurrent = false);

  Access accessToFind(const FileState &state) const;
  const Decision *recall(const std::string &key, const FileState &state);
  std::optional<Decision> look(const std::string &key, Detail detail,
                               std::string &why);
  void noteDamage(const std::string &what);
  void noteUse(const std::string &key, int64_t lastUse);
  void flushUsed();
  void remember(const std::string &key, const Decision &decision);
  std::optional<Decision> decode(const Row &row, Detail detail);
  void prune();

private:
  static StoreFile::Settings settingsOf(const StoreOptions &options) {
    return {options.path, options.ownFolder, options.rollbackJournal,
            options.patienceMs};
  }

  bool canWrite = false, isPruned = false;
  bool isPatient = true;
  pid_t process = getpid();
  std::set<std::string> used;

  MaybeFault ensureOpen(Access access, bool isKnownCurrent);
  bool handle(const Fault &fault);
};

MaybeFault DecisionStore::Impl::ensureOpen(Access access, bool isKnownCurrent) {
  if (options.path.empty())
    return Fault{FaultKind::missing, ""};
  // A child that no handler of ours has seen made (clone).
  if (process != getpid()) {
    file.abandon();
    return Fault{FaultKind::missing, ""};
  }
  bool wantsWrite = access == Access::write;
  if (file.isOpen() && (isKnownCurrent || file.isCurrent()) &&
      (canWrite || !wantsWrite))
    return std::nullopt;
  canWrite = wantsWrite;
  file.setPatience(isPatient ? options.patienceMs : 0);
  return file.open(access);
}

/// Looking up makes no file; where there is one, it is opened to be written, as
/// a decision will follow.
Access DecisionStore::Impl::accessToFind(const FileState &state) const {
  return options.readOnly || !state.identity.exists() ? Access::read
                                                      : Access::write;
}

void DecisionStore::Impl::noteDamage(const std::string &what) {
  pending.push_back({"damaged", what});
}

/// True when the call is worth another try.
bool DecisionStore::Impl::handle(const Fault &fault) {
  const std::string name = "decision cache '" + options.path + "' ";
  file.close();
  switch (fault.kind) {
  case FaultKind::missing:
    return false;
  case FaultKind::damaged: {
    if (options.readOnly) {
      noteDamage(name + fault.message + "; it is not used");
      return false;
    }
    MaybeFault second = file.setAside();
    noteDamage(name + fault.message +
               (second ? " and " + second->message + "; it is not used"
                       : "; it was moved to '" + options.path + damagedEnding +
                             "' and a new one is begun"));
    return !second;
  }
  case FaultKind::locked:
    // Once is enough to wait in vain.
    isPatient = false;
    pending.push_back({"locked", name + fault.message +
                                     "; decisions are not kept meanwhile"});
    return false;
  case FaultKind::readOnly:
  case FaultKind::full:
    pending.push_back(
        {"write",
         name + fault.message + "; decisions of this process are not kept"});
    return false;
  case FaultKind::unusable:
  case FaultKind::newer:
    pending.push_back({"unusable", name + fault.message + "; it is not used"});
    return false;
  }
  return false;
}

template <typename Body>
bool DecisionStore::Impl::use(Access access, Body &&body, bool isKnownCurrent) {
  if (access == Access::write && options.readOnly)
    return false;
  // Removed or moved aside by others in the middle of a call: more than once
  // in a row is unlikely.
  constexpr int attempts = 4;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    MaybeFault fault = ensureOpen(access, isKnownCurrent && attempt == 0);
    if (!fault) {
      file.setPatience(isPatient ? options.patienceMs : 0);
      fault = body();
    }
    if (!fault) {
      isPatient = true;
      return true;
    }
    bool mayPass = fault->kind == FaultKind::unusable ||
                   fault->kind == FaultKind::readOnly;
    if (attempt + 1 < attempts &&
        (!file.isCurrent() || (mayPass && attempt < 2))) {
      file.close();
      continue;
    }
    if (!handle(*fault))
      return false;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Bookkeeping
//===----------------------------------------------------------------------===//

/// Writing on every look-up would make readers wait; once a day is enough to
/// know what is in use. A clock that went wrong may have left a time to come,
/// which would keep the decision for as long.
void DecisionStore::Impl::noteUse(const std::string &key, int64_t lastUse) {
  bool isDue = lastUse < now() - day || lastUse > now() + day;
  if (!options.readOnly && isDue && used.size() < mostInMemory)
    used.insert(key);
}

void DecisionStore::Impl::flushUsed() {
  if (used.empty() || !file.isOpen() || !canWrite || process != getpid())
    return;
  std::vector<std::string> keys(used.begin(), used.end());
  used.clear();
  file.setPatience(0);
  // Not worth a warning.
  (void)file.markUsed(keys, now());
}

void DecisionStore::Impl::remember(const std::string &key,
                                   const Decision &decision) {
  if (memory.size() >= mostInMemory)
    memory.erase(memory.begin());
  memory[key] = decision;
}

std::optional<Decision> DecisionStore::Impl::decode(const Row &row,
                                                    Detail detail) {
  std::optional<DecidedBy> by = parseDecidedBy(row.decidedBy);
  if (row.intact && by && detail == Detail::choice) {
    Decision decision;
    decision.schedule = row.schedule;
    decision.decidedBy = *by;
    decision.time = row.created;
    return decision;
  }
  if (row.intact && by)
    if (Result<Decision> decision = parseDecision(row.value))
      return std::move(*decision);
  noteDamage("decision cache '" + options.path +
             "' holds a damaged decision; it is decided again");
  return std::nullopt;
}

/// What was read of the same contents before, or null.
const Decision *DecisionStore::Impl::recall(const std::string &key,
                                            const FileState &state) {
  if (process != getpid())
    return nullptr;
  std::optional<StoreVersion> version = file.versionAt(state);
  if (!version || !(*version == readVersion))
    return nullptr;
  auto found = read.find(key);
  if (found == read.end())
    return nullptr;
  noteUse(key, found->second.used);
  return &found->second.decision;
}

std::optional<Decision> DecisionStore::Impl::look(const std::string &key,
                                                  Detail detail,
                                                  std::string &why) {
  FileState state;
  if (!options.path.empty())
    state = stateOf(options.path);
  if (const Decision *known = recall(key, state))
    return *known;
  std::optional<Row> row;
  std::optional<StoreVersion> before;
  use(
      accessToFind(state),
      [&] {
        before = file.versionAt(state);
        return file.find(key, row);
      },
      file.isOpen() && file.isCurrent(state));
  if (!row)
    return std::nullopt;
  std::optional<Decision> found = decode(*row, detail);
  // What another version wrote is not damage, but cannot be used.
  if (found)
    if (Result<Schedule> known = parseSchedule(found->schedule); !known) {
      why = known.error();
      found.reset();
    }
  if (!found)
    return found;
  noteUse(key, row->used);
  // A row that was read between two looks at the same contents is of those.
  if (detail == Detail::full && before && file.isOpen() &&
      before == file.versionAt(state)) {
    if (!(readVersion == *before) || read.size() >= mostRead)
      read.clear();
    readVersion = *before;
    read.insert_or_assign(key, Read{*found, row->used});
  }
  return found;
}

void DecisionStore::Impl::prune() {
  int64_t bytes = 0, removed = 0;
  bool isDue = !isPruned;
  isPruned = true;
  if (file.readBytes(bytes))
    return;
  // Well below the bound, so that it is not reached again by the next write.
  if (isDue || bytes > options.mostBytes)
    (void)file.prune(now() - options.mostDays * day,
                     bytes > options.mostBytes ? options.mostBytes / 4 * 3
                                               : options.mostBytes,
                     removed);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
/// Holds the mutex, and gives the warnings of the call once it is free.
template <typename Impl> class Call {
public:
  explicit Call(Impl &impl) : impl(impl) { impl.mutex.lock(); }
  ~Call() {
    auto warnings = std::move(impl.pending);
    impl.pending.clear();
    impl.mutex.unlock();
    for (const auto &warning : warnings)
      warnOnce(impl.options.warn, impl.options.path, warning.cause,
               warning.message);
  }

private:
  Impl &impl;
};
} // namespace

DecisionStore::DecisionStore(StoreOptions given)
    : options(std::move(given)), impl(std::make_unique<Impl>(options)) {}

DecisionStore::~DecisionStore() = default;

std::optional<Decision> DecisionStore::find(const DecisionKey &key,
                                            DecidedBy least, Detail detail) {
  std::optional<Decision> found;
  std::string why;
  Status known = key.check();
  {
    Call call(*impl);
    std::string text = key.str();
    auto inMemory = impl->memory.find(text);
    if (inMemory != impl->memory.end()) {
      found = inMemory->second;
    } else if (!known) {
      why = known.error();
    } else {
      found = impl->look(text, detail, why);
    }
    if (found && !suffices(found->decidedBy, least)) {
      why = "expects a decision by " + std::string(toString(least)) +
            ", got one by " + std::string(toString(found->decidedBy));
      found.reset();
    }
  }
  if (options.log && options.log->isOn()) {
    LogEvent event{
        found ? "hit" : "miss", &key, found ? &*found : nullptr, why, {}};
    if (!found && known)
      event.differs = explainMiss(key);
    options.log->write(event);
  }
  return found;
}

Stored DecisionStore::store(const DecisionKey &key, const Decision &decision,
                            Existing existing) {
  Stored result;
  result.decision = decision;
  if (result.decision.time == 0)
    result.decision.time = now();
  if (Status storable = checkStorable(decision); !storable) {
    result.why = storable.error();
  } else {
    Call call(*impl);
    std::string text = key.str();
    result.place = Stored::Place::memory;
    Status known = key.check();
    if (!known) {
      result.why = known.error();
    } else {
      bool written = false;
      std::optional<Decision> winner;
      Row row;
      row.key = text;
      row.schedule = result.decision.schedule;
      row.decidedBy = toString(result.decision.decidedBy);
      row.value = toJson(result.decision);
      row.created = result.decision.time;
      auto decide = [&](const std::optional<Row> &present) {
        winner.reset();
        if (present && existing == Existing::keep)
          winner = impl->decode(*present, Detail::full);
        if (winner && (!checkStorable(*winner) ||
                       !suffices(winner->decidedBy, decision.decidedBy)))
          winner.reset();
        return !winner;
      };
      bool done = impl->use(Access::write, [&] {
        return impl->file.put(row, key.problemText(), now(), decide, written);
      });
      if (done && winner) {
        result.place = Stored::Place::existing;
        result.decision = *winner;
      } else if (done && written) {
        result.place = Stored::Place::file;
        impl->memory.erase(text);
        impl->prune();
        impl->flushUsed();
      } else {
        result.why = options.path.empty() ? "there is no file"
                     : options.readOnly   ? "the file is only read"
                                          : "the file cannot be written";
      }
    }
    if (result.place == Stored::Place::memory)
      impl->remember(text, result.decision);
  }
  if (options.log && options.log->isOn()) {
    static constexpr const char *words[] = {"stored", "memory", "kept",
                                            "refused"};
    options.log->write({words[static_cast<size_t>(result.place)],
                        &key,
                        &result.decision,
                        result.why,
                        {}});
  }
  return result;
}

int64_t DecisionStore::noteClass(const DecisionKey &key) {
  Call call(*impl);
  std::string text = key.str();
  int64_t seen = 0;
  bool counted = key.check() && impl->use(Access::write, [&] {
    return impl->file.countClass(text, now(), seen);
  });
  if (counted)
    return seen;
  if (impl->sightings.size() >= mostInMemory)
    impl->sightings.clear();
  return ++impl->sightings[text];
}

std::vector<std::string> DecisionStore::explainMiss(const DecisionKey &key) {
  std::vector<std::string> keys, lines;
  {
    Call call(*impl);
    impl->use(impl->accessToFind(stateOf(options.path)),
              [&] { return impl->file.findProblem(key.problemText(), keys); });
  }
  for (const std::string &text : keys) {
    Result<DecisionKey> stored = DecisionKey::parse(text);
    // The key itself, whose row is damaged or of no use.
    if (!stored || *stored == key)
      continue;
    std::string line;
    for (const std::string &difference : differences(*stored, key))
      line += (line.empty() ? "" : "; ") + difference;
    lines.push_back(line);
  }
  return lines;
}
