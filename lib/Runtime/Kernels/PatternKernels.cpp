//===- PatternKernels.cpp - work on patterns in device memory -------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PatternLaunch.h"

#include "Findings.h"
#include "Locality.h"
#include "Sort.h"

#include "autosage/Core/PatternErrors.h"

using namespace autosage;
using namespace autosage::runtime;
using namespace autosage::kernels;

static constexpr uint64_t scanShared = scanSharedBytes;

//===----------------------------------------------------------------------===//
// Prefix sums and sorting
//===----------------------------------------------------------------------===//

/// `values` of 8 bytes become the sums of those before them.
bool PatternKernels::scan(void *values, uint64_t size) {
  uint64_t tiles = blocksOf(size, scanTile);
  void *none = nullptr;
  if (tiles <= 1)
    return launch(images.sort, "scanApply", tiles, scanShared, values, size,
                  none);
  Scratch sums(api, tiles, 8);
  return sums &&
         launch(images.sort, "scanReduce", tiles, scanShared, values, size,
                sums.data()) &&
         scan(sums.data(), tiles) &&
         launch(images.sort, "scanApply", tiles, scanShared, values, size,
                sums.data());
}

/// Stable, by the low `bits` bits. `keys` (taken) has `size` keys, at least
/// one.
bool PatternKernels::sort(Scratch &keys, uint64_t keyBytes, uint64_t bits,
                          uint64_t size, uint64_t valueBytes, Sorted &sorted) {
  uint64_t tiles = blocksOf(size, sortTile);
  uint64_t passes = blocksOf(bits, sortDigitBits);
  Scratch counts(api, tiles * sortDigits, 8);
  Scratch order(api, size, valueBytes), nextOrder, nextKeys;
  nextKeys = Scratch(api, size, keyBytes);
  if (passes > 1)
    nextOrder = Scratch(api, size, valueBytes);
  if (!counts || !order || !nextKeys || (passes > 1 && !nextOrder))
    return false;
  const char *histogram = keyBytes == 4 ? "histogram32" : "histogram64";
  autosage_image &scatter =
      images.scatter[(keyBytes == 8 ? 2 : 0) + (valueBytes == 8 ? 1 : 0)];
  uint64_t sharedBytes =
      sortFixedBytes + sortTile * std::max(keyBytes, valueBytes);
  for (uint64_t pass = 0; pass < passes; ++pass) {
    uint64_t shift = pass * sortDigitBits;
    // The first pass makes the numbers 0, 1, ... itself.
    if (pass > 0)
      std::swap(order, nextOrder);
    void *values = pass == 0 ? nullptr : nextOrder.data();
    if (!launch(images.sort, histogram, tiles, histogramSharedBytes,
                keys.data(), size, shift, counts.data()) ||
        !scan(counts.data(), tiles * sortDigits) ||
        !launch(scatter, "scatter", tiles, sharedBytes, keys.data(), values,
                size, shift, counts.data(), nextKeys.data(), order.data()))
      return false;
    std::swap(keys, nextKeys);
  }
  sorted.order = std::move(order);
  sorted.keys = std::move(keys);
  return true;
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

static Status checkChunk(int64_t chunk) {
  if (chunk >= 1)
    return Status::success();
  return Error{"expects a chunk of at least 1, got " + std::to_string(chunk)};
}

Result<int64_t> PatternKernels::countTasks(const DevicePattern &pattern,
                                           int64_t chunk) {
  if (Status status = checkTypes(pattern); !status)
    return Error{status.error()};
  if (Status status = checkChunk(chunk); !status)
    return Error{status.error()};
  if (pattern.rows <= 0)
    return int64_t(0);
  // One tile of partial sums.
  uint64_t blocks =
      std::min<uint64_t>(blocksOf(u(pattern.rows), blockThreads), scanTile);
  Scratch sums(api, blocks, 8), sum(api, 1, 8);
  int64_t count = 0;
  if (sums && sum &&
      launch(images.tasks, "sumPieces", blocks, scanShared, pattern.rowptr,
             u(pattern.positionBytes), u(pattern.rows), chunk, sums.data()) &&
      launch(images.sort, "scanReduce", 1, scanShared, sums.data(), blocks,
             sum.data()))
    api.download(&count, sum.data(), 8);
  return count;
}

/// Of the rows in an order, null for the stored one.
bool PatternKernels::writeTasks(const DevicePattern &pattern, int64_t chunk,
                                const void *order, uint64_t orderBytes,
                                void *tasks, uint64_t numTasks) {
  uint64_t rows = u(pattern.rows), bytes = u(pattern.positionBytes);
  Scratch starts(api, rows + 1, 8);
  return starts &&
         launch(images.tasks, "countPieces", loopBlocks(rows + 1), 0,
                pattern.rowptr, bytes, rows, chunk, order, orderBytes,
                starts.data()) &&
         scan(starts.data(), rows + 1) &&
         launch(images.tasks, "writeTasks", blocksOf(numTasks, blockThreads), 8,
                pattern.rowptr, bytes, rows, chunk, order, orderBytes,
                starts.data(), tasks, numTasks);
}

/// Stored tasks are in the order of rows and pieces, and so those with equal
/// keys stay.
bool PatternKernels::sortByLength(const DevicePattern &pattern, int64_t chunk,
                                  const void *stored, void *tasks,
                                  uint64_t numTasks) {
  uint64_t bytes = u(pattern.positionBytes);
  // Of pieces that piecesOfRow does not cut.
  uint64_t longest = std::min(u(pattern.nnz), u(chunk) + u(chunk) / 2);
  uint64_t cuts = numTasks != u(pattern.rows);
  uint64_t bits = bitsFor(longest) + (cuts ? 8 : 0);
  uint64_t keyBytes = bits <= 32 ? 4 : 8;
  uint64_t orderBytes = bytesFor(numTasks);
  Scratch keys(api, numTasks, keyBytes);
  Sorted sorted;
  return keys &&
         launch(images.tasks, "lengthKeys", loopBlocks(numTasks), 0,
                pattern.rowptr, stored, bytes, numTasks, chunk, cuts, longest,
                keys.data(), keyBytes) &&
         sort(keys, keyBytes, bits, numTasks, orderBytes, sorted) &&
         launch(images.tasks, "gatherTasks", loopBlocks(4 * numTasks), 0,
                stored, bytes, sorted.order.data(), orderBytes, numTasks,
                tasks);
}

Status PatternKernels::buildTasks(const DevicePattern &pattern, int64_t chunk,
                                  TaskOrder order, void *tasks,
                                  int64_t numTasks) {
  if (Status status = checkTypes(pattern); !status)
    return status;
  if (Status status = checkChunk(chunk); !status)
    return status;
  if (numTasks < pattern.rows)
    return Error{"build_tasks expects place for at least one task a row, " +
                 std::to_string(pattern.rows) + ", got " +
                 std::to_string(numTasks)};
  if (pattern.rows <= 0 || numTasks <= 0)
    return Status::success();
  uint64_t count = u(numTasks), rows = u(pattern.rows);
  switch (order) {
  case TaskOrder::stored:
    writeTasks(pattern, chunk, nullptr, 4, tasks, count);
    break;
  case TaskOrder::length: {
    Scratch stored(api, count, 4 * u(pattern.positionBytes));
    if (stored && writeTasks(pattern, chunk, nullptr, 4, stored.data(), count))
      sortByLength(pattern, chunk, stored.data(), tasks, count);
    break;
  }
  case TaskOrder::locality: {
    bool square = pattern.rows == pattern.cols &&
                  pattern.rows <= std::numeric_limits<uint32_t>::max();
    uint64_t keyBytes = square ? 4 : 8;
    uint64_t bits = square ? bitsFor(rows - 1) : 64;
    Scratch keys;
    Sorted sorted;
    if (localityKeys(pattern, keys, keyBytes) &&
        sort(keys, keyBytes, bits, rows, bytesFor(rows), sorted))
      writeTasks(pattern, chunk, sorted.order.data(), bytesFor(rows), tasks,
                 count);
    break;
  }
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Locality
//===----------------------------------------------------------------------===//

/// Threads that look at a row together: about as many as it has entries, and
/// enough for their labels to fit shared memory.
static uint64_t lanesOfRows(const DevicePattern &pattern) {
  uint64_t lanes = 4;
  while (lanes < 32 && lanes * u(pattern.rows) < u(pattern.nnz))
    lanes *= 2;
  return lanes;
}

bool PatternKernels::communities(const DevicePattern &pattern,
                                 Scratch &labels) {
  uint64_t rows = u(pattern.rows), lanes = lanesOfRows(pattern);
  uint64_t groups = blockThreads / lanes;
  labels = Scratch(api, rows, 4);
  Scratch next(api, rows, 4), sizes(api, rows, 4);
  if (!labels || !next || !sizes ||
      !launch(images.locality, "initLabels", loopBlocks(rows), 0, rows,
              labels.data(), sizes.data()))
    return false;
  for (uint64_t round = 0; round < localityRounds; ++round) {
    if (!launch(images.locality, "moveLabels", loopBlocks(rows, groups),
                4 * sampledNeighbours * groups, pattern.rowptr,
                u(pattern.positionBytes), pattern.colind,
                u(pattern.coordinateBytes), rows, round, lanes, labels.data(),
                sizes.data(), next.data()))
      return false;
    std::swap(labels, next);
    // Nobody asks for the sizes after the last round.
    if (round + 1 < localityRounds &&
        (!launch(images.locality, "clearSizes", loopBlocks(rows), 0, rows,
                 sizes.data()) ||
         !launch(images.locality, "countLabels", loopBlocks(rows), 0, rows,
                 labels.data(), sizes.data())))
      return false;
  }
  return true;
}

bool PatternKernels::localityKeys(const DevicePattern &pattern, Scratch &keys,
                                  uint64_t keyBytes) {
  if (keyBytes == 4)
    return communities(pattern, keys);
  uint64_t rows = u(pattern.rows), nnz = u(pattern.nnz);
  uint64_t lanes = lanesOfRows(pattern);
  keys = Scratch(api, rows, 8);
  return keys &&
         launch(images.locality, "hashRows",
                loopBlocks(rows, blockThreads / lanes), 0, pattern.rowptr,
                u(pattern.positionBytes), pattern.colind,
                u(pattern.coordinateBytes), rows, lanes, keys.data()) &&
         (nnz <= longRow ||
          launch(images.locality, "hashLongRows", blocksOf(nnz, longRow), 0,
                 pattern.rowptr, u(pattern.positionBytes), pattern.colind,
                 u(pattern.coordinateBytes), rows, nnz, keys.data()));
}

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

Status PatternKernels::buildTranspose(const DevicePattern &pattern,
                                      int32_t outCoordinateBytes,
                                      void *outRowptr, void *outColind,
                                      void *outPerm) {
  if (Status status = checkTypes(pattern); !status)
    return status;
  if (Status status =
          checkBytes("coordinates of the result", outCoordinateBytes);
      !status)
    return status;
  if (outCoordinateBytes == 4 &&
      pattern.rows - 1 > std::numeric_limits<int32_t>::max())
    return Error{"transpose: row " + std::to_string(pattern.rows - 1) +
                 " does not fit the 32-bit colind"};
  uint64_t nnz = u(pattern.nnz), cols = u(pattern.cols);
  uint64_t keyBytes = bytesFor(cols), orderBytes = bytesFor(nnz);
  uint64_t bits = bitsFor(cols ? cols - 1 : 0);
  Scratch keys;
  Sorted sorted;
  if (nnz > 0) {
    keys = Scratch(api, nnz, keyBytes);
    if (!keys ||
        !launch(images.transpose, "columnKeys", loopBlocks(nnz), 0,
                pattern.colind, u(pattern.coordinateBytes), nnz, keys.data(),
                keyBytes) ||
        !sort(keys, keyBytes, bits, nnz, orderBytes, sorted))
      return Status::success();
  }
  if (!launch(images.transpose, "columnStarts",
              blocksOf(cols + 1, blockThreads), 16, sorted.keys.data(),
              keyBytes, nnz, cols, outRowptr, u(pattern.positionBytes)) ||
      nnz == 0)
    return Status::success();
  sorted.keys = Scratch();
  uint64_t rows = u(pattern.rows), rowBytes = bytesFor(rows);
  Scratch rowOf(api, nnz, rowBytes);
  if (rowOf &&
      launch(images.transpose, "rowsOfEntries", blocksOf(nnz, 8 * blockThreads),
             16, pattern.rowptr, u(pattern.positionBytes), rows, nnz,
             rowOf.data(), rowBytes))
    launch(images.transpose, "finishTranspose", loopBlocks(nnz), 0,
           sorted.order.data(), orderBytes, rowOf.data(), rowBytes, nnz,
           outColind, u(outCoordinateBytes), outPerm, u(pattern.positionBytes));
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Validation
//===----------------------------------------------------------------------===//

Status PatternKernels::validate(const DevicePattern &pattern) {
  if (Status status = checkTypes(pattern); !status)
    return status;
  auto type = [](int32_t bytes) {
    return bytes == 4 ? IndexType::i32 : IndexType::i64;
  };
  CsrView csr{pattern.rows,
              pattern.cols,
              {pattern.rowptr, static_cast<int64_t>(u(pattern.rows) + 1),
               type(pattern.positionBytes)},
              {pattern.colind, pattern.nnz, type(pattern.coordinateBytes)}};
  if (Status status = validateArrays(csr); !status)
    return status;
  Scratch memory(api, 1, sizeof(Findings));
  uint64_t rows = u(pattern.rows), nnz = u(pattern.nnz);
  uint64_t positionBytes = u(pattern.positionBytes),
           coordinateBytes = u(pattern.coordinateBytes);
  Findings found = {-1, -1, 0, pattern.nnz, 0, 0, 0, 0};
  if (memory && launch(images.validate, "initFindings", 1, 0, memory.data()) &&
      launch(images.validate, "findBadPosition", loopBlocks(rows), 0,
             pattern.rowptr, positionBytes, rows, memory.data()) &&
      launch(images.validate, "findBadColumn", loopBlocks(nnz), 0,
             pattern.colind, coordinateBytes, u(pattern.cols), nnz,
             memory.data()) &&
      launch(images.validate, "describeFindings", 1, 0, pattern.rowptr,
             positionBytes, rows, pattern.colind, coordinateBytes,
             memory.data()))
    api.download(&found, memory.data(), sizeof(found));
  if (found.first != 0)
    return badFirstPosition(found.first);
  if (found.badPosition >= 0)
    return badPosition(found.badPosition, found.before, found.at);
  if (found.last != pattern.nnz)
    return badLastPosition(found.last, pattern.nnz);
  if (found.badEntry >= 0)
    return badColumn(found.badEntry, found.row, found.column, pattern.cols);
  return Status::success();
}
