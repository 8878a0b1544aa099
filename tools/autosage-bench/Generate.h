//===- Generate.h - graphs of the experiments -------------------*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Seeded patterns with i32 indices, columns distinct and ascending within each
// row. Every row draws from a stream of its own, so that a graph depends on its
// arguments alone, never on the number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TOOLS_BENCH_GENERATE_H
#define AUTOSAGE_TOOLS_BENCH_GENERATE_H

#include "autosage/Core/Csr.h"

namespace autosage::bench {

/// G(n, p), directed, loops allowed.
Csr erdosRenyi(int64_t n, double p, uint64_t seed);

/// What the AutoSAGE paper's code calls synthhub:N:HUBS:FRACTION. Rows 0 to
/// hubs - 1 have floor(n * fraction) distinct random columns each; n / 2 random
/// entries come on top, and repeats are dropped.
Csr hubSkew(int64_t n, int64_t hubs, double fraction, uint64_t seed);

/// Rows of `degree` entries, of which `hubs` at random places have `hubDegree`
/// instead; columns are uniform.
Csr hubRows(int64_t n, int64_t degree, int64_t hubs, int64_t hubDegree,
            uint64_t seed);

/// A stand-in for a social or co-purchase graph.
struct Communities {
  int64_t nodes, entries, maxDegree, communities;
  /// The part of a row's entries that is drawn from its own community.
  double within;
};

/// A degree-corrected block model with exactly these sizes. Degrees follow a
/// shifted power law that has the mean and the maximum; an entry of row i is,
/// with probability `within`, a node of the community of i, else any node, in
/// proportion to degrees either way. Rows that their community cannot fill take
/// the rest from everywhere. Node numbers say nothing of the community. What
/// real graphs have besides is missing: symmetry, triangles, their numbering.
Csr communityGraph(const Communities &shape, uint64_t seed);

} // namespace autosage::bench

#endif // AUTOSAGE_TOOLS_BENCH_GENERATE_H
