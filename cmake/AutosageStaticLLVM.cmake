# Static linking of LLVM and MLIR, for the bundle.
#
# Debian's MLIR targets name the shared libLLVM in their link interface, and a
# program with both the shared library and archives aborts when it starts (each
# registers its command line options). So the archives are named by path here,
# and none of the targets is linked. A linker takes from archives what is asked
# for, so that it does no harm to name all; but those that register everything
# are left out: with them nothing would remain unasked for.
function(autosage_llvm_archives out)
  get_property(mlir_libs GLOBAL PROPERTY MLIR_ALL_LIBS)
  set(paths)
  foreach(lib IN LISTS mlir_libs LLVM_AVAILABLE_LIBS)
    if(NOT TARGET ${lib}
       OR lib MATCHES "^MLIR(Test|CAPI|RegisterAll)|Test(Passes)?$|Exegesis|BOLT")
      continue()
    endif()
    get_target_property(type ${lib} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      get_target_property(path ${lib} LOCATION)
      if(EXISTS "${path}")
        list(APPEND paths "${path}")
      endif()
    endif()
  endforeach()
  if(NOT paths)
    message(FATAL_ERROR "expects archives of LLVM and MLIR in "
      "${LLVM_LIBRARY_DIR}, got none")
  endif()
  list(REMOVE_DUPLICATES paths)
  # What Debian's LLVM compresses with, as archives too.
  foreach(name z zstd)
    find_library(AUTOSAGE_STATIC_${name} lib${name}.a REQUIRED)
    list(APPEND paths "${AUTOSAGE_STATIC_${name}}")
  endforeach()
  set(${out} ${paths} ${CMAKE_DL_LIBS} m rt PARENT_SCOPE)
endfunction()
