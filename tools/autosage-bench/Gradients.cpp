//===- Gradients.cpp - attention's gradients on one graph -----------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What attention gave comes from a plan of ours, which gives the log-sum-exp
// beside it; the reference is given the same numbers. Gradients of a row follow
// from its edges alone, and so do those of a column.
//
//===----------------------------------------------------------------------===//

#include "Measure.h"

#include "autosage/Core/KernelSpecC.h"
#include "autosage/Core/ReferenceBackward.h"

#include <algorithm>
#include <cmath>

using namespace autosage;
using namespace autosage::bench;

compiler::Operands Workload::forwardOperands() const {
  const Csr &csr = graph.csr;
  compiler::Operands ops;
  ops.a = csr.view();
  ops.a.rowptr.data = graph.rowptr.data();
  ops.a.colind.data = graph.colind.data();
  ops.q = {deviceLeft.data(), csr.rows, heads, scoreWidth(), 0};
  ops.k = {deviceRight.data(), csr.cols, heads, scoreWidth(), 0};
  ops.v = {deviceValues.data(), csr.cols, heads, features, 0};
  ops.out = {deviceO.data(), csr.rows, heads, features, 0};
  ops.lse = {deviceLse.data(), csr.rows, heads, 1, 0};
  return ops;
}

void Workload::prepareGradients(const Options &options) {
  int64_t rows = graph.csr.rows, cols = graph.csr.cols;
  int64_t element = sizeOf(spec.dtype);
  draw(dO, {rows, columns()}, 4);
  deviceDO = DeviceBuffer(api, dO.data(), dO.bytes());
  deviceO = DeviceBuffer(api, rows * columns() * element);
  deviceLse = DeviceBuffer(api, rows * heads * element);
  gradients[0] = DeviceBuffer(api, rows * heads * scoreWidth() * element);
  gradients[1] = DeviceBuffer(api, cols * heads * scoreWidth() * element);
  gradients[2] = DeviceBuffer(api, cols * columns() * element);

  auto &made = context(options);
  if (!made) {
    failure = made.error();
    return;
  }
  compiler::KernelSpec forward = spec;
  forward.op = OpKind::attention;
  forward.lse = true;
  autosage_operands c = runtime::toC(forwardOperands());
  Result<runtime::PlanHandle> plan = made->plan(
      writeSpec(forward, ""), runtime::patternOf(forwardOperands().a), c);
  Status ran = plan ? plan->run(c) : Status(Error{plan.error()});
  if (ran)
    ran = runtime::deviceStatus(api);
  if (!ran)
    failure = "the forward pass: " + ran.error();
  else
    evaluateGradients();
}

double Workload::gradientBytes() const {
  int64_t bytes = dO.bytes() + deviceO.size() + deviceLse.size();
  for (const DeviceBuffer &gradient : gradients)
    bytes += gradient.size();
  return static_cast<double>(bytes);
}

namespace {
/// Some edges of a pattern, between the rows and columns that they touch.
struct Part {
  Csr csr;
  std::vector<int64_t> rows, cols; // their numbers in the whole
};
} // namespace

/// All edges of `rows`.
static Part partOfRows(const Csr &csr, const std::vector<int64_t> &rows) {
  Part part;
  part.rows = rows;
  std::vector<int64_t> numberOf(static_cast<size_t>(csr.cols), -1);
  std::vector<int32_t> rowptr = {0}, colind;
  for (int64_t row : rows) {
    for (int64_t e = csr.rowptr[row]; e < csr.rowptr[row + 1]; ++e) {
      int64_t &number = numberOf[static_cast<size_t>(csr.colind[e])];
      if (number < 0) {
        number = static_cast<int64_t>(part.cols.size());
        part.cols.push_back(csr.colind[e]);
      }
      colind.push_back(static_cast<int32_t>(number));
    }
    rowptr.push_back(static_cast<int32_t>(colind.size()));
  }
  part.csr = {static_cast<int64_t>(rows.size()),
              static_cast<int64_t>(part.cols.size()),
              IndexArray(std::move(rowptr)), IndexArray(std::move(colind))};
  return part;
}

