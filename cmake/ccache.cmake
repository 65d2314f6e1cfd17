# A compiler cache and a fast linker when they are there; nothing depends on them.
find_program(WEFT_CCACHE ccache)
find_program(WEFT_ENV env)
if(WEFT_CCACHE AND WEFT_ENV)
  # Paths below the checkout are hashed relative to it, so that a second clone or worktree finds what the first compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${WEFT_ENV};CCACHE_BASEDIR=${PROJECT_SOURCE_DIR};CCACHE_NOHASHDIR=1;${WEFT_CCACHE}")
endif()
find_program(WEFT_MOLD mold)
if(WEFT_MOLD AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  add_link_options(-fuse-ld=mold)
endif()
