# Warnings are errors for developers, silent for people who only build.
add_library(weft_warnings INTERFACE)
if(WEFT_DEVELOPER)
  target_compile_options(weft_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
                                                 -Wold-style-cast -Wno-sign-conversion -Werror)
endif()
# 128-bit integers carry the exact arithmetic of units; GCC and Clang both have them.
target_compile_options(weft_warnings INTERFACE -Wno-pedantic)
