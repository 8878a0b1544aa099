//===- ObjectImage.cpp - a relocatable object in memory -------------------===//
//
// Part of AutoSAGE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One mapping holds code and stubs, then what is only read (with the table of
// addresses), then what is written; each begins on a page of its own. Functions
// of libraries may lie further away than a call reaches: calls go to a stub
// that jumps through the table. Numbers and layouts are those of the System V
// ABI for AMD64.
//
//===----------------------------------------------------------------------===//

#include "ObjectImage.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using namespace autosage;
using namespace autosage::runtime;

/// Of elf.h; older ones lack it.
static constexpr unsigned x86UnwindSection = 0x70000001;

static constexpr size_t stubBytes = 8; // jmp *slot(%rip), and two to fill
static constexpr size_t slotBytes = 8;
/// Objects of kernels have some ten kilobytes; offsets of 32 bits reach this.
static constexpr uint64_t mostBytes = uint64_t{1} << 30;

namespace autosage::runtime {

class ObjectLoader {
public:
  ObjectLoader(std::string_view object, const ObjectImage::Resolver &resolver)
      : object(object), resolver(resolver), image(new ObjectImage) {}

  Result<std::unique_ptr<ObjectImage>> load(const char *entry);

private:
  enum Part { code, readOnly, written, parts };

  std::string_view object;
  const ObjectImage::Resolver &resolver;
  std::unique_ptr<ObjectImage> image;
  std::vector<Elf64_Shdr> sections;
  std::vector<char *> addresses; // of the sections; null where not loaded
  std::vector<Elf64_Sym> symbols;
  std::vector<uint64_t> values; // of the symbols
  std::string_view names;
  char *stubs = nullptr, *slots = nullptr; // one of each a symbol
  size_t partBegin[parts + 1] = {};

  template <typename T>
  bool readArray(uint64_t offset, uint64_t count, std::vector<T> &out) const;
  std::string_view bytesOf(const Elf64_Shdr &section) const;
  const char *nameOf(const Elf64_Sym &symbol) const;
  static bool isLoaded(const Elf64_Shdr &section);

  Status readHeaders();
  Status place();
  Status resolve();
  Status relocate(const Elf64_Shdr &table);
  Status relocate(char *place, const Elf64_Rela &rela);
  Status protect();
};

} // namespace autosage::runtime

static Error malformed(const std::string &what) {
  return Error{"expects a relocatable x86-64 object, got one with " + what};
}

template <typename T>
bool ObjectLoader::readArray(uint64_t offset, uint64_t count,
                             std::vector<T> &out) const {
  if (offset > object.size() || count > (object.size() - offset) / sizeof(T))
    return false;
  out.resize(count);
  if (count)
    std::memcpy(out.data(), object.data() + offset, count * sizeof(T));
  return true;
}

std::string_view ObjectLoader::bytesOf(const Elf64_Shdr &section) const {
  if (section.sh_type == SHT_NOBITS || section.sh_offset > object.size() ||
      section.sh_size > object.size() - section.sh_offset)
    return {};
  return object.substr(section.sh_offset, section.sh_size);
}

const char *ObjectLoader::nameOf(const Elf64_Sym &symbol) const {
  // The table ends with a zero byte, which was checked.
  return symbol.st_name < names.size() ? names.data() + symbol.st_name : "";
}

bool ObjectLoader::isLoaded(const Elf64_Shdr &section) {
  return (section.sh_flags & SHF_ALLOC) && section.sh_size &&
         section.sh_type != x86UnwindSection;
}

Status ObjectLoader::readHeaders() {
  Elf64_Ehdr header;
  if (object.size() < sizeof header)
    return malformed("fewer bytes than a header");
  std::memcpy(&header, object.data(), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_REL ||
      header.e_machine != EM_X86_64 || header.e_shentsize != sizeof(Elf64_Shdr))
    return malformed("another header");
  if (!readArray(header.e_shoff, header.e_shnum, sections))
    return malformed("sections past its end");
  for (const Elf64_Shdr &section : sections) {
    if (section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL &&
        section.sh_size && bytesOf(section).size() != section.sh_size)
      return malformed("a section past its end");
    if (isLoaded(section) &&
        ((section.sh_flags & SHF_TLS) || section.sh_type == SHT_INIT_ARRAY ||
         section.sh_type == SHT_FINI_ARRAY))
      return malformed("thread-local data or constructors");
    if (section.sh_type != SHT_SYMTAB)
      continue;
    if (section.sh_link >= sections.size() ||
        !readArray(section.sh_offset, section.sh_size / sizeof(Elf64_Sym),
                   symbols))
      return malformed("symbols past its end");
    names = bytesOf(sections[section.sh_link]);
    if (names.empty() || names.back() != '\0')
      return malformed("names without an end");
  }
  return Status::success();
}

