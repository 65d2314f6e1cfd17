# A compiler cache and a fast linker when they are there; nothing depends on them.
find_program(WEFT_CCACHE ccache)
if(WEFT_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${WEFT_CCACHE}")
endif()
find_program(WEFT_MOLD mold)
if(WEFT_MOLD AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  add_link_options(-fuse-ld=mold)
endif()
