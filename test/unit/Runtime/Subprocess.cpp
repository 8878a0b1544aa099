//===- Subprocess.cpp - plan-child, with what it says ---------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Subprocess.h"

#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

using namespace autosage::test;

/// Reads both ends until they are closed.
static void drain(int out, int err, Finished &finished) {
  pollfd ends[] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
  std::string *texts[] = {&finished.out, &finished.err};
  for (int open = 2; open > 0;) {
    poll(ends, 2, -1);
    for (int i = 0; i < 2; ++i) {
      if (ends[i].fd < 0 || !ends[i].revents)
        continue;
      char buffer[4096];
      ssize_t count = read(ends[i].fd, buffer, sizeof buffer);
      if (count > 0) {
        texts[i]->append(buffer, static_cast<size_t>(count));
      } else if (count == 0 || errno != EINTR) {
        close(ends[i].fd);
        ends[i].fd = -1;
        --open;
      }
    }
  }
}

Finished autosage::test::runChild(const std::vector<std::string> &arguments,
                                  const std::vector<std::string> &environment) {
  Finished finished;
  std::vector<std::string> variables = environment;
  for (char **variable = environ; *variable; ++variable) {
    std::string text = *variable;
    std::string name = text.substr(0, text.find('=') + 1);
    if (std::none_of(environment.begin(), environment.end(),
                     [&](const std::string &own) {
                       return own.compare(0, name.size(), name) == 0;
                     }))
      variables.push_back(text);
  }
  std::vector<std::string> words = arguments;
  words.insert(words.begin(), AUTOSAGE_PLAN_CHILD);
  auto pointers = [](std::vector<std::string> &strings) {
    std::vector<char *> list;
    for (std::string &string : strings)
      list.push_back(string.data());
    list.push_back(nullptr);
    return list;
  };
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0)
    return finished;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err[1], 2);
  pid_t child = 0;
  int error = posix_spawn(&child, words[0].c_str(), &actions, nullptr,
                          pointers(words).data(), pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  close(out[1]);
  close(err[1]);
  drain(out[0], err[0], finished);
  int status = 0;
  if (error == 0 && waitpid(child, &status, 0) == child && WIFEXITED(status))
    finished.status = WEXITSTATUS(status);
  return finished;
}

std::vector<std::string> autosage::test::listFiles(const std::string &folder,
                                                   const std::string &ending) {
  std::vector<std::string> found;
  if (DIR *dir = opendir(folder.c_str())) {
    while (const dirent *item = readdir(dir)) {
      std::string name = item->d_name;
      if (name.size() >= ending.size() && name != "." && name != ".." &&
          name.compare(name.size() - ending.size(), ending.size(), ending) == 0)
        found.push_back(folder + "/" + name);
    }
    closedir(dir);
  }
  std::sort(found.begin(), found.end());
  return found;
}
