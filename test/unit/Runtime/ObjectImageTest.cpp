//===- ObjectImageTest.cpp - objects that are damaged ---------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel cache's checksum keeps damaged objects away; the loader takes any
// bytes all the same, without reading or writing past what it owns, which the
// sanitizers see. What it accepts is not run, since it need not be right.
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Runtime/Kernel/ObjectImage.h"
#include "../../../lib/Runtime/Kernel/CompilerLibrary.h"

#include "autosage/Core/Artifact.h"

#include <gtest/gtest.h>

#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <random>

using namespace autosage;
using namespace autosage::runtime;

static void *resolve(const char *name) {
  if (void *own = functionOfThisLibrary(name))
    return own;
  return dlsym(RTLD_DEFAULT, name);
}

static auto load(std::string_view object) {
  return ObjectImage::load(object, resolve, artifactEntry);
}

/// An object of the compile service.
static const std::string &wholeObject() {
  static const std::string object = [] {
    KernelSpec spec;
    spec.op = OpKind::attention;
    spec.features = spec.valueFeatures = 8;
    Result<std::string> bytes =
        compileKernel("", spec, Target::cpu, "", "", "");
    EXPECT_TRUE(bytes) << bytes.error();
    if (!bytes)
      return std::string();
    Result<Artifact> artifact = parseArtifact(*bytes);
    EXPECT_TRUE(artifact) << artifact.error();
    return artifact ? artifact->object : std::string();
  }();
  return object;
}

/// A copy in memory of just its size, so that a sanitizer sees what is read
/// past the end.
static bool isAccepted(const std::string &object) {
  std::unique_ptr<char[]> exact(new char[object.size()]);
  std::memcpy(exact.get(), object.data(), object.size());
  auto image = load({exact.get(), object.size()});
  if (!image) {
    EXPECT_NE(image.error(), "");
    return false;
  }
  EXPECT_NE((*image)->entry(), nullptr);
  return true;
}

TEST(ObjectImage, WholeObjectsAreLoaded) {
  ASSERT_FALSE(wholeObject().empty());
  EXPECT_TRUE(isAccepted(wholeObject()));
  auto none = ObjectImage::load(wholeObject(), resolve, "no_such_function");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().find("no function 'no_such_function'"),
            std::string::npos);
}

TEST(ObjectImage, WhatTheObjectCallsHasToBeThere) {
  auto image = ObjectImage::load(
      wholeObject(), [](const char *) -> void * { return nullptr; },
      artifactEntry);
  ASSERT_FALSE(image);
  EXPECT_NE(image.error().find("that a kernel calls, got none of that name"),
            std::string::npos)
      << image.error();
}

TEST(ObjectImage, NoPrefixIsLoaded) {
  const std::string &whole = wholeObject();
  ASSERT_FALSE(whole.empty());
  std::mt19937_64 engine(1);
  auto expectRefused = [&](size_t size) {
    EXPECT_FALSE(isAccepted(whole.substr(0, size))) << size << " bytes";
  };
  for (size_t size = 0; size < 256; ++size)
    expectRefused(size);
  for (size_t left = 1; left < 256; ++left)
    expectRefused(whole.size() - left);
  for (int i = 0; i < 1000; ++i)
    expectRefused(engine() % whole.size());
}

TEST(ObjectImage, DamagedObjectsAreRefusedOrLoadedWithinBounds) {
  const std::string &whole = wholeObject();
  ASSERT_FALSE(whole.empty());
  Elf64_Ehdr header;
  std::memcpy(&header, whole.data(), sizeof header);
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  std::memcpy(sections.data(), whole.data() + header.e_shoff,
              sections.size() * sizeof(Elf64_Shdr));
  // The parts whose numbers the loader goes by: headers, symbols, relocations.
  std::vector<std::pair<size_t, size_t>> places = {
      {0, sizeof header},
      {header.e_shoff, sections.size() * sizeof(Elf64_Shdr)}};
  for (const Elf64_Shdr &section : sections)
    if (section.sh_size &&
        (section.sh_type == SHT_SYMTAB || section.sh_type == SHT_RELA ||
         section.sh_type == SHT_STRTAB))
      places.emplace_back(section.sh_offset, section.sh_size);
  ASSERT_GE(places.size(), 5u);

  std::mt19937_64 engine(2);
  static const uint64_t numbers[] = {
      0,          1,          0x7f,       0xff,       0x7fff,
      0xffff,     0x7fffffff, 0x80000000, 0xffffffff, 1ull << 31,
      1ull << 63, ~0ull,      ~0ull - 7,  1ull << 40, 4095};
  int accepted = 0, refused = 0;
  for (int round = 0; round < 6000; ++round) {
    std::string object = whole;
    for (uint64_t changes = 1 + engine() % 4; changes > 0; --changes) {
      auto [begin, size] = places[engine() % places.size()];
      if (engine() % 8 == 0) {
        begin = 0;
        size = whole.size();
      }
      size_t at = begin + engine() % size;
      if (engine() % 2) {
        object[at] = static_cast<char>(object[at] ^ (1 << engine() % 8));
        continue;
      }
      uint64_t number = numbers[engine() % std::size(numbers)];
      size_t bytes = size_t{1} << engine() % 4;
      at -= at % bytes; // fields are aligned
      std::memcpy(object.data() + at, &number,
                  std::min(bytes, object.size() - at));
    }
    ++(isAccepted(object) ? accepted : refused);
  }
  // Both happen, or the changes are not what the loader looks at.
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 100);
}
