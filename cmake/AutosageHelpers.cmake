# Small functions that keep the folders' CMakeLists.txt short.

separate_arguments(AUTOSAGE_LLVM_DEFINITIONS NATIVE_COMMAND
                   "${LLVM_DEFINITIONS}")

# A target that every MLIR-using target links: include folders, definitions,
# flags, and the shared libraries.
add_library(AutosageMLIRUsage INTERFACE)
target_include_directories(AutosageMLIRUsage SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
target_compile_definitions(AutosageMLIRUsage INTERFACE
  ${AUTOSAGE_LLVM_DEFINITIONS})
target_link_libraries(AutosageMLIRUsage INTERFACE MLIR LLVM)

# One precompiled header serves all MLIR libraries: parsing MLIR's headers is
# most of the time that a file takes to compile.
add_library(AutosagePCH OBJECT ${PROJECT_SOURCE_DIR}/lib/Pch.cpp)
target_link_libraries(AutosagePCH PRIVATE AutosageMLIRUsage)
target_precompile_headers(AutosagePCH PRIVATE ${PROJECT_SOURCE_DIR}/lib/Pch.h)

# add_autosage_mlir_library(Name SOURCES... [DEPENDS targets...]
#                           [LINK_LIBS libs...])
function(add_autosage_mlir_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_precompile_headers(${name} REUSE_FROM AutosagePCH)
  target_link_libraries(${name} PUBLIC AutosageMLIRUsage ${ARG_LINK_LIBS})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# add_autosage_tool(name SOURCES... [LINK_LIBS libs...])
function(add_autosage_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
endfunction()
