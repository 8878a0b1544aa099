//===- BuildModule.cpp - a kernel's spec as MLIR text ---------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The module is written as text and parsed again: what runs is what
// `autosage-run --emit-mlir` shows, and it stays readable.
//
//===----------------------------------------------------------------------===//

#include "BuildModule.h"

#include "autosage/Core/KernelArguments.h"

#include <cstdio>

using namespace autosage;
using namespace autosage::compiler;

namespace {

/// Writes one module. Values have the name of their argument; the tensor of an
/// output buffer `%y` is `%y_init`. Inputs that are strided or aligned are
/// buffers, `%x_buffer`, which a promised alignment makes `%x_aligned`.
class ModuleWriter {
public:
  ModuleWriter(const KernelSpec &spec, std::string function)
      : spec(spec), function(std::move(function)),
        arguments(signatureOf(spec)) {}

  std::string write();

private:
  const KernelSpec &spec;
  std::string function;
  std::vector<Argument> arguments;
  std::string text;

  void line(const std::string &s) { text += "  " + s + "\n"; }
  const Argument *find(ArgumentKind kind) const;

  std::string shape(const Argument &arg) const;
  std::string tensor(const Argument &arg) const;
  std::string buffer(const Argument &arg) const;
  bool isStrided(const Argument &arg) const;
  bool isBuffer(const Argument &arg) const;
  std::string bufferName(const Argument &arg) const;

  void writeFunction();
  void writePattern();
  void writeTensors();
  void writeOp();
  void writeComposed();
  std::string finishScores();
  void writeResults(
      const std::vector<std::pair<std::string, const Argument *>> &results);

  std::string edgeValues() const;
  std::string schedule() const;
  std::string attributes() const;
  std::string patternType() const;
  std::string tensorOf(ArgumentKind kind) const { return tensor(*find(kind)); }
};

} // namespace

//===----------------------------------------------------------------------===//
// Literals and types
//===----------------------------------------------------------------------===//

/// A float literal of MLIR: it needs a point, which `%g` may leave out.
static std::string floatLiteral(double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g", value);
  std::string shorter;
  for (int digits = 1; digits < 17; ++digits) {
    char trial[40];
    std::snprintf(trial, sizeof trial, "%.*g", digits, value);
    if (std::strtod(trial, nullptr) == value) {
      shorter = trial;
      break;
    }
  }
  std::string s = shorter.empty() ? buffer : shorter;
  if (s.find('.') == std::string::npos) {
    size_t exponent = s.find('e');
    s.insert(exponent == std::string::npos ? s.size() : exponent, ".0");
  }
  return s;
}

static std::string dim(int64_t size) {
  return size == dynamic ? "?" : std::to_string(size);
}

const Argument *ModuleWriter::find(ArgumentKind kind) const {
  for (const Argument &arg : arguments)
    if (arg.kind == kind)
      return &arg;
  return nullptr;
}

std::string ModuleWriter::shape(const Argument &arg) const {
  // `vec` has its heads first, which may be known; all else begins with a size
  // of the graph.
  int64_t first = dynamic;
  if (arg.extent == Extent::heads)
    first = spec.heads == 0 ? 1 : spec.heads;
  std::string s = dim(first) + "x";
  for (int64_t size : arg.inner)
    s += dim(size) + "x";
  if (arg.kind == ArgumentKind::rowptr ||
      arg.kind == ArgumentKind::transposedRowptr ||
      arg.kind == ArgumentKind::permutation)
    return s + std::string(toString(spec.rowptrType));
  if (arg.kind == ArgumentKind::colind ||
      arg.kind == ArgumentKind::transposedColind)
    return s + std::string(toString(spec.colindType));
  return s + std::string(toString(arg.dtype));
}

std::string ModuleWriter::tensor(const Argument &arg) const {
  return "tensor<" + shape(arg) + ">";
}

bool ModuleWriter::isStrided(const Argument &arg) const {
  return spec.strided && arg.hasWidth && arg.extent != Extent::heads;
}

