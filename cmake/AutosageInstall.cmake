# The CMake package Autosage, of the build tree and of the install tree.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(AUTOSAGE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Autosage)

# Tools find the project's libraries beside them and LLVM where it was found.
set(CMAKE_INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# autosage_install_library(AutosageName): installs the library and exports it as
# Autosage::Name, which it is called in this build too.
function(autosage_install_library name)
  string(REGEX REPLACE "^Autosage" "" short ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${short})
  add_library(Autosage::${short} ALIAS ${name})
  install(TARGETS ${name} EXPORT AutosageTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Development
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Runtime
    NAMELINK_COMPONENT Development)
endfunction()

# Headers, sources of TableGen, and the files made from them.
function(autosage_install_headers)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/autosage
                    ${PROJECT_BINARY_DIR}/include/autosage
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT Development
    FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc"
    PATTERN CMakeFiles EXCLUDE)
endfunction()

# To be called last, when every library is known.
function(autosage_install_package)
  set(build_dir ${PROJECT_BINARY_DIR}/lib/cmake/Autosage)
  configure_package_config_file(
    ${PROJECT_SOURCE_DIR}/cmake/AutosageConfig.cmake.in
    ${build_dir}/AutosageConfig.cmake
    INSTALL_DESTINATION ${AUTOSAGE_PACKAGE_DIR}
    NO_SET_AND_CHECK_MACRO)
  # Before 1.0 a minor version may break what users rely on.
  write_basic_package_version_file(${build_dir}/AutosageConfigVersion.cmake
    VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
  export(EXPORT AutosageTargets NAMESPACE Autosage::
    FILE ${build_dir}/AutosageTargets.cmake)
  install(EXPORT AutosageTargets NAMESPACE Autosage::
    DESTINATION ${AUTOSAGE_PACKAGE_DIR} COMPONENT Development)
  install(FILES ${build_dir}/AutosageConfig.cmake
                ${build_dir}/AutosageConfigVersion.cmake
    DESTINATION ${AUTOSAGE_PACKAGE_DIR} COMPONENT Development)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
    DESTINATION ${CMAKE_INSTALL_DATADIR}/autosage COMPONENT Runtime)
endfunction()
