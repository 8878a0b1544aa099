//===- Machine.cpp - what host code may depend on -------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words from which LLVM derives CPU and features, without deriving them.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <cstdio>
#include <cstring>

static std::string describe() {
#if defined(__x86_64__)
  std::string text = "x86_64";
  auto add = [&](unsigned word) {
    char digits[12];
    std::snprintf(digits, sizeof digits, " %08x", word);
    text += digits;
  };
  unsigned a, b, c, d;
  if (__get_cpuid(0, &a, &b, &c, &d)) // the maker
    for (unsigned word : {b, c, d})
      add(word);
  bool hasXsave = false;
  if (__get_cpuid(1, &a, &b, &c, &d)) { // model and features; b has the core
    for (unsigned word : {a, c, d})
      add(word);
    hasXsave = c & bit_OSXSAVE;
  }
  for (unsigned leaf : {0u, 1u})
    if (__get_cpuid_count(7, leaf, &a, &b, &c, &d))
      for (unsigned word : {a, b, c, d})
        add(word);
  if (__get_cpuid(0x80000001, &a, &b, &c, &d))
    for (unsigned word : {c, d})
      add(word);
  if (hasXsave) { // registers that the operating system saves
    unsigned low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    add(low);
  }
  return text;
#else
  return "unknown";
#endif
}

const std::string &autosage::runtime::machineText() {
  static const std::string text = describe();
  return text;
}

static std::string nameItself() {
#if defined(__x86_64__)
  char text[49] = {};
  unsigned words[12] = {};
  for (unsigned i = 0; i < 3; ++i)
    if (!__get_cpuid(0x80000002u + i, &words[4 * i], &words[4 * i + 1],
                     &words[4 * i + 2], &words[4 * i + 3]))
      return "unknown";
  std::memcpy(text, words, sizeof words);
  std::string name;
  for (const char *c = text; *c; ++c)
    if (*c != ' ' || (!name.empty() && name.back() != ' '))
      name += static_cast<unsigned char>(*c) < 0x20 ? '?' : *c;
  while (!name.empty() && name.back() == ' ')
    name.pop_back();
  return name.empty() ? "unknown" : name;
#else
  return "unknown";
#endif
}

const std::string &autosage::runtime::machineName() {
  static const std::string name = nameItself();
  return name;
}
