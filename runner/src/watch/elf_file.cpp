#include "elf_file.hpp"

#include <cstdint>
#include <cstring>

#include <elf.h>
#include <link.h>

#include "proc.hpp"

namespace pawl {
namespace {

using Header = ElfW(Ehdr);
using Section = ElfW(Shdr);
using Dynamic = ElfW(Dyn);
using Symbol = ElfW(Sym);

/** The file's bytes, of which nothing can be taken for granted. */
class Bytes {
 public:
  explicit Bytes(const std::string &text) : text_(text) {}

  template <typename T>
  bool read(std::uint64_t at, T &value) const {
    if (at > text_.size() || text_.size() - at < sizeof(T)) return false;
    std::memcpy(&value, text_.data() + at, sizeof(T));
    return true;
  }
  std::string name(const Section &strings, std::uint64_t at) const {
    const std::uint64_t from = strings.sh_offset + at;
    if (at >= strings.sh_size || from >= text_.size()) return "";
    return std::string(text_.c_str() + from, strnlen(text_.c_str() + from, text_.size() - from));
  }

 private:
  const std::string &text_;
};

}  // namespace

ElfFile read_elf(const std::string &path) {
  ElfFile found;
  const std::string text = read_proc(path).value_or("");
  const Bytes bytes(text);
  Header header{};
  if (!bytes.read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return found;
  std::vector<Section> sections(header.e_shnum);
  for (std::size_t i = 0; i < sections.size(); ++i)
    if (!bytes.read(header.e_shoff + i * sizeof(Section), sections[i])) return found;
  for (const Section &section : sections) {
    if (section.sh_link >= sections.size()) continue;
    const Section &strings = sections[section.sh_link];
    if (section.sh_type == SHT_DYNAMIC) {
      Dynamic entry{};
      for (std::uint64_t at = 0; at < section.sh_size && bytes.read(section.sh_offset + at, entry); at += sizeof entry)
        if (entry.d_tag == DT_NEEDED) found.needed.push_back(bytes.name(strings, entry.d_un.d_val));
    } else if (section.sh_type == SHT_DYNSYM) {
      Symbol symbol{};
      for (std::uint64_t at = 0; at < section.sh_size && bytes.read(section.sh_offset + at, symbol); at += sizeof symbol)
        if (symbol.st_shndx != SHN_UNDEF && symbol.st_name != 0) found.functions.push_back(bytes.name(strings, symbol.st_name));
    }
  }
  return found;
}

}  // namespace pawl
