//===- AutosageAttrs.td - statistics, schedules, decisions -*- tablegen -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_ATTRS_TD
#define AUTOSAGE_ATTRS_TD

include "autosage/Dialect/Autosage/IR/AutosageEnums.td"
include "mlir/IR/AttrTypeBase.td"

class Autosage_Attr<string name, string attrMnemonic>
    : AttrDef<Autosage_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Autosage_LayoutAttr : Autosage_Attr<"Layout", "layout"> {
  let summary = "storage layout of a pattern";
  let description = [{
    Names the component arrays of a pattern, in order:

    | layout | arrays |
    |---|---|
    | `csr` | rowptr (rows + 1), colind (nnz) |
    | `tasks<chunk, order>` | rowptr, colind, tasks (n x 4: row, begin, end, split) |

    In `tasks`, rows longer than one and a half chunks are cut into pieces of at
    most `chunk` entries; `order` is `stored`, `length` or `locality`.

    Constraints:
    - (C1) `chunk` is at least 1.

    Example: `#autosage.layout<tasks<512, length>>`
  }];
  let parameters = (ins "LayoutKind":$kind, "int64_t":$chunk, "TaskOrder":$order);
  let assemblyFormat = "`<` custom<Layout>($kind, $chunk, $order) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static LayoutAttr getCsr(::mlir::MLIRContext *context);
    bool isCsr() const { return getKind() == LayoutKind::Csr; }
    /// Number of component arrays, without the number of columns.
    unsigned getNumArrays() const { return isCsr() ? 2 : 3; }
  }];
}

def Autosage_StatsAttr : Autosage_Attr<"Stats", "stats"> {
  let summary = "statistics of a pattern";
  let description = [{
    What the scheduler knows about a pattern (docs/statistics.md). Keys, all
    optional: the integers `rows`, `cols`, `nnz`, `max`, `p50`, `p90`, `p99`,
    `p999`, `empty_rows`; the numbers `mean`, `cv`, `hub_fraction`, `locality`;
    the string `fingerprint` of 32 hexadecimal digits.

    Constraints:
    - (C1) Every key is known and its value has the right kind.
    - (C2) Counts are not negative and numbers are finite and not negative.
    - (C3) `fingerprint` is 32 hexadecimal digits.

    Example: `#autosage.stats<max = 168, mean = 3.900000e+00 : f64, nnz = 10556, rows = 2708>`
  }];
  let parameters = (ins "::mlir::DictionaryAttr":$entries);
  let assemblyFormat = "`<` custom<Entries>($entries) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// All statistics, where at least rows, nnz, mean and max are there.
    std::optional<::autosage::InputStats> getInputStats() const;
    static StatsAttr get(::mlir::MLIRContext *context,
                         const ::autosage::InputStats &stats);
    std::optional<int64_t> getCount(::llvm::StringRef key) const;
    /// The entries of both; those of `other` win.
    StatsAttr mergedWith(StatsAttr other) const;
  }];
}

def Autosage_ScheduleAttr : Autosage_Attr<"Schedule", "schedule"> {
  let summary = "how an op runs";
  let description = [{
    A schedule family and its knobs. Families, knobs and their ranges are
    those of Core (`autosage/Core/Schedule.h`, docs/scheduling.md); the dialect
    knows none of them.

    Constraints:
    - (C1) The family is known.
    - (C2) Every knob is known to the family, is given once, is an integer or a
      keyword as the family says, and lies in its range.

    Example: `#autosage.schedule<row_parallel, tile = 64, vec = 16>`
  }];
  let parameters = (ins "::mlir::StringAttr":$family, "::mlir::DictionaryAttr":$knobs);
  let assemblyFormat = "`<` custom<Schedule>($family, $knobs) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::autosage::Schedule getSchedule() const;
    static ScheduleAttr get(::mlir::MLIRContext *context,
                            const ::autosage::Schedule &schedule);
  }];
}

def Autosage_DecisionAttr : Autosage_Attr<"Decision", "decision"> {
  let summary = "who chose a schedule, and the numbers behind it";
  let description = [{
    Written beside the schedule by whoever chose it: `user`, `cache`, `class`,
    `probe`, `estimate` or `fallback`, then any numbers, keywords and strings.

    Constraints:
    - (C1) Numbers are finite.

    Example: `#autosage.decision<estimate, rule = "row_parallel for every input">`
  }];
  let parameters = (ins "DecidedBy":$by, "::mlir::DictionaryAttr":$entries);
  let assemblyFormat = "`<` custom<Decision>($by, $entries) `>`";
  let genVerifyDecl = 1;
}

#endif // AUTOSAGE_ATTRS_TD
