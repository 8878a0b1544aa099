//===- Toolkit.cpp - where the CUDA toolkit is ----------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Toolkit.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace mlir::autosage;
using ::autosage::Error;
using ::autosage::Result;
namespace path = llvm::sys::path;
namespace fs = llvm::sys::fs;

static std::string join(llvm::StringRef a, llvm::StringRef b,
                        llvm::StringRef c) {
  llvm::SmallString<128> joined(a);
  path::append(joined, b, c);
  return std::string(joined);
}

std::string nvptx::Toolkit::program(llvm::StringRef name) const {
  if (root.empty())
    return {};
  std::string file = join(root, "bin", name);
  return fs::can_execute(file) ? file : std::string();
}

std::vector<std::string>
nvptx::Toolkit::libraries(llvm::ArrayRef<const char *> names) const {
  std::vector<std::string> found;
  if (root.empty())
    return found;
  for (const char *name : names)
    for (const char *folder :
         {"lib64", "lib", "targets/x86_64-linux/lib", "lib/x86_64-linux-gnu"})
      if (std::string file = join(root, folder, name); fs::exists(file)) {
        found.push_back(std::move(file));
        break;
      }
  return found;
}

const nvptx::Toolkit &nvptx::toolkit() {
  static const Toolkit found = [] {
    Toolkit kit;
    for (const char *variable :
         {"AUTOSAGE_CUDA_TOOLKIT", "CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"})
      if (const char *value = std::getenv(variable); value && *value) {
        kit.root = value;
        break;
      }
    if (kit.root.empty()) {
      // Only the PATH: a fixed folder would make it impossible to say that
      // there is no toolkit.
      if (llvm::ErrorOr<std::string> ptxas =
              llvm::sys::findProgramByName("ptxas"))
        kit.root = path::parent_path(path::parent_path(*ptxas)).str();
    }
    kit.ptxas = kit.program("ptxas");
    return kit;
  }();
  return found;
}

namespace {
/// A temporary file, gone at the end.
struct TemporaryFile {
  llvm::SmallString<128> name;
  int descriptor = -1;

  std::error_code create(llvm::StringRef suffix) {
    return fs::createTemporaryFile("autosage", suffix, descriptor, name);
  }
  ~TemporaryFile() {
    if (!name.empty())
      fs::remove(name);
  }
};
} // namespace

Result<std::string> nvptx::runProgram(
    llvm::StringRef program,
    llvm::ArrayRef<std::pair<std::string, llvm::StringRef>> inputs,
    llvm::function_ref<std::vector<std::string>(llvm::ArrayRef<std::string>,
                                                llvm::StringRef)>
        arguments) {
  auto failure = [](std::error_code error) {
    return Error{"cannot write a temporary file: " + error.message()};
  };
  std::vector<std::unique_ptr<TemporaryFile>> files;
  std::vector<std::string> inputPaths;
  for (const auto &[suffix, text] : inputs) {
    auto &file = *files.emplace_back(std::make_unique<TemporaryFile>());
    if (std::error_code error = file.create(suffix))
      return failure(error);
    llvm::raw_fd_ostream stream(file.descriptor, /*shouldClose=*/true);
    stream << text;
    stream.close();
    if (stream.has_error()) {
      std::error_code error = stream.error();
      stream.clear_error();
      return failure(error);
    }
    inputPaths.emplace_back(file.name.str());
  }
  TemporaryFile output, log;
  for (auto [file, suffix] : {std::pair(&output, "out"), {&log, "log"}}) {
    if (std::error_code error = file->create(suffix))
      return failure(error);
    llvm::raw_fd_ostream(file->descriptor, /*shouldClose=*/true);
  }

  std::vector<std::string> args = arguments(inputPaths, output.name);
  std::vector<llvm::StringRef> argv = {program};
  argv.insert(argv.end(), args.begin(), args.end());
  std::string message;
  int status = llvm::sys::ExecuteAndWait(
      program, argv, /*Env=*/std::nullopt,
      {std::nullopt, llvm::StringRef(log.name), llvm::StringRef(log.name)},
      /*SecondsToWait=*/0, /*MemoryLimit=*/0, &message);
  auto read = [](llvm::StringRef name) -> std::string {
    auto buffer = llvm::MemoryBuffer::getFile(name);
    return buffer ? (*buffer)->getBuffer().str() : std::string();
  };
  if (status != 0)
    return Error{(program + " failed: " +
                  (message.empty() ? llvm::StringRef(read(log.name)).trim()
                                   : llvm::StringRef(message)))
                     .str()};
  return read(output.name);
}
