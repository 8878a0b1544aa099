//===- MatrixMarketWriter.cpp - graphs to Matrix Market files -------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "OutputFile.h"

#include <charconv>

namespace autosage::io {

Status writeMatrixMarket(const std::string &path, const CsrView &csr,
                         const double *values) {
  if (Status valid = validate(csr); !valid)
    return Error{path + ": cannot write: " + valid.error()};
  OutputFile out(path);
  out.append("%%MatrixMarket matrix coordinate ");
  out.append(values ? "real" : "pattern");
  out.append(" general\n");
  out.append(std::to_string(csr.rows) + " " + std::to_string(csr.cols) + " " +
             std::to_string(csr.nnz()) + "\n");

  char line[96]; // two integers of 20 characters, a double of at most 24
  char *stop = line + sizeof(line);
  for (int64_t row = 0; row < csr.rows; ++row)
    for (int64_t e = csr.rowptr[row]; e < csr.rowptr[row + 1]; ++e) {
      char *at = std::to_chars(line, stop, row + 1).ptr;
      *at++ = ' ';
      at = std::to_chars(at, stop, csr.colind[e] + 1).ptr;
      if (values) {
        *at++ = ' ';
        // Without a precision: the shortest text that reads back the same.
        at = std::to_chars(at, stop, values[e]).ptr;
      }
      *at++ = '\n';
      out.append({line, static_cast<size_t>(at - line)});
    }
  return out.finish();
}

} // namespace autosage::io
