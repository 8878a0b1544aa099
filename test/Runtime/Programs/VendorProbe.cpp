//===- VendorProbe.cpp - calls Vendor.h and says what came of it ----------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: vendor-probe info|call|plan|measure [key=value]...
//
// Keys: op, dtype, out (numbers of Vendor.h), bytes (of indices), alg, flags,
// features, padding, offset and run_offset (bytes that x, y, q and k lie past
// an address that is aligned, from the start or for the runs), scale, runs.
// Prints `result: right` or the error of the result, then the code and text of
// the thread's error.
//
//===----------------------------------------------------------------------===//

#include "../../unit/Runtime/VendorCase.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>

using namespace autosage::test;

static void printError() {
  const char *message = nullptr;
  int32_t code = autosage_device_take_error(&message);
  if (code)
    std::printf("error %d: %s\n", code, message);
}

static void printResult(VendorCase &test) {
  double error = test.error();
  if (error <= test.tolerance())
    std::printf("result: right\n");
  else
    std::printf("result: off by %g\n", error);
}

static int info() {
  autosage_vendor_info info = {};
  info.struct_size = sizeof info;
  info.version = AUTOSAGE_VENDOR_VERSION;
  if (autosage_vendor_get_info(&info) == AUTOSAGE_DEVICE_OK)
    std::printf("version %d from %s\n", info.cusparse_version, info.path);
  printError();
  return 0;
}

static void plan(VendorCase &test, int runs, int runOffset) {
  std::printf("-- create\n");
  autosage_vendor_plan *plan = nullptr;
  if (autosage_vendor_plan_create(&test.spec(), &test.operands(), nullptr,
                                  &plan) != AUTOSAGE_DEVICE_OK)
    return printError();
  std::printf(
      "workspace %lld\n",
      static_cast<long long>(autosage_vendor_plan_workspace_bytes(plan)));
  for (int run = 0; run < runs; ++run) {
    test.poison();
    std::printf("-- run\n");
    autosage_vendor_operands operands = test.operands();
    operands.left = static_cast<const char *>(operands.left) + runOffset;
    autosage_vendor_plan_run(plan, &operands);
    printError();
    printResult(test);
  }
  std::printf("-- destroy\n");
  autosage_vendor_plan_destroy(plan);
  printError();
}

static void measure(VendorCase &test, int runs) {
  double ms[2] = {}, planMs = -1;
  autosage_vendor_measure(&test.spec(), &test.operands(), nullptr, 1, 2, runs,
                          ms, &planMs);
  printError();
  std::printf("times %g %g, plan %s\n", ms[0], ms[1],
              planMs >= 0 ? "timed" : "not timed");
  printResult(test);
}

int main(int argc, char **argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "info")
    return info();
  VendorShape shape;
  shape.rows = 9;
  shape.cols = 7;
  shape.features = 4;
  shape.degree = 2;
  int runs = 1, runOffset = 0;
  for (int i = 2; i < argc; ++i) {
    std::string key(argv[i], std::strchr(argv[i], '='));
    const char *value = argv[i] + key.size() + 1;
    if (key == "op")
      shape.op = std::atoi(value);
    else if (key == "dtype")
      shape.dtype = shape.outType = std::atoi(value);
    else if (key == "out")
      shape.outType = std::atoi(value);
    else if (key == "bytes")
      shape.positionBytes = shape.coordinateBytes = std::atoi(value);
    else if (key == "position_bytes")
      shape.positionBytes = std::atoi(value);
    else if (key == "alg")
      shape.algorithm = std::atoi(value);
    else if (key == "flags")
      shape.flags = static_cast<uint32_t>(std::atoi(value));
    else if (key == "features")
      shape.features = std::atoi(value);
    else if (key == "padding")
      shape.padding = std::atoi(value);
    else if (key == "offset")
      shape.offset = std::atoi(value);
    else if (key == "run_offset")
      runOffset = std::atoi(value);
    else if (key == "scale")
      shape.scale = std::atof(value);
    else if (key == "runs")
      runs = std::atoi(value);
  }
  {
    VendorCase test(shape);
    printError();
    if (mode == "plan") {
      plan(test, runs, runOffset);
    } else if (mode == "measure") {
      measure(test, runs);
    } else {
      for (int run = 0; run < runs; ++run) {
        test.poison();
        std::printf("-- call\n");
        test.callOnce();
        printError();
        printResult(test);
      }
    }
    std::printf("-- end\n");
  }
  if (void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD))
    if (auto live = reinterpret_cast<int (*)()>(dlsym(driver, "fakeCudaLive")))
      std::printf("live allocations: %d\n", live());
  return 0;
}
