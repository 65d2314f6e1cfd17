# weft_fuzz(NAME SOURCE rooms...): one fuzz target. SOURCE defines LLVMFuzzerTestOneInput; its corpus is
# fuzz/corpus/NAME/ (at least one file), its dictionary fuzz/NAME.dict, if there is one.
#
# With WEFT_FUZZ (clang) it is a libFuzzer program, and its test fuzzes for WEFT_FUZZ_SECONDS. Elsewhere a small main
# replays the corpus, so that every input that ever mattered is tried with every compiler and sanitizer.
if(WEFT_FUZZ AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "WEFT_FUZZ needs clang: cmake --preset fuzz")
endif()
if(WEFT_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

function(weft_fuzz name source)
  set(program fuzz_${name})
  set(corpus "${PROJECT_SOURCE_DIR}/fuzz/corpus/${name}")
  file(GLOB inputs "${corpus}/*")
  if(NOT inputs)
    message(FATAL_ERROR "weft_fuzz(${name}): no input in fuzz/corpus/${name}")
  endif()
  list(TRANSFORM ARGN REPLACE "/" "_" OUTPUT_VARIABLE rooms)
  list(TRANSFORM rooms PREPEND "weft::")
  if(WEFT_FUZZ)
    add_executable(${program} ${source})
    target_link_options(${program} PRIVATE -fsanitize=fuzzer)
    add_test(NAME fuzz/${name} COMMAND "${PROJECT_SOURCE_DIR}/fuzz/run" $<TARGET_FILE:${program}> ${name})
    set_tests_properties(fuzz/${name} PROPERTIES LABELS fuzz)
  else()
    add_executable(${program} ${source} "${PROJECT_SOURCE_DIR}/fuzz/replay.cc")
    add_test(NAME fuzz/${name} COMMAND ${program} "${corpus}")
    set_tests_properties(fuzz/${name} PROPERTIES LABELS fast)
  endif()
  target_link_libraries(${program} PRIVATE ${rooms} weft_warnings)
endfunction()
