//===- DecisionLog.cpp - what was decided, a line each --------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Oracle/DecisionLog.h"

#include "autosage/Core/CacheFolder.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

using namespace autosage;
using namespace autosage::oracle;

using Json = nlohmann::ordered_json;

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

/// `2026-01-31T12:00:00.123Z`.
static std::string now() {
  timespec time = {};
  clock_gettime(CLOCK_REALTIME, &time);
  tm parts = {};
  gmtime_r(&time.tv_sec, &parts);
  char date[32], text[48];
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(text, sizeof text, "%s.%03dZ", date,
                static_cast<int>(time.tv_nsec / 1000000));
  return text;
}

static void addDecision(Json &json, const Decision &decision) {
  json["schedule"] = decision.schedule;
  json["decided_by"] = toString(decision.decidedBy);
  int64_t measured = 0;
  json["rejected"] = Json::array();
  for (const CandidateRecord &c : decision.candidates) {
    measured += c.probeMs > 0;
    if (!c.rejected.empty())
      json["rejected"].push_back(
          {{"schedule", c.schedule}, {"reason", c.rejected}});
  }
  json["measured"] = measured;
  json["budget_ended"] = decision.budget.ended;
}

std::string oracle::toJson(const LogEvent &event) {
  Json json = {{"time", now()},         {"pid", getpid()},
               {"event", event.event},  {"key", nullptr},
               {"op", nullptr},         {"graph", nullptr},
               {"target", nullptr},     {"schedule", nullptr},
               {"decided_by", nullptr}, {"measured", nullptr},
               {"rejected", nullptr},   {"budget_ended", nullptr},
               {"why", nullptr},        {"differs", event.differs}};
  if (event.key) {
    json["key"] = event.key->id();
    json["op"] = (*event.key)[KeyField::op];
    json["graph"] = (*event.key)[KeyField::graph];
    json["target"] = (*event.key)[KeyField::target];
  }
  if (event.decision)
    addDecision(json, *event.decision);
  if (!event.why.empty())
    json["why"] = event.why;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

std::string DecisionLog::defaultPath() {
  const char *path = std::getenv("AUTOSAGE_DECISION_LOG");
  return path ? path : "";
}

DecisionLog::DecisionLog(std::string path, WarningFunction warn)
    : path(std::move(path)), warn(std::move(warn)) {
  if (!isOn())
    return;
  // Non-blocking, for a pipe that nobody reads.
  file = open(this->path.c_str(),
              O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
  if (file < 0)
    failure = errno;
}

DecisionLog::~DecisionLog() {
  if (file >= 0)
    close(file);
}

void DecisionLog::write(const LogEvent &event) {
  if (!isOn())
    return;
  std::string line = toJson(event) + "\n";
  if (!failure) {
    NoSizeSignal guard;
    ssize_t count;
    do
      count = ::write(file, line.data(), line.size());
    while (count < 0 && errno == EINTR);
    if (count == static_cast<ssize_t>(line.size()))
      return;
    failure = count < 0 ? errno : ENOSPC;
    // A part that was written ends here, for whoever writes next.
    if (count > 0 && ::write(file, "\n", 1) != 1)
      failure = ENOSPC;
  }
  warnOnce(warn, path, "log",
           "decision log: cannot write to '" + path +
               "': " + std::strerror(failure) + "; decisions are not logged");
}