/// Whether the argument is a buffer: all that is said of it is not lost to a
/// tensor.
bool ModuleWriter::isBuffer(const Argument &arg) const {
  return arg.output || isStrided(arg) || isAligned(spec, arg);
}

/// The name of the argument that is a buffer, as its readers know it.
std::string ModuleWriter::bufferName(const Argument &arg) const {
  std::string name = "%" + std::string(arg.name);
  if (isAligned(spec, arg))
    return name + "_aligned";
  return arg.output ? name : name + "_buffer";
}

std::string ModuleWriter::buffer(const Argument &arg) const {
  if (!isStrided(arg))
    return "memref<" + shape(arg) + ">";
  std::string strides = "?, ";
  if (arg.hasHeads)
    strides += dim(arg.inner.back()) + ", ";
  return "memref<" + shape(arg) + ", strided<[" + strides + "1]>>";
}

std::string ModuleWriter::patternType() const {
  return "<?x?, " + std::string(toString(spec.rowptrType)) + ", " +
         std::string(toString(spec.colindType)) + ">";
}

//===----------------------------------------------------------------------===//
// Clauses
//===----------------------------------------------------------------------===//

std::string ModuleWriter::edgeValues() const {
  const Argument *w = find(ArgumentKind::edgeValues);
  return w ? "%p[%w : " + tensor(*w) + "]" : "%p";
}

std::string ModuleWriter::schedule() const {
  return spec.schedule ? " schedule<" + spec.schedule->str() + ">" : "";
}

std::string ModuleWriter::attributes() const {
  std::vector<std::string> entries;
  if (spec.accumulate)
    entries.push_back("accumulate");
  if (spec.transpose)
    entries.push_back("transpose");
  if (spec.scale != 1.0)
    entries.push_back("scale = " + floatLiteral(spec.scale) + " : f64");
  bool leaky = isAttention(spec.op) && spec.score != Score::dot;
  if (leaky)
    entries.push_back("negative_slope = " + floatLiteral(spec.negativeSlope) +
                      " : f64");
  if (entries.empty())
    return "";
  std::string s = " {";
  for (size_t i = 0; i < entries.size(); ++i)
    s += (i ? ", " : "") + entries[i];
  return s + "}";
}

static std::string statistics(const InputStats &s) {
  return "stats<rows = " + std::to_string(s.rows) +
         ", cols = " + std::to_string(s.cols) +
         ", nnz = " + std::to_string(s.nnz) +
         ", mean = " + floatLiteral(s.mean) +
         ", max = " + std::to_string(s.max) + ", cv = " + floatLiteral(s.cv) +
         ", p50 = " + std::to_string(s.p50) +
         ", p90 = " + std::to_string(s.p90) +
         ", p99 = " + std::to_string(s.p99) +
         ", p999 = " + std::to_string(s.p999) +
         ", empty_rows = " + std::to_string(s.emptyRows) +
         ", hub_fraction = " + floatLiteral(s.hubFraction) +
         ", locality = " + floatLiteral(s.locality) + ", fingerprint = \"" +
         s.fingerprint.str() + "\">";
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

void ModuleWriter::writeFunction() {
  text += "func.func @" + function + "(";
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument &arg = arguments[i];
    if (i)
      text += ", ";
    text += "%" + std::string(arg.name);
    if (arg.kind == ArgumentKind::columns)
      text += ": index";
    else if (arg.output)
      text += ": " + buffer(arg);
    else if (isBuffer(arg))
      text += "_buffer: " + buffer(arg);
    else
      text += ": " + tensor(arg);
  }
  text += ") attributes {llvm.emit_c_interface} {\n";
}

void ModuleWriter::writePattern() {
  std::string stats = spec.stats ? " " + statistics(*spec.stats) : "";
  line("%p = autosage.pattern %rowptr, %colind, %n_cols" + stats + " : " +
       tensorOf(ArgumentKind::rowptr) + ", " + tensorOf(ArgumentKind::colind) +
       " -> " + patternType());
}

