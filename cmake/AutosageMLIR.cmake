# Finds LLVM and MLIR. The accepted version is written here and nowhere else.
set(AUTOSAGE_LLVM_VERSION_MAJOR 22)

if(NOT MLIR_DIR AND EXISTS
   "/usr/lib/llvm-${AUTOSAGE_LLVM_VERSION_MAJOR}/lib/cmake/mlir")
  set(MLIR_DIR
      "/usr/lib/llvm-${AUTOSAGE_LLVM_VERSION_MAJOR}/lib/cmake/mlir"
      CACHE PATH "Folder of MLIRConfig.cmake")
endif()
find_package(MLIR REQUIRED CONFIG)

if(NOT LLVM_VERSION_MAJOR EQUAL AUTOSAGE_LLVM_VERSION_MAJOR)
  message(FATAL_ERROR
    "expects LLVM and MLIR ${AUTOSAGE_LLVM_VERSION_MAJOR}, got "
    "${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}; set -DMLIR_DIR=...")
endif()
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION}, MLIR in ${MLIR_DIR}")

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)
