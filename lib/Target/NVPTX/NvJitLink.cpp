//===- NvJitLink.cpp - PTX to cubin in this process -----------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nvJitLink (NVIDIA nvJitLink documentation) by dlopen: its functions are
// exported under plain names beside the versioned ones that the header calls.
//
//===----------------------------------------------------------------------===//

#include "Toolkit.h"

#include "llvm/ADT/ScopeExit.h"

#include <dlfcn.h>

using namespace mlir::autosage;
using ::autosage::Error;
using ::autosage::Result;

namespace {
using Handle = struct nvJitLink *;
constexpr int inputPtx = 2; // NVJITLINK_INPUT_PTX

struct Functions {
  int (*version)(unsigned *, unsigned *) = nullptr;
  int (*create)(Handle *, uint32_t, const char *const *) = nullptr;
  int (*destroy)(Handle *) = nullptr;
  int (*addData)(Handle, int, const void *, size_t, const char *) = nullptr;
  int (*complete)(Handle) = nullptr;
  int (*cubinSize)(Handle, size_t *) = nullptr;
  int (*cubin)(Handle, void *) = nullptr;
  int (*errorLogSize)(Handle, size_t *) = nullptr;
  int (*errorLog)(Handle, char *) = nullptr;

  bool bind(void *library) {
    auto find = [&](auto &function, const char *name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(
          dlsym(library, name));
      return function != nullptr;
    };
    return find(version, "nvJitLinkVersion") &&
           find(create, "nvJitLinkCreate") &&
           find(destroy, "nvJitLinkDestroy") &&
           find(addData, "nvJitLinkAddData") &&
           find(complete, "nvJitLinkComplete") &&
           find(cubinSize, "nvJitLinkGetLinkedCubinSize") &&
           find(cubin, "nvJitLinkGetLinkedCubin") &&
           find(errorLogSize, "nvJitLinkGetErrorLogSize") &&
           find(errorLog, "nvJitLinkGetErrorLog");
  }
};

class NvJitLink : public PtxAssembler {
public:
  explicit NvJitLink(Functions functions) : fn(functions) {}

  Result<std::string> assemble(llvm::StringRef ptx,
                               llvm::StringRef chip) override;
  std::string name() const override {
    unsigned major = 0, minor = 0;
    fn.version(&major, &minor);
    return "nvJitLink " + std::to_string(major) + "." + std::to_string(minor);
  }

private:
  Functions fn;
};
} // namespace

Result<std::string> NvJitLink::assemble(llvm::StringRef ptx,
                                        llvm::StringRef chip) {
  std::string arch = ("-arch=" + chip).str();
  const char *options[] = {arch.c_str()};
  Handle handle = nullptr;
  auto failure = [&](const char *what, int code) {
    std::string text =
        name() + ": " + what + " failed with code " + std::to_string(code);
    size_t size = 0;
    if (handle && fn.errorLogSize(handle, &size) == 0 && size > 1) {
      std::string log(size, '\0');
      if (fn.errorLog(handle, log.data()) == 0)
        text += ": " + llvm::StringRef(log.c_str()).trim().str();
    }
    return Error{text};
  };
  if (int code = fn.create(&handle, 1, options))
    return failure("nvJitLinkCreate", code);
  auto destroy = llvm::scope_exit([&] { fn.destroy(&handle); });
  if (int code =
          fn.addData(handle, inputPtx, ptx.data(), ptx.size() + 1, "autosage"))
    return failure("nvJitLinkAddData", code);
  if (int code = fn.complete(handle))
    return failure("nvJitLinkComplete", code);
  size_t size = 0;
  if (int code = fn.cubinSize(handle, &size))
    return failure("nvJitLinkGetLinkedCubinSize", code);
  std::string cubin(size, '\0');
  if (int code = fn.cubin(handle, cubin.data()))
    return failure("nvJitLinkGetLinkedCubin", code);
  return cubin;
}

std::unique_ptr<PtxAssembler> nvptx::makeNvJitLink() {
  static const char *const names[] = {"libnvJitLink.so.13",
                                      "libnvJitLink.so.12", "libnvJitLink.so"};
  auto open = [](const char *name, int flags) -> std::unique_ptr<PtxAssembler> {
    Functions functions;
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL | flags);
    if (library && functions.bind(library))
      return std::make_unique<NvJitLink>(functions);
    return nullptr;
  };
  for (const char *name : names)
    if (auto loaded = open(name, RTLD_NOLOAD))
      return loaded;
  if (toolkit().root.empty())
    return nullptr;
  for (const std::string &file : toolkit().libraries(names))
    if (auto loaded = open(file.c_str(), 0))
      return loaded;
  // Distributions keep it apart from the rest of the toolkit.
  if (toolkit().ptxas.empty())
    return nullptr;
  for (const char *name : names)
    if (auto loaded = open(name, 0))
      return loaded;
  return nullptr;
}
