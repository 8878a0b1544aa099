# Small functions that keep the folders' CMakeLists.txt short.

separate_arguments(AUTOSAGE_LLVM_DEFINITIONS NATIVE_COMMAND
                   "${LLVM_DEFINITIONS}")
list(TRANSFORM AUTOSAGE_LLVM_DEFINITIONS REPLACE "^-D" "")

# The project's headers, those made by TableGen included, and its C++ version:
# every library's interface.
add_library(AutosageHeaders INTERFACE)
target_compile_features(AutosageHeaders INTERFACE cxx_std_17)
target_include_directories(AutosageHeaders INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
autosage_install_library(AutosageHeaders)

# A target that every MLIR-using target links: include folders, definitions,
# flags, and the libraries. The include folders and definitions are not part of
# the package, which takes them from the LLVM that it finds.
add_library(AutosageMLIRUsage INTERFACE)
target_include_directories(AutosageMLIRUsage SYSTEM INTERFACE
  "$<BUILD_INTERFACE:${LLVM_INCLUDE_DIRS};${MLIR_INCLUDE_DIRS}>")
target_compile_definitions(AutosageMLIRUsage INTERFACE
  "$<BUILD_INTERFACE:${AUTOSAGE_LLVM_DEFINITIONS}>")
if(AUTOSAGE_STATIC_LLVM)
  autosage_llvm_archives(AUTOSAGE_LLVM_LIBRARIES)
else()
  set(AUTOSAGE_LLVM_LIBRARIES MLIR LLVM)
endif()
target_link_libraries(AutosageMLIRUsage INTERFACE
  AutosageHeaders ${AUTOSAGE_LLVM_LIBRARIES})
autosage_install_library(AutosageMLIRUsage)

# One precompiled header serves all MLIR libraries: parsing MLIR's headers is
# most of the time that a file takes to compile.
# For ccache to find objects that another clone made, no absolute path may stay
# in its hash. CMake's own flags name the header beside the precompiled one; the
# latter alone says all. Its bytes hold absolute paths too, so ccache is given a
# checksum in their place: of the list of headers, and of the LLVM they are of.
set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -Xclang -include-pch -Xclang <PCH_FILE>)
add_library(AutosagePCH OBJECT ${PROJECT_SOURCE_DIR}/lib/Pch.cpp)
target_link_libraries(AutosagePCH PRIVATE AutosageMLIRUsage)
target_precompile_headers(AutosagePCH PRIVATE ${PROJECT_SOURCE_DIR}/lib/Pch.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/lib/Pch.h)
file(SHA256 ${PROJECT_SOURCE_DIR}/lib/Pch.h AUTOSAGE_PCH_SUM)
file(TIMESTAMP ${LLVM_LIBRARY_DIR}/libMLIR.so AUTOSAGE_MLIR_TIME UTC)
file(CONFIGURE
  OUTPUT ${PROJECT_BINARY_DIR}/CMakeFiles/AutosagePCH.dir/cmake_pch.hxx.pch.sum
  CONTENT "@AUTOSAGE_PCH_SUM@ @LLVM_PACKAGE_VERSION@ @AUTOSAGE_MLIR_TIME@ @CMAKE_CXX_COMPILER_VERSION@\n"
  @ONLY)

# add_autosage_library(Name SOURCES... [LINK_LIBS libs...]): a part without LLVM.
function(add_autosage_library name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC AutosageHeaders ${ARG_LINK_LIBS})
  autosage_install_library(${name})
endfunction()

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
  autosage_install_library(${name})
endfunction()

# add_autosage_plugin(Name SOURCES...): what stock mlir-opt loads. It shows its
# entry points alone, and needs nothing but the tool's LLVM and MLIR.
function(add_autosage_plugin name)
  add_library(${name} MODULE ${ARGN})
  set_target_properties(${name} PROPERTIES
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_definitions(${name} PRIVATE
    AUTOSAGE_VERSION="${PROJECT_VERSION}")
  target_link_libraries(${name} PRIVATE AutosagePipelines AutosageServices)
  target_link_options(${name} PRIVATE
    LINKER:--exclude-libs,ALL LINKER:-z,defs)
endfunction()

# add_autosage_tool(name SOURCES... [LINK_LIBS libs...])
function(add_autosage_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  install(TARGETS ${name}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT Runtime)
endfunction()
