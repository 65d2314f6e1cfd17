# weft_tidy(TARGET): with WEFT_TIDY, clang-tidy (.clang-tidy) looks at each source of the target before it is compiled.
# dev/tidy remembers sources that were found clean, as ccache remembers objects.
option(WEFT_TIDY "Run clang-tidy on every source" OFF)
if(WEFT_TIDY)
  find_program(WEFT_CLANG_TIDY clang-tidy-19 REQUIRED)
endif()

function(weft_tidy target)
  if(WEFT_TIDY)
    set_target_properties(${target} PROPERTIES CXX_CLANG_TIDY "${PROJECT_SOURCE_DIR}/dev/tidy;${WEFT_CLANG_TIDY}")
  endif()
endfunction()
