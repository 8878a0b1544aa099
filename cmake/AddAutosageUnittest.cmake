# add_autosage_unittest(Name SOURCES... [LINK_LIBS libs...])
#
# A GoogleTest executable in the folder's place below build/test/unit, where
# lit finds it by the ending of its name, so Name must end in "Tests".
find_package(GTest REQUIRED)

function(add_autosage_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  if(NOT name MATCHES "Tests$")
    message(FATAL_ERROR "expects a unit test's name to end in Tests, got ${name}")
  endif()
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} GTest::gtest_main)
  set_property(GLOBAL APPEND PROPERTY AUTOSAGE_UNITTESTS ${name})
endfunction()
