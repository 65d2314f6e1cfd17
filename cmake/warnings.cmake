# Warnings are errors for developers, silent for people who only build.
add_library(weft_warnings INTERFACE)
if(WEFT_DEVELOPER)
  target_compile_options(weft_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
                                                 -Wold-style-cast -Wno-sign-conversion -Werror)
endif()
