//===- Flights.h - one thread does it, others wait --------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_LIB_ORACLE_FLIGHTS_H
#define AUTOSAGE_LIB_ORACLE_FLIGHTS_H

#include <string>

namespace autosage::oracle {

/// Holds a name of the process while it lives; a second holder waits. A fork
/// starts with no name held, whatever its parent's threads do.
class Flight {
public:
  explicit Flight(std::string name);
  ~Flight();
  Flight(const Flight &) = delete;
  Flight &operator=(const Flight &) = delete;

private:
  const std::string name;
};

} // namespace autosage::oracle

#endif // AUTOSAGE_LIB_ORACLE_FLIGHTS_H
