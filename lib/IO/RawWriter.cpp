//===- RawWriter.cpp - graphs to raw CSR files ----------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "OutputFile.h"
#include "RawFormat.h"

namespace autosage::io {

/// Appends `view` as integers of `type`, which hold its values.
static void appendIndices(OutputFile &out, const IndexView &view,
                          IndexType type) {
  if (view.type == type) {
    out.append({static_cast<const char *>(view.data),
                static_cast<size_t>(view.size * sizeOf(type))});
    return;
  }
  for (int64_t i = 0; i < view.size; ++i) {
    if (type == IndexType::i32)
      out.appendValue(static_cast<int32_t>(view[i]));
    else
      out.appendValue(view[i]);
  }
}

static void pad(OutputFile &out, int64_t bytesBefore) {
  constexpr char zeros[raw::alignment] = {};
  int64_t over = bytesBefore % raw::alignment;
  if (over != 0)
    out.append({zeros, static_cast<size_t>(raw::alignment - over)});
}

Status writeRaw(const std::string &path, const CsrView &csr,
                const double *values) {
  if (Status valid = validate(csr); !valid)
    return Error{path + ": cannot write: " + valid.error()};
  int64_t nnz = csr.nnz();
  IndexType colindType = indexTypeFor(csr.cols);
  IndexType rowptrType = indexTypeFor(nnz);
  OutputFile out(path);

  if (!values && colindType == IndexType::i32) {
    out.appendValue(raw::Header{raw::plainMagic, csr.rows, csr.cols, nnz});
    appendIndices(out, csr.rowptr, rowptrType);
    appendIndices(out, csr.colind, colindType);
    return out.finish();
  }

  out.appendValue(raw::Header{raw::extendedMagic, csr.rows, csr.cols, nnz});
  raw::Extension extension{};
  extension.version = raw::extendedVersion;
  extension.rowptrBytes = static_cast<uint8_t>(sizeOf(rowptrType));
  extension.colindBytes = static_cast<uint8_t>(sizeOf(colindType));
  extension.valueType = values ? raw::f64Values : raw::noValues;
  out.appendValue(extension);
  appendIndices(out, csr.rowptr, rowptrType);
  pad(out, csr.rowptr.size * sizeOf(rowptrType));
  appendIndices(out, csr.colind, colindType);
  pad(out, nnz * sizeOf(colindType));
  if (values)
    out.append({reinterpret_cast<const char *>(values),
                static_cast<size_t>(nnz) * sizeof(double)});
  return out.finish();
}

} // namespace autosage::io
