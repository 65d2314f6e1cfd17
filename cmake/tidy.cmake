# With WEFT_TIDY, clang-tidy (.clang-tidy) looks at each source before it is compiled; dev/tidy remembers sources that
# were found clean, as ccache remembers objects. Tests and benchmarks are left out: with their frameworks' headers they
# would cost more than all the rest.
if(WEFT_TIDY)
  find_program(WEFT_CLANG_TIDY clang-tidy-19 REQUIRED)
  set(CMAKE_CXX_CLANG_TIDY "${PROJECT_SOURCE_DIR}/dev/tidy;${WEFT_CLANG_TIDY}")
endif()