/// All edges of `cols`.
static Part partOfColumns(const Csr &csr, const std::vector<int64_t> &cols) {
  Part part;
  part.cols = cols;
  std::vector<int64_t> numberOf(static_cast<size_t>(csr.cols), -1);
  for (size_t i = 0; i < cols.size(); ++i)
    numberOf[static_cast<size_t>(cols[i])] = static_cast<int64_t>(i);
  std::vector<int32_t> rowptr = {0}, colind;
  for (int64_t row = 0; row < csr.rows; ++row) {
    size_t before = colind.size();
    for (int64_t e = csr.rowptr[row]; e < csr.rowptr[row + 1]; ++e) {
      int64_t number = numberOf[static_cast<size_t>(csr.colind[e])];
      if (number >= 0)
        colind.push_back(static_cast<int32_t>(number));
    }
    if (colind.size() == before)
      continue;
    part.rows.push_back(row);
    rowptr.push_back(static_cast<int32_t>(colind.size()));
  }
  part.csr = {static_cast<int64_t>(part.rows.size()),
              static_cast<int64_t>(cols.size()), IndexArray(std::move(rowptr)),
              IndexArray(std::move(colind))};
  return part;
}

/// Rows of `width` elements.
static std::vector<double> rowsOf(const run::HostArray &array,
                                  const std::vector<int64_t> &rows,
                                  int64_t width) {
  std::vector<double> picked;
  picked.reserve(rows.size() * static_cast<size_t>(width));
  for (int64_t row : rows)
    for (int64_t i = row * width; i < (row + 1) * width; ++i)
      picked.push_back(array.at(i));
  return picked;
}

static double normOf(const std::vector<double> &values) {
  double sum = 0;
  for (double value : values)
    sum += value * value;
  return std::sqrt(sum);
}

void Workload::evaluateGradients() {
  const Csr &csr = graph.csr;
  // As many columns as rows, evenly spaced.
  auto count = std::max<int64_t>(1, static_cast<int64_t>(checkedRows.size()));
  int64_t step = std::max<int64_t>(1, csr.cols / count);
  for (int64_t column = 0; column < csr.cols; column += step)
    checkedColumns.push_back(column);

  int64_t scores = heads * scoreWidth();
  auto evaluate = [&](const Part &part, bool ofRows) {
    std::vector<double> q = rowsOf(left, part.rows, scores),
                        k = rowsOf(right, part.cols, scores),
                        v = rowsOf(values, part.cols, columns()),
                        grad = rowsOf(dO, part.rows, columns()),
                        given = download(deviceO, part.rows, columns()),
                        lse = download(deviceLse, part.rows, heads);
    reference::AttentionTape tape = {{nullptr, heads}, q.data(),   k.data(),
                                     v.data(),         nullptr,    given.data(),
                                     lse.data(),       grad.data()};
    std::vector<double> terms(static_cast<size_t>(part.csr.nnz() * heads));
    reference::AttentionGradients out;
    out.bias = terms.data();
    if (ofRows) {
      expectedGradients[0].resize(q.size());
      out.q = expectedGradients[0].data();
    } else {
      expectedGradients[1].resize(k.size());
      expectedGradients[2].resize(v.size());
      out.k = expectedGradients[1].data();
      out.v = expectedGradients[2].data();
    }
    reference::attentionBackward(part.csr.view(), tape, out,
                                 {spec.score, heads, features, features,
                                  spec.scale, spec.negativeSlope});
    termNorms[ofRows ? 0 : 1] = normOf(terms);
  };
  evaluate(partOfRows(csr, checkedRows), /*ofRows=*/true);
  evaluate(partOfColumns(csr, checkedColumns), /*ofRows=*/false);
}

Result<double> Workload::gradientError() {
  if (!failure.empty())
    return Error{failure};
  double worst = 0;
  for (size_t i = 0; i < gradients.size(); ++i) {
    const std::vector<double> &expected = expectedGradients[i];
    std::vector<double> got =
        download(gradients[i], i == 0 ? checkedRows : checkedColumns,
                 i < 2 ? heads * scoreWidth() : columns());
    double error = reference::relativeError(
        got.data(), expected.data(), static_cast<int64_t>(expected.size()));
    // The gradients of a row's logits add up to 0, and in dq of gat they have
    // one slope where all of its scores have one sign: relative to the terms,
    // where these are larger.
    double norm = normOf(expected);
    if (spec.score == Score::gat && i < 2 && termNorms[i] > norm)
      error *= (norm > 0 ? norm : 1) / termNorms[i];
    worst = std::max(worst, error);
  }
  if (Status status = runtime::deviceStatus(api); !status)
    return Error{status.error()};
  return worst;
}
