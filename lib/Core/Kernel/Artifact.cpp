//===- Artifact.cpp - a compiled kernel as bytes --------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "autosage/Core/Artifact.h"

#include <charconv>

using namespace autosage;

static std::string oneLine(std::string text) {
  for (char &c : text)
    if (c == '\n' || c == '\t')
      c = ' ';
  return text;
}

std::string autosage::serialize(const Artifact &artifact) {
  std::string text = "artifact=" + std::to_string(artifactFormat) +
                     "\ncode=" + oneLine(artifact.code) +
                     "\narguments=" + std::to_string(artifact.arguments) + "\n";
  for (const ArtifactChoice &choice : artifact.choices)
    text += "choice=" + oneLine(choice.schedule) + "\t" +
            oneLine(choice.decidedBy) + "\t" + oneLine(choice.reason) + "\n";
  return text + "\n" + artifact.object;
}

static bool readNumber(std::string_view text, int64_t &value) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

Result<Artifact> autosage::parseArtifact(std::string_view bytes) {
  Artifact artifact;
  int64_t format = 0;
  bool first = true;
  while (true) {
    size_t end = bytes.find('\n');
    if (end == std::string_view::npos)
      return Error{"expects the lines of an artifact, got none that end"};
    std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(end + 1);
    if (line.empty())
      break;
    size_t equals = line.find('=');
    if (equals == std::string_view::npos)
      return Error{"expects key=value in an artifact, got another line"};
    std::string_view key = line.substr(0, equals),
                     value = line.substr(equals + 1);
    if (first && (key != "artifact" || !readNumber(value, format)))
      return Error{"expects an artifact, got other bytes"};
    first = false;
    if (key == "code") {
      artifact.code = value;
    } else if (key == "arguments") {
      if (!readNumber(value, artifact.arguments) || artifact.arguments < 0)
        return Error{"expects a number of arguments in an artifact, got '" +
                     std::string(value) + "'"};
    } else if (key == "choice") {
      ArtifactChoice choice;
      size_t tab = value.find('\t');
      choice.schedule = value.substr(0, tab);
      if (tab != std::string_view::npos) {
        value.remove_prefix(tab + 1);
        tab = value.find('\t');
        choice.decidedBy = value.substr(0, tab);
        if (tab != std::string_view::npos)
          choice.reason = value.substr(tab + 1);
      }
      artifact.choices.push_back(std::move(choice));
    }
  }
  if (format != artifactFormat)
    return Error{"expects an artifact of format " +
                 std::to_string(artifactFormat) + ", got " +
                 std::to_string(format)};
  artifact.object = bytes;
  return artifact;
}
