//===- Workload.cpp - one operation on one graph --------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Workload.h"

#include "autosage/Core/Reference.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <future>

using namespace autosage;
using namespace autosage::bench;

Result<GraphOnDevice> GraphOnDevice::load(const std::string &path,
                                          const Options &o) {
  Result<io::Graph> read = io::readGraph(path);
  if (!read)
    return Error{read.error()};
  Result<Csr> narrow = read->csr.convertedTo(IndexType::i32, IndexType::i32);
  if (!narrow)
    return Error{path + ": " + narrow.error()};
  if (Status valid = validate(narrow->view()); !valid)
    return Error{path + ": " + valid.error()};
  return of(std::filesystem::path(path).stem().string(), std::move(*narrow), o);
}

Result<GraphOnDevice> GraphOnDevice::of(std::string name, Csr csr,
                                        const Options &o) {
  const autosage_device_api &api = *o.api;
  IndexView positions = csr.rowptr.view();
  IndexView columns = csr.colind.view();
  DeviceBuffer rowptr(api, positions.data,
                      positions.size * sizeOf(positions.type));
  DeviceBuffer colind(api, columns.data, columns.size * sizeOf(columns.type));
  if (Status status = runtime::deviceStatus(api); !status)
    return Error{status.error()};
  InputStats stats = computeStats(csr.view());
  return GraphOnDevice{std::move(name), std::move(csr), stats,
                       std::move(rowptr), std::move(colind)};
}

//===----------------------------------------------------------------------===//
// Workload
//===----------------------------------------------------------------------===//

/// Multiplications that the check takes on the CPU: a fraction of a second.
static constexpr int64_t checkedProducts = 50 * 1000 * 1000;

/// Of an operand that one thread draws, and of a stream of random numbers.
static constexpr int64_t drawnElements = 1 << 24;

/// Of which the poisoned output is copies: outputs are gigabytes.
static constexpr int64_t poisonElements = 1 << 20;

/// The streams of one operand lie next to each other.
static constexpr uint64_t streamsOfOperand = 1 << 20;

Workload::Workload(const GraphOnDevice &graph, OpKind op, int64_t features,
                   const Options &o, int64_t heads)
    : graph(graph), features(features), heads(heads), api(*o.api),
      seed(o.seed) {
  const Csr &csr = graph.csr;
  spec.op = op;
  spec.features = features;
  if (heads > 1)
    spec.heads = heads;
  spec.dtype = o.dtype;
  spec.stats = graph.stats;
  if (op == OpKind::spmm) {
    spec.edgeValues = compiler::EdgeValues::perEdge;
    draw(w, {csr.nnz()}, 0);
    draw(left, {csr.cols, features}, 1);
  } else if (isAttention(op)) {
    spec.score = o.score;
    if (spec.score == Score::dot)
      spec.scale = 1 / std::sqrt(static_cast<double>(features));
    else
      spec.heads = heads; // of a number each, so that they are always there
    draw(left, {csr.rows, heads * scoreWidth()}, 1);
    draw(right, {csr.cols, heads * scoreWidth()}, 2);
    draw(values, {csr.cols, columns()}, 3);
  } else {
    draw(left, {csr.rows, features}, 1);
    draw(right, {csr.cols, features}, 2);
  }
  deviceW = DeviceBuffer(api, w.data(), w.bytes());
  deviceLeft = DeviceBuffer(api, left.data(), left.bytes());
  deviceRight = DeviceBuffer(api, right.data(), right.bytes());
  deviceValues = DeviceBuffer(api, values.data(), values.bytes());
  run::HostArray poison(o.dtype, {poisonElements});
  poison.fill(std::nan(""));
  devicePoison = DeviceBuffer(api, poison.data(), poison.bytes());
  chooseRows();
  if (op == OpKind::attention_backward) {
    prepareGradients(o);
  } else {
    int64_t outputs = perRow() ? csr.rows * columns() : csr.nnz();
    deviceOut = DeviceBuffer(api, outputs * sizeOf(o.dtype));
    evaluate();
  }
}

void Workload::draw(run::HostArray &array, const run::Shape &shape,
                    uint64_t operand) {
  array = run::HostArray(spec.dtype, shape);
  // In threads: those of large graphs are gigabytes.
  std::vector<std::future<void>> drawing;
  uint64_t stream = operand * streamsOfOperand;
  for (int64_t begin = 0; begin < array.size(); begin += drawnElements) {
    int64_t end = std::min(begin + drawnElements, array.size());
    drawing.push_back(std::async(std::launch::async, [&, stream, begin, end] {
      array.draw(seed, stream, begin, end);
    }));
    ++stream;
  }
  for (std::future<void> &block : drawing)
    block.get();
}

compiler::Operands Workload::operands() const {
  if (spec.op == OpKind::attention_backward) {
    compiler::Operands ops = forwardOperands();
    ops.o = {ops.out.data, ops.out.rows, heads, features, 0};
    ops.dO = {deviceDO.data(), ops.out.rows, heads, features, 0};
    ops.out = {};
    compiler::DenseOut *places[] = {&ops.dq, &ops.dk, &ops.dv};
    for (size_t i = 0; i < gradients.size(); ++i)
      *places[i] = {gradients[i].data(), (i ? ops.k : ops.q).rows, heads,
                    i < 2 ? scoreWidth() : features, 0};
    return ops;
  }
  const Csr &csr = graph.csr;
  compiler::Operands ops;
  ops.a = csr.view();
  ops.a.rowptr.data = graph.rowptr.data();
  ops.a.colind.data = graph.colind.data();
  if (spec.op == OpKind::spmm) {
    ops.edgeValues = {deviceW.data(), csr.nnz(), 1, 1, 0};
    ops.x = {deviceLeft.data(), csr.cols, 1, features, 0};
    ops.out = {deviceOut.data(), csr.rows, 1, features, 0};
  } else {
    ops.q = {deviceLeft.data(), csr.rows, heads, scoreWidth(), 0};
    ops.k = {deviceRight.data(), csr.cols, heads, scoreWidth(), 0};
    ops.v = {deviceValues.data(), csr.cols, heads, features, 0};
    ops.out = {deviceOut.data(), perRow() ? csr.rows : csr.nnz(), heads,
               perRow() ? features : 1, 0};
  }
  return ops;
}

