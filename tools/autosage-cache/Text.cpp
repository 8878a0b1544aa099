//===- Text.cpp - decisions for people ------------------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Text.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace autosage;
using namespace autosage::cache;
using namespace autosage::oracle;

std::string cache::oneLine(std::string text) {
  for (char &c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = ' ';
  return text;
}

static std::string timeText(int64_t seconds) {
  auto time = static_cast<time_t>(seconds);
  tm parts = {};
  char text[32];
  if (!gmtime_r(&time, &parts) ||
      std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts) == 0)
    return "-";
  return text;
}

static std::string msText(double ms) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g ms", ms);
  return ms > 0 ? text : "-";
}

/// Columns as wide as their widest cell.
static std::string tableText(const std::vector<std::vector<std::string>> &rows,
                             const std::string &indent) {
  std::vector<size_t> widths;
  for (const auto &row : rows)
    for (size_t i = 0; i < row.size(); ++i) {
      widths.resize(std::max(widths.size(), i + 1));
      widths[i] = std::max(widths[i], row[i].size());
    }
  std::string text;
  for (const auto &row : rows) {
    std::string line = indent;
    for (size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size())
        line.append(widths[i] + 2 - row[i].size(), ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += oneLine(line) + "\n";
  }
  return text;
}

//===----------------------------------------------------------------------===//
// list
//===----------------------------------------------------------------------===//

static std::string opText(const DecisionKey &key) {
  std::string text = key[KeyField::op];
  for (KeyField field :
       {KeyField::reduction, KeyField::combine, KeyField::score})
    if (key[field] != notApplicable)
      text += " " + key[field];
  if (key[KeyField::flags] != notApplicable)
    text += " " + key[KeyField::flags];
  return text;
}

std::string cache::listText(const std::vector<StoreEntry> &entries) {
  std::vector<std::vector<std::string>> rows = {{"key", "decided", "operation",
                                                 "width", "type", "graph",
                                                 "target", "by", "schedule"}};
  for (const StoreEntry &entry : entries) {
    const DecisionKey &key = entry.key;
    std::string width = key[KeyField::features];
    if (key[KeyField::heads] != "0")
      width = key[KeyField::heads] + "x" + width;
    rows.push_back(
        {key.id().substr(0, 12), timeText(entry.decision.time), opText(key),
         width, key[KeyField::dtype],
         key.isClass() ? "class" : key[KeyField::graph].substr(0, 12),
         key[KeyField::target], std::string(toString(entry.decision.decidedBy)),
         entry.decision.schedule});
  }
  return tableText(rows, "");
}

//===----------------------------------------------------------------------===//
// explain
//===----------------------------------------------------------------------===//

static std::string candidateNote(const Decision &d, const CandidateRecord &c) {
  if (!c.rejected.empty())
    return "rejected: " + c.rejected;
  if (c.schedule == d.schedule)
    return "chosen";
  return c.probeMs > 0 ? "" : "not probed";
}

static std::string candidatesText(const Decision &d) {
  std::vector<std::vector<std::string>> rows = {
      {"estimate", "probe", "interval", "schedule", ""}};
  for (const CandidateRecord &c : d.candidates)
    rows.push_back(
        {msText(c.estimateMs), msText(c.probeMs),
         c.highMs > 0 ? msText(c.lowMs) + " to " + msText(c.highMs) : "-",
         c.schedule, candidateNote(d, c)});
  return tableText(rows, "  ");
}

static std::string guardrailText(const GuardrailRecord &g) {
  char text[160];
  std::snprintf(text, sizeof text,
                "whole input %s against the baseline's %s, margin %.3g%%: %s",
                msText(g.chosenMs).c_str(), msText(g.baselineMs).c_str(),
                g.margin * 100,
                g.keptBaseline ? "the baseline stays" : "the winner stays");
  return text;
}

std::string cache::explainText(const StoreEntry &entry) {
  const DecisionKey &key = entry.key;
  const Decision &d = entry.decision;
  std::vector<std::vector<std::string>> fields;
  for (size_t i = 0; i < keyFieldCount; ++i) {
    auto field = static_cast<KeyField>(i);
    if (key[field] == notApplicable)
      continue;
    fields.push_back({std::string(nameOf(field)), key[field]});
  }
  std::string text = "key        " + key.id() + "\n" + tableText(fields, "  ");
  text += "decided    " + timeText(d.time) + " UTC by " +
          std::string(toString(d.decidedBy)) + ", used " +
          timeText(entry.used) + "\n";
  text += oneLine("schedule   " + d.schedule) + "\n";
  if (!d.reason.empty())
    text += oneLine("reason     " + d.reason) + "\n";
  if (!d.candidates.empty())
    text += "candidates\n" + candidatesText(d);
  if (d.baseline)
    text += oneLine("baseline   " + d.baseline->name + ", " +
                    d.baseline->schedule + ", " + msText(d.baseline->ms)) +
            "\n";
  if (d.guardrail)
    text += "guardrail  " + guardrailText(*d.guardrail) + "\n";
  text += "budget     spent " + msText(d.budget.spentMs) +
          (d.budget.limitMs > 0 ? " of " + msText(d.budget.limitMs) : "") +
          (d.budget.ended ? ", which ended the search" : "");
  if (d.budget.runsMs > 0)
    text += "; setup " + msText(d.budget.setupMs) + ", runs " +
            msText(d.budget.runsMs) + ", teardown " +
            msText(d.budget.teardownMs);
  return text + "\n";
}
