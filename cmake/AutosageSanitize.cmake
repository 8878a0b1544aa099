# Builds under Clang's sanitizers: the presets asan, tsan and fuzz.
#
# LLVM and MLIR are Debian's and stay uninstrumented, as does code that is
# compiled in the process. What that asks of the run-time options is written in
# test/sanitizers/README.md.
set(AUTOSAGE_SANITIZE "" CACHE STRING
  "Sanitizers: address (with undefined), thread, or empty for none")
set_property(CACHE AUTOSAGE_SANITIZE PROPERTY STRINGS "" address thread)
option(AUTOSAGE_LIBFUZZER "Build the fuzz targets with libFuzzer" OFF)

if(AUTOSAGE_SANITIZE STREQUAL "address")
  # vptr would need the type information of classes that are inside of LLVM.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=vptr
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=address,undefined)
elseif(AUTOSAGE_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread)
  add_link_options(-fsanitize=thread)
elseif(AUTOSAGE_SANITIZE)
  message(FATAL_ERROR "expects AUTOSAGE_SANITIZE to be address, thread or "
    "empty, got ${AUTOSAGE_SANITIZE}")
endif()
if(AUTOSAGE_SANITIZE)
  add_compile_options(-fno-omit-frame-pointer -gline-tables-only)
endif()
if(AUTOSAGE_LIBFUZZER)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
