//===- Assembler.cpp - from PTX to machine code ---------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Target/NVPTX/Assembler.h"

#include "Toolkit.h"

#include "llvm/Support/FileSystem.h"

using namespace mlir::autosage;
using ::autosage::Error;
using ::autosage::Result;

PtxAssembler::~PtxAssembler() = default;

namespace {
class Ptxas : public PtxAssembler {
public:
  explicit Ptxas(std::string program) : program(std::move(program)) {}

  Result<std::string> assemble(llvm::StringRef ptx,
                               llvm::StringRef chip) override {
    return nvptx::runProgram(
        program, {{"ptx", ptx}},
        [&](llvm::ArrayRef<std::string> inputs,
            llvm::StringRef output) -> std::vector<std::string> {
          return {"-arch", chip.str(), "-o", output.str(), inputs[0]};
        });
  }
  std::string name() const override { return program; }

private:
  std::string program;
};
} // namespace

std::unique_ptr<PtxAssembler> nvptx::makePtxas() {
  if (toolkit().ptxas.empty())
    return nullptr;
  return std::make_unique<Ptxas>(toolkit().ptxas);
}

Result<PtxAssembler *> mlir::autosage::findAssembler(AssemblerKind kind) {
  static const std::unique_ptr<PtxAssembler> nvJitLink = nvptx::makeNvJitLink();
  static const std::unique_ptr<PtxAssembler> ptxas = nvptx::makePtxas();
  // A process of its own takes twice the time.
  if (nvJitLink && kind != AssemblerKind::ptxas)
    return nvJitLink.get();
  if (ptxas && kind != AssemblerKind::nvJitLink)
    return ptxas.get();
  std::string wanted = kind == AssemblerKind::nvJitLink ? "libnvJitLink"
                       : kind == AssemblerKind::ptxas ? "ptxas"
                                                      : "libnvJitLink or ptxas";
  const std::string &root = nvptx::toolkit().root;
  return Error{"expects an assembler for PTX (" + wanted + "), got none" +
               (root.empty() ? "" : " in '" + root + "'") + "; " +
               nvptx::toolkitHint};
}

Result<std::string> mlir::autosage::makeFatbin(llvm::StringRef cubin,
                                               llvm::StringRef ptx,
                                               llvm::StringRef chip) {
  std::string program = nvptx::toolkit().program("fatbinary");
  if (program.empty())
    return Error{std::string("expects the program fatbinary, got none; ") +
                 nvptx::toolkitHint};
  std::string number = chip.drop_front(3).str(); // of sm_90
  return nvptx::runProgram(
      program, {{"cubin", cubin}, {"ptx", ptx}},
      [&](llvm::ArrayRef<std::string> inputs,
          llvm::StringRef output) -> std::vector<std::string> {
        return {"--64", "--create", output.str(),
                "--image3=kind=elf,sm=" + number + ",file=" + inputs[0],
                "--image3=kind=ptx,sm=" + number + ",file=" + inputs[1]};
      });
}

std::string mlir::autosage::findLibdevice() {
  const std::string &root = nvptx::toolkit().root;
  if (root.empty())
    return {};
  std::string file = root + "/nvvm/libdevice/libdevice.10.bc";
  return llvm::sys::fs::exists(file) ? file : std::string();
}
