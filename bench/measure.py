# ===- measure.py - checks and times the contestants of one problem -----===#
#
# Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Every contestant's result is compared with the f64 reference before its time
# counts. Then all take turns, round after round, so that whatever the machine does
# meanwhile hits all of them; who comes first moves on by one each round. A turn
# begins with calls that are not counted: caches and threads are then as after the
# contestant's own last call, not after its predecessor's.
#
# ===----------------------------------------------------------------------===#
import statistics
from dataclasses import dataclass

from native import Unavailable

# Relative error of the whole result in norm: rows of ten thousand f32 products
# added one after another stay below it.
TOLERANCE = 1e-5
WARM_SECONDS = 0.005


@dataclass
class Effort:
    rounds: int
    seconds: float  # a contestant's turn, at least; never less than one call


def prepare_all(contestants, problem):
    """Calls of those that can, and outcomes of the others."""
    calls, outcomes = {}, {}
    for contestant in contestants:
        try:
            call = contestant.prepare(problem)
        except Unavailable as reason:
            outcomes[contestant.name] = {"skipped": str(reason)}
            continue
        error = problem.error(call.result())
        # Written so that NaN fails.
        if error <= TOLERANCE:
            calls[contestant.name] = call
            outcomes[contestant.name] = {"rel_err": error, **call.facts}
        else:
            call.close()
            outcomes[contestant.name] = {"failed": True, "rel_err": repr(error), **call.facts}
    return calls, outcomes


def take_turn(call, seconds):
    call.time(WARM_SECONDS)
    return call.time(seconds)


def measure(contestants, problem, effort):
    """Per contestant: median over rounds of a round's median, and the least time."""
    calls, outcomes = prepare_all(contestants, problem)
    medians = {name: [] for name in calls}
    least = {name: float("inf") for name in calls}
    made = dict.fromkeys(calls, 0)
    order = list(calls)
    for _ in range(effort.rounds):
        for name in order:
            times = take_turn(calls[name], effort.seconds)
            medians[name].append(statistics.median(times))
            least[name] = min(least[name], *times)
            made[name] += len(times)
        order = order[1:] + order[:1]
    for name, call in calls.items():
        outcomes[name].update(
            ms=1e3 * statistics.median(medians[name]),
            min_ms=1e3 * float(least[name]),
            round_ms=[1e3 * float(median) for median in medians[name]],
            calls=made[name],
        )
        call.close()
    return outcomes
