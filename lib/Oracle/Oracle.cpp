//===- Oracle.cpp - who decides on a schedule -----------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Oracle/Oracle.h"

#include "Flights.h"

#include "autosage/Oracle/DecisionLog.h"

#include <algorithm>
#include <chrono>

using namespace autosage;
using namespace autosage::oracle;

/// Of a race's budget, for writing what it has decided.
static constexpr double writingMs = 0.5;

static double now() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void Oracle::note(const char *event, const DecisionKey &key,
                  const Decision &decision, const std::string &why) {
  if (log)
    log->write({event, &key, &decision, why, {}});
}

//===----------------------------------------------------------------------===//
// What was decided before
//===----------------------------------------------------------------------===//

std::optional<Answer> Oracle::recall(const Question &question,
                                     Existing &existing) {
  DecidedBy least = question.mode == OracleMode::probe ? DecidedBy::probe
                                                       : DecidedBy::estimate;
  // Where graphs do not repeat, nothing is stored under the key of one.
  const DecisionKey &key =
      question.classKey ? *question.classKey : question.key;
  std::optional<Decision> found = store.find(key, least);
  if (!found)
    return std::nullopt;
  Result<Schedule> schedule = parseSchedule(found->schedule);
  Status status =
      schedule ? question.isUsable(*schedule) : Status(Error{schedule.error()});
  if (!status) {
    note("unusable", key, *found, status.error());
    existing = Existing::replace;
    return std::nullopt;
  }
  Answer answer{std::move(*schedule), std::move(*found), std::nullopt};
  answer.decision.reason = "by " +
                           std::string(toString(answer.decision.decidedBy)) +
                           " before: " + answer.decision.reason;
  answer.decision.decidedBy =
      question.classKey ? DecidedBy::class_ : DecidedBy::cache;
  return answer;
}

//===----------------------------------------------------------------------===//
// Deciding
//===----------------------------------------------------------------------===//

Answer Oracle::fallBack(const Question &question, const std::string &why) {
  Answer answer;
  answer.schedule = question.fallback();
  answer.decision.schedule = answer.schedule.str();
  answer.decision.decidedBy = DecidedBy::fallback;
  answer.decision.reason = why;
  note("fallback", question.key, answer.decision, why);
  return answer;
}

static void listCandidates(Decision &decision, const Field &field,
                           size_t most) {
  for (const RaceEntry &entry : field.candidates) {
    if (decision.candidates.size() == most)
      break;
    decision.candidates.push_back(
        {entry.schedule.str(), entry.estimateMs, 0, 0, 0, 0, ""});
  }
}

Answer Oracle::estimate(const Question &question, const Field &field,
                        const std::string &why) {
  Answer answer;
  answer.schedule = field.candidates.front().schedule;
  answer.decision.schedule = answer.schedule.str();
  answer.decision.decidedBy = DecidedBy::estimate;
  answer.decision.reason = why;
  listCandidates(answer.decision, field, question.probeK);
  return answer;
}

Answer Oracle::probe(const Question &question, const Field &field,
                     const DecisionKey &key, Existing existing,
                     double spentMs) {
  Flight turn("race"); // waiting for it is not the race's
  double begin = now();
  Result<std::unique_ptr<Racetrack>> track = question.track();
  std::string why;
  if (track) {
    std::vector<RaceEntry> entries = field.candidates;
    if (entries.size() > question.probeK)
      entries.resize(question.probeK);
    RaceOptions options = question.race;
    options.reserveMs = writingMs;
    options.spentMs = spentMs + now() - begin;
    Result<Decision> found = race(**track, entries, field.baselines, options);
    if (found) {
      Answer answer;
      answer.decision = std::move(*found);
      // It is one that the caller gave.
      if (Result<Schedule> schedule = parseSchedule(answer.decision.schedule))
        answer.schedule = std::move(*schedule);
      if (answer.decision.guardrail && !answer.decision.guardrail->decided) {
        answer.open = key;
        note("open", key, answer.decision, answer.decision.reason);
        return answer;
      }
      // Where another process was first, all take what it found.
      Stored stored = store.store(key, answer.decision, existing);
      if (stored.place == Stored::Place::existing)
        if (Result<Schedule> other = parseSchedule(stored.decision.schedule);
            other && question.isUsable(*other)) {
          answer.schedule = std::move(*other);
          answer.decision = std::move(stored.decision);
        }
      return answer;
    }
    why = found.error();
  } else {
    why = track.error();
  }
  warnOnce(warn, key.id(), "probe",
           "nothing could be measured: " + why + "; the rule decides");
  return fallBack(question, "nothing could be measured: " + why);
}

Answer Oracle::replay(const Question &question) {
  std::string why = "replay: nothing was decided for this input";
  if (question.classKey)
    why = "replay: nothing was decided for inputs of this class";
  std::vector<std::string> differs =
      store.explainMiss(question.classKey.value_or(question.key));
  if (!differs.empty())
    why += " (" + differs.front() + ")";
  warnOnce(warn, question.key.id(), "replay",
           why +
               "; the schedule of the rule runs: " + question.fallback().str());
  return fallBack(question, why);
}

Answer Oracle::decide(const Question &question) {
  Existing existing = Existing::keep;
  if (std::optional<Answer> answer = recall(question, existing))
    return std::move(*answer);
  if (question.mode == OracleMode::replay)
    return replay(question);

  const DecisionKey &key =
      question.classKey ? *question.classKey : question.key;
  std::optional<Flight> flight;
  if (question.mode == OracleMode::probe) {
    flight.emplace("decide " + store.getOptions().path + "\n" + key.str());
    // Another thread may have decided meanwhile.
    if (std::optional<Answer> answer = recall(question, existing))
      return std::move(*answer);
  }
  double begin = now();
  Result<Field> field = question.field();
  double fieldMs = now() - begin;
  if (!field || field->candidates.empty())
    return fallBack(question,
                    field ? "the estimate has no candidate" : field.error());
  if (question.mode == OracleMode::estimate) {
    Answer answer = estimate(question, *field, "the model of costs");
    if (!question.classKey)
      store.store(key, answer.decision, existing);
    return answer;
  }
  if (!question.cannotProbe.empty())
    return estimate(question, *field,
                    "nothing is measured: " + question.cannotProbe);
  if (question.classKey) {
    int64_t sights = store.noteClass(key);
    if (sights < classSightings)
      return estimate(
          question, *field,
          "inputs of this class were seen " + std::to_string(sights) + " of " +
              std::to_string(classSightings) + " times before it is measured");
  }
  return probe(question, *field, key, existing, fieldMs);
}

Stored Oracle::conclude(const DecisionKey &key, const Decision &decision) {
  return store.store(key, decision);
}
