//===- Report.h - what was measured, as a table and JSON -*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_BENCH_REPORT_H
#define AUTOSAGE_TOOLS_BENCH_REPORT_H

#include "Attention.h"

#include "llvm/Support/JSON.h"

namespace autosage::bench {

struct Cell {
  OpKind op = OpKind::spmm;
  std::string graph;
  InputStats stats;
  int64_t features = 0, heads = 1;
  Score score = Score::dot; // of attention
  double compulsoryBytes = 0;
  std::vector<Candidate> ours;
  /// The best of ours once more, next to cuSPARSE.
  Measurement again;
  std::vector<VendorResult> vendor;
  /// Instead of `ours`.
  std::optional<Decided> decided;
  /// Of attention and its gradients.
  std::optional<AttentionForms> forms;
  /// Beside the gradients, of attention itself.
  std::optional<Candidate> forward;

  bool ran() const;
  /// Of `ours_ms`; empty where nothing ran.
  std::string schedule() const;
};

/// With nothing measured yet.
Cell cellOf(const Workload &workload);

/// The line of a table; with null, its head.
std::string tableLine(const Cell *cell);

/// The fastest of cuSPARSE, or of its algorithms that NVIDIA documents as
/// deterministic; null where none ran.
const VendorResult *bestVendor(const Cell &cell, bool deterministic);

/// Attributes of a cell, and those that every report begins with.
void writeCell(llvm::json::OStream &json, const Options &options,
               const Cell &cell);
void writeHead(llvm::json::OStream &json, const Options &options);

/// Puts the text in place of the file's contents. Whoever is stopped in the
/// middle leaves the old ones. False where that fails.
bool replaceFile(const std::string &path, const std::string &text);

/// JSON has no NaN; what was not measured is null.
llvm::json::Value number(double value);

/// The report in the form of the files under docs/results.
std::string jsonReport(const Options &options, const std::vector<Cell> &cells);

} // namespace autosage::bench

#endif // AUTOSAGE_TOOLS_BENCH_REPORT_H
