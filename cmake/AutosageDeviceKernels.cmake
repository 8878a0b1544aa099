# Kernels of the runtime's own, from C++ to PTX in the library. Clang alone does
# that: any compiler may build the rest.
find_program(AUTOSAGE_DEVICE_CLANG
  NAMES clang-${LLVM_VERSION_MAJOR} clang
  HINTS ${LLVM_TOOLS_BINARY_DIR}
  DOC "Clang ${LLVM_VERSION_MAJOR}, which compiles the runtime's kernels for NVPTX")
if(NOT AUTOSAGE_DEVICE_CLANG)
  message(FATAL_ERROR "expects clang-${LLVM_VERSION_MAJOR}, which compiles the "
    "runtime's kernels for NVPTX, got none (Debian: apt install "
    "clang-${LLVM_VERSION_MAJOR}; elsewhere: -DAUTOSAGE_DEVICE_CLANG=PATH)")
endif()

# autosage_add_device_kernels(target SOURCES...): makes NAME.ptx.inc of each
# NAME.cpp, a string literal for the target's sources to include. PTX 7.0 of
# compute capability 8.0 is what the oldest driver for such a device compiles,
# and every later one.
function(autosage_add_device_kernels target)
  foreach(source IN LISTS ARGN)
    get_filename_component(name ${source} NAME_WE)
    set(input ${CMAKE_CURRENT_SOURCE_DIR}/${source})
    set(ptx ${CMAKE_CURRENT_BINARY_DIR}/${name}.ptx)
    add_custom_command(OUTPUT ${ptx}.inc BYPRODUCTS ${ptx}
      COMMAND ${AUTOSAGE_DEVICE_CLANG} --target=nvptx64-nvidia-cuda
        -march=sm_80 --cuda-feature=+ptx70 -x c++ -std=c++17 -ffreestanding
        -nostdinc -I${PROJECT_SOURCE_DIR}/include -O3 -Wall -Wextra -S -MD -MF ${ptx}.d -MT ${ptx}.inc
        -o ${ptx} ${input}
      COMMAND ${CMAKE_COMMAND} -D INPUT=${ptx} -D OUTPUT=${ptx}.inc
        -P ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake
      DEPENDS ${input} ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake
      DEPFILE ${ptx}.d
      COMMENT "Compiling ${name} for NVPTX" VERBATIM)
    target_sources(${target} PRIVATE ${ptx}.inc)
  endforeach()
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
