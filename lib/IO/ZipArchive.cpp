//===- ZipArchive.cpp - members of a zip archive --------------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ZipArchive.h"

#include <algorithm>
#include <zip.h>

namespace autosage::io {

void ZipArchive::Discard::operator()(zip *archive) const {
  zip_discard(archive);
}

Result<ZipArchive> ZipArchive::open(const Input &input,
                                    const std::string &name) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t *source =
      input.isFile()
          ? zip_source_file_create(name.c_str(), 0, -1, &error)
          : zip_source_buffer_create(input.view().data(), input.view().size(),
                                     /*freep=*/0, &error);
  ZipArchive out;
  if (source) {
    out.archive.reset(zip_open_from_source(source, ZIP_RDONLY, &error));
    if (!out.archive)
      zip_source_free(source);
  }
  std::string problem = out.archive ? "" : zip_error_strerror(&error);
  zip_error_fini(&error);
  if (!out.archive)
    return fileError(name, "not a readable zip archive: " + problem);
  out.name = name;
  out.archiveBytes = input.size();
  return out;
}

bool ZipArchive::has(const std::string &member) const {
  return zip_name_locate(archive.get(), member.c_str(), 0) >= 0;
}

Result<std::string> ZipArchive::read(const std::string &member) const {
  zip_int64_t index = zip_name_locate(archive.get(), member.c_str(), 0);
  if (index < 0)
    return fileError(label(member), "missing");
  auto position = static_cast<zip_uint64_t>(index);
  zip_stat_t info;
  zip_stat_init(&info);
  zip_file_t *opened = nullptr;
  if (zip_stat_index(archive.get(), position, 0, &info) == 0)
    opened = zip_fopen_index(archive.get(), position, 0);
  if (!opened)
    return fileError(label(member), zip_strerror(archive.get()));
  std::unique_ptr<zip_file_t, int (*)(zip_file_t *)> file(opened, zip_fclose);

  // The promised size is believed as far as the archive itself is large.
  std::string bytes;
  constexpr size_t smallest = size_t(64) << 10, largest = size_t(16) << 20;
  if (info.valid & ZIP_STAT_SIZE)
    bytes.reserve(static_cast<size_t>(
        std::min<zip_uint64_t>(info.size, 2 * archiveBytes) + smallest));
  for (;;) {
    size_t used = bytes.size();
    size_t chunk = std::clamp(used / 2, smallest, largest);
    bytes.resize(used + chunk);
    zip_int64_t got = zip_fread(file.get(), bytes.data() + used, chunk);
    if (got < 0)
      return fileError(label(member), zip_file_strerror(file.get()));
    bytes.resize(used + static_cast<size_t>(got));
    if (got == 0)
      return bytes;
  }
}

std::string ZipArchive::listing() const {
  constexpr zip_int64_t most = 8;
  zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  std::string out;
  for (zip_int64_t i = 0; i < std::min(count, most); ++i) {
    const char *member =
        zip_get_name(archive.get(), static_cast<zip_uint64_t>(i), 0);
    out += (i ? ", " : "") + quoted(member ? member : "");
  }
  if (count > most)
    out += ", ...";
  return count > 0 ? out : "no member";
}

} // namespace autosage::io