Status ObjectLoader::place() {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  auto align = [](uint64_t value, uint64_t to) {
    return (value + to - 1) & ~(to - 1);
  };
  std::vector<uint64_t> offsets(sections.size());
  uint64_t total = 0, stubsAt = 0, slotsAt = 0;
  for (int part = 0; part < parts; ++part) {
    partBegin[part] = total = align(total, page);
    for (size_t i = 0; i < sections.size(); ++i) {
      const Elf64_Shdr &section = sections[i];
      Part wanted = (section.sh_flags & SHF_EXECINSTR) ? code
                    : (section.sh_flags & SHF_WRITE)   ? written
                                                       : readOnly;
      if (!isLoaded(section) || wanted != part)
        continue;
      uint64_t alignment = section.sh_addralign ? section.sh_addralign : 1;
      if ((alignment & (alignment - 1)) || alignment > page ||
          section.sh_size > mostBytes)
        return malformed("a section of that size or alignment");
      offsets[i] = total = align(total, alignment);
      total += section.sh_size;
      if (total > mostBytes)
        return malformed("more than 1 GiB");
    }
    if (part == code) {
      stubsAt = total = align(total, stubBytes);
      total += symbols.size() * stubBytes;
    } else if (part == readOnly) {
      slotsAt = total = align(total, slotBytes);
      total += symbols.size() * slotBytes;
    }
  }
  partBegin[parts] = total = align(total ? total : 1, page);
  void *memory = mmap(nullptr, total, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return Error{"expects " + std::to_string(total) +
                 " bytes of memory for a kernel, got " + std::strerror(errno)};
  image->memory = static_cast<char *>(memory);
  image->size = total;
  stubs = image->memory + stubsAt;
  slots = image->memory + slotsAt;
  addresses.assign(sections.size(), nullptr);
  for (size_t i = 0; i < sections.size(); ++i) {
    if (!isLoaded(sections[i]))
      continue;
    addresses[i] = image->memory + offsets[i];
    std::string_view bytes = bytesOf(sections[i]);
    if (!bytes.empty())
      std::memcpy(addresses[i], bytes.data(), bytes.size());
  }
  return Status::success();
}

Status ObjectLoader::resolve() {
  values.assign(symbols.size(), 0);
  for (size_t i = 1; i < symbols.size(); ++i) {
    const Elf64_Sym &symbol = symbols[i];
    if (symbol.st_shndx == SHN_UNDEF) {
      // Some are listed and never used; what is used is missed below.
      values[i] = reinterpret_cast<uint64_t>(resolver(nameOf(symbol)));
    } else if (symbol.st_shndx == SHN_ABS) {
      values[i] = symbol.st_value;
    } else if (symbol.st_shndx < sections.size()) {
      const Elf64_Shdr &section = sections[symbol.st_shndx];
      if (!addresses[symbol.st_shndx])
        continue; // of debug information and the like
      if (symbol.st_value > section.sh_size)
        return malformed("a symbol past its section");
      values[i] = reinterpret_cast<uint64_t>(addresses[symbol.st_shndx]) +
                  symbol.st_value;
    } else if (ELF64_ST_TYPE(symbol.st_info) != STT_FILE) {
      return malformed("a common or extended symbol");
    }
    std::memcpy(slots + i * slotBytes, &values[i], slotBytes);
    // jmp *offset(%rip); the offset counts from the end of the instruction.
    unsigned char stub[stubBytes] = {0xff, 0x25, 0, 0, 0, 0, 0xcc, 0xcc};
    auto offset = static_cast<int32_t>((slots + i * slotBytes) -
                                       (stubs + i * stubBytes + 6));
    std::memcpy(stub + 2, &offset, sizeof offset);
    std::memcpy(stubs + i * stubBytes, stub, stubBytes);
  }
  return Status::success();
}

Status ObjectLoader::relocate(char *place, const Elf64_Rela &rela) {
  uint64_t index = ELF64_R_SYM(rela.r_info);
  uint64_t type = ELF64_R_TYPE(rela.r_info);
  if (index >= symbols.size())
    return malformed("a relocation to no symbol");
  const Elf64_Sym &symbol = symbols[index];
  if (index && type != R_X86_64_NONE && symbol.st_shndx == SHN_UNDEF &&
      values[index] == 0 && ELF64_ST_BIND(symbol.st_info) != STB_WEAK)
    return Error{"expects the function '" + std::string(nameOf(symbol)) +
                 "' that a kernel calls, got none of that name"};
  auto at = reinterpret_cast<uint64_t>(place);
  auto addend = static_cast<uint64_t>(rela.r_addend);
  uint64_t target = values[index] + addend;
  switch (type) {
  case R_X86_64_NONE:
    return Status::success();
  case R_X86_64_64:
    std::memcpy(place, &target, 8);
    return Status::success();
  case R_X86_64_PC64:
    target -= at;
    std::memcpy(place, &target, 8);
    return Status::success();
  case R_X86_64_PLT32:
    if (symbol.st_shndx == SHN_UNDEF)
      target = reinterpret_cast<uint64_t>(stubs + index * stubBytes) + addend;
    break;
  case R_X86_64_PC32:
    break;
  case R_X86_64_GOTPCREL:
  case R_X86_64_GOTPCRELX:
  case R_X86_64_REX_GOTPCRELX:
    target = reinterpret_cast<uint64_t>(slots + index * slotBytes) + addend;
    break;
  default:
    return malformed("a relocation of type " + std::to_string(type));
  }
  auto distance = static_cast<int64_t>(target - at);
  auto word = static_cast<int32_t>(distance);
  if (word != distance)
    return malformed("a relocation to '" + std::string(nameOf(symbol)) +
                     "', which is out of reach");
  std::memcpy(place, &word, sizeof word);
  return Status::success();
}

Status ObjectLoader::relocate(const Elf64_Shdr &table) {
  if (table.sh_info >= sections.size())
    return malformed("relocations of no section");
  char *section = addresses[table.sh_info];
  if (!section)
    return Status::success();
  uint64_t size = sections[table.sh_info].sh_size;
  std::vector<Elf64_Rela> relocations;
  if (!readArray(table.sh_offset, table.sh_size / sizeof(Elf64_Rela),
                 relocations))
    return malformed("relocations past its end");
  for (const Elf64_Rela &rela : relocations) {
    uint64_t type = ELF64_R_TYPE(rela.r_info);
    uint64_t bytes = type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
    if (rela.r_offset > size || size - rela.r_offset < bytes)
      return malformed("a relocation past its section");
    if (Status status = relocate(section + rela.r_offset, rela); !status)
      return status;
  }
  return Status::success();
}

Status ObjectLoader::protect() {
  const int protections[parts] = {PROT_READ | PROT_EXEC, PROT_READ,
                                  PROT_READ | PROT_WRITE};
  for (int part = 0; part < parts; ++part) {
    size_t bytes = partBegin[part + 1] - partBegin[part];
    if (bytes && mprotect(image->memory + partBegin[part], bytes,
                          protections[part]) != 0)
      return Error{std::string("expects to make a kernel's code executable, "
                               "got ") +
                   std::strerror(errno)};
  }
  return Status::success();
}

Result<std::unique_ptr<ObjectImage>> ObjectLoader::load(const char *entry) {
#if !defined(__x86_64__)
  return Error{"expects an x86-64 machine to load kernels on, got another"};
#endif
  for (auto step : {&ObjectLoader::readHeaders, &ObjectLoader::place,
                    &ObjectLoader::resolve})
    if (Status status = (this->*step)(); !status)
      return Error{status.error()};
  for (const Elf64_Shdr &section : sections) {
    if (section.sh_type == SHT_REL)
      return malformed("relocations without addends");
    if (section.sh_type == SHT_RELA)
      if (Status status = relocate(section); !status)
        return Error{status.error()};
  }
  if (Status status = protect(); !status)
    return Error{status.error()};
  for (size_t i = 0; i < symbols.size(); ++i)
    if (symbols[i].st_shndx != SHN_UNDEF &&
        ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC &&
        std::strcmp(nameOf(symbols[i]), entry) == 0)
      image->entryAddress = reinterpret_cast<void *>(values[i]);
  auto begin = reinterpret_cast<uintptr_t>(image->memory);
  auto address = reinterpret_cast<uintptr_t>(image->entryAddress);
  if (address < begin || address - begin >= partBegin[code + 1])
    return malformed("no function '" + std::string(entry) + "'");
  return std::move(image);
}

Result<std::unique_ptr<ObjectImage>> ObjectImage::load(std::string_view object,
                                                       const Resolver &resolver,
                                                       const char *entry) {
  return ObjectLoader(object, resolver).load(entry);
}

ObjectImage::~ObjectImage() {
  if (memory)
    munmap(memory, size);
}
