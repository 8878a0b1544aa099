# Writes OUT, a string literal: the checksum of the sources that decide what code
# a kernel gets, and the version of LLVM. Run as a script with SOURCE_DIR, LIST
# (a file, one path a line), VERSION and OUT.
file(STRINGS "${LIST}" sources)
set(sums "")
foreach(source IN LISTS sources)
  file(SHA256 "${SOURCE_DIR}/${source}" sum)
  string(APPEND sums "${source} ${sum}\n")
endforeach()
string(SHA256 sum "${sums}")
string(SUBSTRING "${sum}" 0 32 sum)
file(WRITE "${OUT}" "\"${sum} ${VERSION}\"\n")