void Workload::poison(const DeviceBuffer &buffer) {
  auto *to = static_cast<char *>(buffer.data());
  for (int64_t at = 0; at < buffer.size(); at += devicePoison.size())
    api.copy(to + at, devicePoison.data(),
             std::min(devicePoison.size(), buffer.size() - at));
}

void Workload::poison() {
  for (const DeviceBuffer &gradient : gradients)
    poison(gradient);
  poison(deviceOut);
}

void Workload::chooseRows() {
  CsrView a = graph.csr.view();
  int64_t products = a.nnz() * columns();
  int64_t step = std::max<int64_t>(1, products / checkedProducts);
  int64_t longest = 0;
  auto length = [&](int64_t i) { return a.rowptr[i + 1] - a.rowptr[i]; };
  for (int64_t i = 0; i < a.rows; ++i) {
    if (i % step == 0)
      checkedRows.push_back(i);
    if (length(i) > length(longest))
      longest = i;
  }
  if (a.rows > 0 && longest % step != 0)
    checkedRows.push_back(longest);
}

double Workload::dot(int64_t row, int64_t column, int64_t head) const {
  int64_t l = row * columns() + head * features;
  int64_t r = column * columns() + head * features;
  double sum = 0;
  for (int64_t f = 0; f < features; ++f)
    sum += left.at(l + f) * right.at(r + f);
  return sum;
}

double Workload::logit(int64_t row, int64_t column, int64_t head) const {
  if (spec.score == Score::dot)
    return spec.scale * dot(row, column, head);
  double sum = left.at(row * heads + head) + right.at(column * heads + head);
  return spec.scale * (sum < 0 ? spec.negativeSlope * sum : sum);
}

void Workload::evaluate() {
  CsrView a = graph.csr.view();
  for (int64_t i : checkedRows) {
    int64_t begin = a.rowptr[i], end = a.rowptr[i + 1];
    if (spec.op == OpKind::sddmm) {
      for (int64_t e = begin; e < end; ++e)
        expected.push_back(dot(i, a.colind[e], 0));
      continue;
    }
    std::vector<double> sums(columns());
    if (spec.op == OpKind::spmm)
      for (int64_t e = begin; e < end; ++e)
        for (int64_t f = 0; f < features; ++f)
          sums[f] += w.at(e) * left.at(a.colind[e] * features + f);
    for (int64_t h = 0; spec.op == OpKind::attention && h < heads; ++h) {
      std::vector<double> weights;
      for (int64_t e = begin; e < end; ++e)
        weights.push_back(logit(i, a.colind[e], h));
      double largest = weights.empty()
                           ? 0
                           : *std::max_element(weights.begin(), weights.end()),
             total = 0;
      for (double &weight : weights)
        total += weight = std::exp(weight - largest);
      for (int64_t e = begin; e < end; ++e)
        for (int64_t f = h * features; f < (h + 1) * features; ++f)
          sums[f] += weights[e - begin] / total *
                     values.at(a.colind[e] * columns() + f);
    }
    expected.insert(expected.end(), sums.begin(), sums.end());
  }
}

std::vector<double>
Workload::download(const DeviceBuffer &from, const std::vector<int64_t> &rows,
                   llvm::function_ref<int64_t(int64_t)> begin) const {
  int64_t elements = 0, element = sizeOf(spec.dtype);
  for (int64_t row : rows)
    elements += begin(row + 1) - begin(row);
  run::HostArray got(spec.dtype, {elements});
  auto *to = static_cast<char *>(got.data());
  // Rows side by side in one copy.
  for (size_t first = 0, next; first < rows.size(); first = next) {
    for (next = first + 1;
         next < rows.size() && rows[next] == rows[next - 1] + 1;)
      ++next;
    int64_t at = begin(rows[first]) * element;
    int64_t bytes = begin(rows[next - 1] + 1) * element - at;
    api.download(to, static_cast<const char *>(from.data()) + at, bytes);
    to += bytes;
  }
  return got.widened();
}

std::vector<double> Workload::download(const DeviceBuffer &from,
                                       const std::vector<int64_t> &rows,
                                       int64_t width) const {
  return download(from, rows, [&](int64_t row) { return row * width; });
}

Result<double> Workload::error() {
  if (spec.op == OpKind::attention_backward)
    return gradientError();
  std::vector<double> got =
      perRow() ? download(deviceOut, checkedRows, columns())
               : download(deviceOut, checkedRows,
                          [&](int64_t row) { return graph.csr.rowptr[row]; });
  if (Status status = runtime::deviceStatus(api); !status)
    return Error{status.error()};
  return reference::relativeError(got.data(), expected.data(),
                                  static_cast<int64_t>(expected.size()));
}

double Workload::compulsoryBytes() const {
  return static_cast<double>(graph.rowptr.size() + graph.colind.size() +
                             w.bytes() + left.bytes() + right.bytes() +
                             values.bytes() + deviceOut.size());
}
