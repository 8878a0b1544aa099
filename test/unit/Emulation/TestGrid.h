//===- TestGrid.h - kernels in C++ for the emulator's tests -----*- C++ -*-===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel here is a function that calls what compiled kernels call.
//
//===----------------------------------------------------------------------===//

#ifndef AUTOSAGE_TEST_UNIT_EMULATION_TESTGRID_H
#define AUTOSAGE_TEST_UNIT_EMULATION_TESTGRID_H

#include "autosage/Emulation/Simt.h"

#include "gtest/gtest.h"

#include <string>
#include <vector>

namespace autosage::simt_test {

#define SIMT_TEXT_(x) #x
#define SIMT_TEXT(x) SIMT_TEXT_(x)
/// A text of this line, with an address of its own.
#define SITE                                                                   \
  ([]() -> const char * {                                                      \
    static const char text[] = "kernel.cpp:" SIMT_TEXT(__LINE__);              \
    return text;                                                               \
  }())

inline uint32_t tid() { return autosage_simt_register(AUTOSAGE_SIMT_TID_X); }
inline uint32_t lane() { return autosage_simt_register(AUTOSAGE_SIMT_LANEID); }
inline uint32_t ctaid() {
  return autosage_simt_register(AUTOSAGE_SIMT_CTAID_X);
}

constexpr int32_t all = AUTOSAGE_SIMT_CHECK_ALL;

template <typename T> T load(const T *p, const char *site) {
  autosage_simt_check_access(p, sizeof(T), all | AUTOSAGE_SIMT_READ, site);
  return *p;
}
template <typename T> void store(T *p, T value, const char *site) {
  autosage_simt_check_access(p, sizeof(T), all | AUTOSAGE_SIMT_WRITE, site);
  *p = value;
}
template <typename T> void atomicAdd(T *p, T value, const char *site) {
  autosage_simt_check_access(p, sizeof(T),
                             all | AUTOSAGE_SIMT_READ | AUTOSAGE_SIMT_WRITE |
                                 AUTOSAGE_SIMT_ATOMIC,
                             site);
  *p += value;
}

struct Shape {
  int64_t x = 1, y = 1, z = 1;
};

using Entry = void (*)(void *const *args);

struct Outcome {
  int32_t code = 0;
  std::string message;
};

/// Launches a kernel named `test_kernel` whose arguments are pointers.
inline Outcome launch(Entry entry, Shape grid, Shape block,
                      std::vector<void *> pointers, int64_t dynamicBytes = 0,
                      uint64_t staticBytes = 0) {
  autosage_simt_kernel kernels[] = {{"test_kernel", entry, staticBytes},
                                    {nullptr, nullptr, 0}};
  autosage_image image = {};
  image.struct_size = sizeof(image);
  image.version = AUTOSAGE_DEVICE_VERSION;
  image.kind = AUTOSAGE_IMAGE_SIMT;
  image.name = "test_module";
  image.data = kernels;
  image.size = sizeof(kernels);
  std::vector<void *> args;
  for (void *&pointer : pointers)
    args.push_back(&pointer);
  int32_t code = autosage_simt_launch_kernel(
      &image, "test_kernel", grid.x, grid.y, grid.z, block.x, block.y, block.z,
      dynamicBytes, args.data(), static_cast<int64_t>(args.size()));
  Outcome outcome;
  const char *message = nullptr;
  outcome.code = autosage_simt_take_error(&message);
  outcome.message = message;
  EXPECT_EQ(code, outcome.code);
  return outcome;
}

template <typename T> T *arg(void *const *args, int i) {
  return *static_cast<T **>(args[i]);
}

/// A buffer that kernels may access, for a scope.
template <typename T> class Registered {
public:
  Registered(std::vector<T> &values, const char *name, bool readOnly = false)
      : data(values.data()) {
    EXPECT_EQ(autosage_simt_register_buffer(
                  data, static_cast<int64_t>(values.size() * sizeof(T)), name,
                  readOnly),
              0);
  }
  ~Registered() { autosage_simt_unregister_buffer(data); }

private:
  T *data;
};

} // namespace autosage::simt_test

#endif // AUTOSAGE_TEST_UNIT_EMULATION_TESTGRID_H
