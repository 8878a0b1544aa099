//===- Driver.cpp - seeds and a fixed set of mutations, for tests ---------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// fuzz-TARGET [--mutations=N] [--artifact=FILE] FILE|FOLDER...
//
// Runs the target on every file, then on N mutations of each, the same ones on
// every run. Where the process dies, the last input is in the file that
// --artifact=FILE names, as with libFuzzer. The folders' files are taken in
// order of their names, so that a run can be repeated.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>
#include <vector>

using namespace autosage::fuzz;

namespace {

/// What the signal handler writes; it may not allocate.
std::string current;
const char *artifact = nullptr;

void saveInput(int signal) {
  if (artifact) {
    int file = ::open(artifact, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file >= 0 && ::write(file, current.data(), current.size()) >= 0) {
      constexpr std::string_view said = "fuzz: the input was saved\n";
      ssize_t ignored = ::write(2, said.data(), said.size());
      (void)ignored;
    }
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void run(std::string input) {
  current = std::move(input);
  // Exactly as many bytes, so that a sanitizer sees a read past the end.
  std::vector<uint8_t> bytes(current.begin(), current.end());
  // A hang is a finding too.
  ::alarm(60);
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  ::alarm(0);
}

int refuse(const std::string &message) {
  std::fprintf(stderr, "fuzz: %s\n", message.c_str());
  return 2;
}

} // namespace

int main(int argc, char **argv) {
  unsigned long mutations = 0;
  std::vector<std::string> paths, seeds;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument.rfind("--mutations=", 0) == 0)
      mutations = std::strtoul(argv[i] + 12, nullptr, 10);
    else if (argument.rfind("--artifact=", 0) == 0)
      artifact = argv[i] + 11;
    else if (std::filesystem::is_directory(argument))
      for (const auto &entry : std::filesystem::directory_iterator(argument))
        paths.push_back(entry.path().string());
    else
      paths.push_back(argument);
  }
  std::sort(paths.begin(), paths.end());
  for (const std::string &path : paths) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream contents;
    contents << file.rdbuf();
    if (!file)
      return refuse("expects a readable file, got " + path);
    seeds.push_back(contents.str());
  }
  if (seeds.empty())
    return refuse("expects seeds, got none");

  for (int signal : {SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL, SIGSEGV})
    std::signal(signal, saveInput);
  for (const std::string &seed : seeds)
    run(seed);
  std::mt19937 random(20260);
  for (const std::string &seed : seeds)
    for (unsigned long i = 0; i < mutations; ++i)
      run(mutate(seed, seeds[random() % seeds.size()], random));
  std::printf("%zu seeds and %zu mutations\n", seeds.size(),
              seeds.size() * mutations);
  return 0;
}
