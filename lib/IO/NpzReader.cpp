//===- NpzReader.cpp - NumPy archives to graphs ---------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three layouts share one path: which members hold what, and whether the
// compressed axis is rows or columns. The format field decides about the
// latter, never the shapes of the arrays.
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "Npy.h"
#include "Readers.h"
#include "ZipArchive.h"

#include <algorithm>

namespace autosage::io {

namespace {

/// Names of the members, and what an empty name means.
struct Layout {
  std::string indptr, indices, shape;
  std::string data; // empty: no values
  bool byColumns = false;
};

} // namespace

bool looksLikeZip(std::string_view head) {
  return head.substr(0, 4) == std::string_view("PK\x03\x04", 4) ||
         head.substr(0, 4) == std::string_view("PK\x05\x06", 4);
}

/// Runs `decode` on a member. The message names the member.
template <typename Decode>
static auto decodeMember(const ZipArchive &archive, const std::string &member,
                         Decode &&decode)
    -> decltype(decode(NpyArray(), std::string())) {
  Result<std::string> bytes = archive.read(member);
  if (!bytes)
    return Error{bytes.error()};
  std::string label = archive.label(member);
  Result<NpyArray> array = parseNpyArray(*bytes, label);
  if (!array)
    return Error{array.error()};
  return decode(*array, label);
}

static Result<Layout> findLayout(const ZipArchive &archive,
                                 const std::string &name) {
  if (archive.has("format.npy")) {
    Result<std::string> format =
        decodeMember(archive, "format.npy", decodeText);
    if (!format)
      return Error{format.error()};
    if (*format != "csr" && *format != "csc")
      return fileError(archive.label("format.npy"),
                       "format " + quoted(*format) +
                           " is not supported, expects 'csr' or 'csc'");
    return Layout{"indptr.npy", "indices.npy", "shape.npy", "data.npy",
                  *format == "csc"};
  }
  auto optional = [&](const char *member) {
    return archive.has(member) ? std::string(member) : std::string();
  };
  if (archive.has("adj_indptr.npy"))
    return Layout{"adj_indptr.npy", "adj_indices.npy", "adj_shape.npy",
                  optional("adj_data.npy")};
  if (archive.has("rowptr.npy"))
    return Layout{"rowptr.npy", "colind.npy", "shape.npy",
                  optional("values.npy")};
  if (archive.has("indptr.npy"))
    return fileError(archive.label("format.npy"),
                     "missing, expects 'csr' or 'csc'");
  return fileError(name, "expects the members of scipy.sparse.save_npz, "
                         "adj_indptr, adj_indices and adj_shape, or rowptr, "
                         "colind and shape, got " +
                             archive.listing());
}

/// Turns the columns that `graph.csr` holds as rows into rows.
static Status convertFromColumns(const std::string &name, Graph &graph,
                                 int64_t inputBytes) {
  Csr &csr = graph.csr; // of the transposed matrix
  if (Status valid = validate(csr.view()); !valid)
    return fileError(name, "as csc: " + valid.error());
  if (Status s = checkRowCount(name, csr.cols, inputBytes); !s)
    return s;
  // Coordinates become column numbers and positions stay positions.
  Result<Csr> wide = csr.convertedTo(
      indexTypeFor(csr.nnz()), indexTypeFor(std::max(csr.rows, csr.cols)));
  if (!wide)
    return fileError(name, wide.error());
  Result<Transposed> transposed = transpose(wide->view());
  if (!transposed)
    return fileError(name, transposed.error());
  if (graph.values) {
    std::vector<double> values(graph.values->size());
    for (size_t e = 0; e < values.size(); ++e)
      values[e] = (*graph.values)[static_cast<size_t>(
          transposed->edgePermutation[static_cast<int64_t>(e)])];
    graph.values = std::move(values);
  }
  csr = std::move(transposed->csr);
  graph.notes.push_back("converted from csc to csr");
  return Status::success();
}

static Result<Graph> readArchive(const ZipArchive &archive,
                                 const std::string &name) {
  Result<Layout> layout = findLayout(archive, name);
  if (!layout)
    return Error{layout.error()};

  Result<IndexArray> shape =
      decodeMember(archive, layout->shape, decodeIndices);
  if (!shape)
    return Error{shape.error()};
  if (shape->size() != 2)
    return fileError(archive.label(layout->shape),
                     "expects 2 numbers (rows, columns), got " +
                         std::to_string(shape->size()));
  Graph graph;
  Csr &csr = graph.csr;
  csr.rows = (*shape)[0];
  csr.cols = (*shape)[1];
  if (Status s = checkShape(archive.label(layout->shape), csr.rows, csr.cols);
      !s)
    return Error{s.error()};

  Result<IndexArray> indptr =
      decodeMember(archive, layout->indptr, decodeIndices);
  if (!indptr)
    return Error{indptr.error()};
  int64_t major = layout->byColumns ? csr.cols : csr.rows;
  if (indptr->size() != major + 1)
    return fileError(archive.label(layout->indptr),
                     "expects " + std::to_string(major + 1) +
                         " positions for " + std::to_string(major) +
                         (layout->byColumns ? " columns" : " rows") + ", got " +
                         std::to_string(indptr->size()));
  csr.rowptr = std::move(*indptr);

  Result<IndexArray> indices =
      decodeMember(archive, layout->indices, decodeIndices);
  if (!indices)
    return Error{indices.error()};
  csr.colind = std::move(*indices);

  if (!layout->data.empty()) {
    Result<std::vector<double>> values =
        decodeMember(archive, layout->data, decodeReals);
    if (!values)
      return Error{values.error()};
    if (static_cast<int64_t>(values->size()) != csr.nnz())
      return fileError(archive.label(layout->data),
                       "expects " + std::to_string(csr.nnz()) +
                           " values, one an index, got " +
                           std::to_string(values->size()));
    graph.values = std::move(*values);
  }

  if (layout->byColumns) {
    std::swap(csr.rows, csr.cols);
    int64_t inputBytes = csr.rowptr.size() * sizeOf(csr.rowptr.type()) +
                         csr.nnz() * sizeOf(csr.colind.type());
    if (Status s = convertFromColumns(name, graph, inputBytes); !s)
      return Error{s.error()};
  }
  return finishGraph(name, std::move(graph));
}

Result<Graph> readNpz(Input &input, const std::string &name) {
  return guarded(name, [&]() -> Result<Graph> {
    Result<ZipArchive> archive = ZipArchive::open(input, name);
    if (!archive)
      return Error{archive.error()};
    return readArchive(*archive, name);
  });
}

Result<Graph> readNpz(const std::string &path) {
  Result<Input> input = Input::open(path);
  if (!input)
    return Error{input.error()};
  return readNpz(*input, path);
}

} // namespace autosage::io
