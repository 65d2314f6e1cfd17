# Warnings are errors for developers, silent for people who only build.
add_library(weft_warnings INTERFACE)
if(WEFT_DEVELOPER)
  target_compile_options(weft_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
                                                 -Wold-style-cast -Wno-sign-conversion -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC bug 105651: "x" + std::string is said to overlap itself when optimised.
    target_compile_options(weft_warnings INTERFACE -Wno-restrict)
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # std::stable_sort of libstdc++ 12 uses std::get_temporary_buffer, and Clang warns of it in our sources.
    target_compile_options(weft_warnings INTERFACE -Wno-deprecated-declarations)
  endif()
endif()