void ModuleWriter::writeTensors() {
  for (const Argument &arg : arguments) {
    std::string name(arg.name);
    std::string types = " : " + buffer(arg) + " to " + tensor(arg);
    if (!isBuffer(arg))
      continue;
    if (isAligned(spec, arg))
      line(bufferName(arg) + " = memref.assume_alignment %" + name +
           (arg.output ? ", " : "_buffer, ") + std::to_string(alignedBytes) +
           " : " + buffer(arg));
    if (arg.output)
      line("%" + name + "_init = bufferization.to_tensor " + bufferName(arg) +
           " restrict writable" + types);
    else
      line("%" + name + " = bufferization.to_tensor " + bufferName(arg) +
           " restrict" + types);
  }
}

void ModuleWriter::writeResults(
    const std::vector<std::pair<std::string, const Argument *>> &results) {
  for (const auto &[value, arg] : results)
    line("bufferization.materialize_in_destination " + value +
         " in restrict writable " + bufferName(*arg) + " : (" + tensor(*arg) +
         ", " + buffer(*arg) + ") -> ()");
}

void ModuleWriter::writeOp() {
  std::string pattern = "!autosage.pattern" + patternType();
  std::string mnemonic = "autosage." + std::string(toString(spec.op));
  std::string operands, types;
  switch (spec.op) {
  case OpKind::spmm:
    mnemonic += " " + std::string(toString(spec.reduction));
    operands = ", %x";
    types = ", " + tensorOf(ArgumentKind::x);
    break;
  case OpKind::sddmm:
    mnemonic += " " + std::string(toString(spec.combine));
    operands = ", %q, %k";
    types = ", " + tensorOf(ArgumentKind::q) + ", " + tensorOf(ArgumentKind::k);
    break;
  case OpKind::row_softmax:
    break;
  case OpKind::attention:
  case OpKind::attention_backward:
    mnemonic += " " + std::string(toString(spec.score));
    operands = ", %q, %k, %v";
    types = ", " + tensorOf(ArgumentKind::q) + ", " +
            tensorOf(ArgumentKind::k) + ", " + tensorOf(ArgumentKind::v);
    if (find(ArgumentKind::vec))
      operands += " vec(%a : " + tensorOf(ArgumentKind::vec) + ")";
    if (spec.op == OpKind::attention)
      break;
    operands += " from(%o, %lse, %d_o)";
    if (spec.transposeGiven)
      operands += " transposed(%t_rowptr, %t_colind, %t_perm : " +
                  tensorOf(ArgumentKind::transposedRowptr) + ", " +
                  tensorOf(ArgumentKind::transposedColind) + ", " +
                  tensorOf(ArgumentKind::permutation) + ")";
    types += ", " + tensorOf(ArgumentKind::o) + ", " +
             tensorOf(ArgumentKind::lse) + ", " + tensorOf(ArgumentKind::dO);
    break;
  }
  std::string outs, results, resultTypes;
  std::vector<std::pair<std::string, const Argument *>> values;
  for (const Argument &arg : arguments) {
    if (!arg.output)
      continue;
    std::string comma = values.empty() ? "" : ", ";
    std::string name(arg.name);
    std::string result = "%" + name + "_result";
    if (arg.kind == ArgumentKind::out || arg.kind == ArgumentKind::lse)
      result = arg.kind == ArgumentKind::out ? "%r" : "%l";
    outs += comma + "%" + name + "_init";
    results += comma + result;
    resultTypes += comma + tensor(arg);
    values.push_back({result, &arg});
  }
  line(results + " = " + mnemonic + " " + edgeValues() + operands + " outs(" +
       outs + ")" + schedule() + attributes() + " : " + pattern + types +
       " -> " + resultTypes);
  writeResults(values);
}

