//===- Options.cpp - the command line of autosage-cache -------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "Text.h"

#include <CLI/CLI.hpp>
#include <charconv>

using namespace autosage;
using namespace autosage::cache;

namespace {
/// The options as written.
struct Raw {
  std::optional<std::string> cache, mostBytes, mostDays;
  std::string key, file{"-"};
  bool replace = false;
};
} // namespace

static Status readCount(const char *option,
                        const std::optional<std::string> &text,
                        int64_t &value) {
  if (!text)
    return Status::success();
  const char *end = text->data() + text->size();
  auto [rest, error] = std::from_chars(text->data(), end, value);
  if (error == std::errc() && rest == end && value >= 0 &&
      value <= INT64_MAX / 86400)
    return Status::success();
  return Error{std::string(option) +
               " expects an integer of at least 0, got '" + *text + "'"};
}

static Result<Options> interpret(const Raw &raw, Command command) {
  Options o;
  o.command = command;
  if (raw.cache && raw.cache->empty())
    return Error{"--cache expects a file, got nothing"};
  o.store = raw.cache ? oracle::storeOptionsFor(*raw.cache)
                      : oracle::defaultStoreOptions();
  if (o.store.path.empty())
    return Error{"no decision cache is set: expects --cache FILE"};
  o.isDefault = !raw.cache;
  o.key = raw.key;
  o.file = raw.file;
  o.replace = raw.replace;
  if (Status s = readCount("--max-bytes", raw.mostBytes, o.store.mostBytes); !s)
    return Error{s.error()};
  if (Status s = readCount("--max-days", raw.mostDays, o.store.mostDays); !s)
    return Error{s.error()};
  return o;
}

Parsed cache::parseOptions(int argc, char **argv) {
  Raw raw;
  CLI::App app("Looks into and after a file of remembered schedule decisions.",
               "autosage-cache");
  app.set_version_flag("--version", "autosage-cache " AUTOSAGE_VERSION);
  app.add_option("--cache", raw.cache,
                 "The file (AUTOSAGE_DECISION_CACHE, else decisions.sqlite in "
                 "the cache folder)")
      ->option_text("FILE");
  app.require_subcommand(1);
  app.fallthrough();
  std::optional<Command> command;
  auto add = [&](const char *name, Command which, const char *help) {
    CLI::App *sub = app.add_subcommand(name, help);
    sub->callback([&command, which] { command = which; });
    return sub;
  };
  auto addKey = [&](CLI::App *sub) {
    sub->add_option("KEY", raw.key, "The first digits of its name in the list")
        ->required()
        ->option_text(" ");
  };
  auto addFile = [&](CLI::App *sub, const char *help) {
    sub->add_option("FILE", raw.file, help)->option_text(" ");
  };
  add("list", Command::list, "One line a decision");
  addKey(
      add("show", Command::show, "A decision with all its numbers, as JSON"));
  addKey(add("explain", Command::explain, "Why it was decided so"));
  addFile(add("export", Command::exportAll, "All decisions as JSON lines"),
          "Where to; - is stdout (-)");
  CLI::App *import = add("import", Command::import, "Adds exported decisions");
  addFile(import, "Where from; - is stdin (-)");
  import->add_flag("--replace", raw.replace,
                   "Also where the key is decided already");
  CLI::App *prune =
      add("prune", Command::prune, "Removes what is old, too much or damaged");
  prune->add_option("--max-bytes", raw.mostBytes, "Size to shrink to (64 MiB)")
      ->option_text("N");
  prune
      ->add_option("--max-days", raw.mostDays,
                   "Days since the last use to keep (365)")
      ->option_text("N");
  add("verify", Command::verify,
      "Checks the file and every decision; status 1 where something is wrong");
  add("clear", Command::clear, "Removes every decision");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &success) {
    app.exit(success); // prints the help or the version
    return {std::nullopt, Status::success()};
  } catch (const CLI::ParseError &error) {
    std::string message = oneLine(error.what());
    if (message.rfind("The ", 0) == 0 || message.rfind("A ", 0) == 0)
      message[0] = static_cast<char>(message[0] + ('a' - 'A'));
    while (!message.empty() && (message.back() == ' ' || message.back() == '.'))
      message.pop_back();
    return {std::nullopt, Error{message + " (see --help)"}};
  }
  Result<Options> options = interpret(raw, *command);
  if (!options)
    return {std::nullopt, Error{options.error()}};
  return {std::move(*options), Status::success()};
}