/// The name of leaky_relu(%s) * scale + %w, which is written in place.
std::string ModuleWriter::finishScores() {
  const Argument &scores = *find(ArgumentKind::workspace);
  const Argument *bias = find(ArgumentKind::edgeValues);
  std::string type = tensor(scores), element(toString(spec.dtype));
  bool hasHeads = type.find('x') != type.rfind('x'); // ?x or ?xHx
  std::string dims = hasHeads ? "(d0, d1)" : "(d0)";
  std::string identity = "affine_map<" + dims + " -> " + dims + ">";
  std::string maps = identity, inputs = "%s", types = type, arguments;
  if (bias) {
    std::string biasDims = spec.edgeValues == EdgeValues::perHead  ? dims
                           : spec.edgeValues == EdgeValues::column ? "(d0, 0)"
                                                                   : "(d0)";
    maps += ", affine_map<" + dims + " -> " + biasDims + ">";
    inputs += ", %w";
    types += ", " + tensor(*bias);
    arguments = ", %bias: " + element;
  }
  line("%logits = linalg.generic {indexing_maps = [" + maps + ", " + identity +
       "], iterator_types = [\"parallel\"" +
       (hasHeads ? ", \"parallel\"" : "") + "]} ins(" + inputs + " : " + types +
       ") outs(%s : " + type + ") {");
  line("^bb0(%score: " + element + arguments + ", %old: " + element + "):");
  std::string last = "%score";
  auto constant = [&](const std::string &name, double value) {
    line("  " + name + " = arith.constant " + floatLiteral(value) + " : " +
         element);
  };
  auto step = [&](const std::string &name, const std::string &what) {
    line("  " + name + " = " + what + " : " + element);
    last = name;
  };
  if (spec.score == Score::gat) {
    constant("%zero", 0);
    constant("%slope", spec.negativeSlope);
    line("  %positive = arith.cmpf oge, %score, %zero : " + element);
    step("%less", "arith.mulf %score, %slope");
    step("%leaky", "arith.select %positive, %score, %less");
  }
  if (spec.scale != 1.0) {
    constant("%scale", spec.scale);
    step("%scaled", "arith.mulf " + last + ", %scale");
  }
  if (bias)
    step("%biased", "arith.addf " + last + ", %bias");
  line("  linalg.yield " + last + " : " + element);
  line("} -> " + type);
  return "%logits";
}

void ModuleWriter::writeComposed() {
  // Without more, the scale goes with the softmax: one multiplication an edge
  // either way, and the scores keep their own name in the IR.
  bool isPlain =
      spec.score == Score::dot && spec.edgeValues == EdgeValues::none;
  std::string pattern = "!autosage.pattern" + patternType();
  std::string s = tensorOf(ArgumentKind::workspace);
  const Argument *out = find(ArgumentKind::out);
  line("%s = autosage.sddmm " +
       std::string(spec.score == Score::dot ? "dot" : "add") +
       " %p, %q, %k outs(%scores_init)" + schedule() + " : " + pattern + ", " +
       tensorOf(ArgumentKind::q) + ", " + tensorOf(ArgumentKind::k) + " -> " +
       s);
  std::string logits = isPlain ? "%s" : finishScores();
  line("%weights = autosage.row_softmax %p[" + logits + " : " + s + "] outs(" +
       logits + ")" + schedule() + (isPlain ? attributes() : "") + " : " +
       pattern + " -> " + s);
  line("%r = autosage.spmm sum %p[%weights : " + s + "], %v outs(%out_init)" +
       schedule() + " : " + pattern + ", " + tensorOf(ArgumentKind::v) +
       " -> " + tensor(*out));
  writeResults({{"%r", out}});
}

std::string ModuleWriter::write() {
  writeFunction();
  writePattern();
  writeTensors();
  if (spec.composed && spec.op == OpKind::attention)
    writeComposed();
  else
    writeOp();
  line("return");
  return std::move(text) + "}\n";
}

std::string compiler::buildModule(const KernelSpec &spec) {
  return buildFunction(spec, "main");
}

std::string compiler::buildFunction(const KernelSpec &spec,
                                    const std::string &function) {
  return ModuleWriter(spec, function).write();
}
