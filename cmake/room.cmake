# weft_room(NAME [THREADS] [USES rooms...] [SOURCES ...] [LIBS private...] [PUBLIC_LIBS ...] [TESTS ...] [TEST_LIBS ...]
#           [BENCHES ...])
#
# One room of the house is one static library weft_<name> (alias weft::<name>; '/' in the name becomes '_'), with
# explicit links to the rooms it uses; one test program weft_<name>_test; one program per benchmark. THREADS says that
# the tests run threads: they are the ones that the thread sanitizer has something to say about.
#
# Labels of the tests: fast (every room's tests), threads, bench (each benchmark once, briefly: it checks its answer).
if(WEFT_TESTS)
  add_custom_target(threaded_tests)
  add_custom_target(benches)
endif()

function(weft_room name)
  cmake_parse_arguments(ROOM "THREADS" "" "USES;SOURCES;LIBS;PUBLIC_LIBS;TESTS;TEST_LIBS;BENCHES" ${ARGN})
  if(ROOM_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "weft_room(${name}): what is ${ROOM_UNPARSED_ARGUMENTS}?")
  endif()
  string(REPLACE "/" "_" id "${name}")
  set(scope PUBLIC)
  if(ROOM_SOURCES)
    add_library(weft_${id} STATIC ${ROOM_SOURCES})
    target_link_libraries(weft_${id} PRIVATE ${ROOM_LIBS} weft_warnings)
    set_property(GLOBAL APPEND PROPERTY WEFT_ROOMS weft_${id})
  else()
    # Headers alone: an interface that other rooms answer to.
    set(scope INTERFACE)
    add_library(weft_${id} INTERFACE)
  endif()
  add_library(weft::${id} ALIAS weft_${id})
  target_include_directories(weft_${id} ${scope} ${PROJECT_SOURCE_DIR}/src)
  set(uses ${ROOM_USES})
  list(TRANSFORM uses REPLACE "/" "_")
  list(TRANSFORM uses PREPEND "weft::")
  target_link_libraries(weft_${id} ${scope} ${uses} ${ROOM_PUBLIC_LIBS})
  set_property(GLOBAL APPEND PROPERTY WEFT_ROOM_LIBS ${ROOM_LIBS})
  set_property(GLOBAL APPEND PROPERTY WEFT_ROOM_PUBLIC_LIBS ${ROOM_PUBLIC_LIBS})

  if(WEFT_TESTS AND ROOM_TESTS)
    add_executable(weft_${id}_test ${ROOM_TESTS})
    target_link_libraries(weft_${id}_test PRIVATE weft::${id} ${ROOM_TEST_LIBS} GTest::gtest_main weft_warnings)
    add_test(NAME ${name} COMMAND weft_${id}_test WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES LABELS fast)
    if(ROOM_THREADS)
      set_tests_properties(${name} PROPERTIES LABELS "fast;threads")
      add_dependencies(threaded_tests weft_${id}_test)
    endif()
  endif()
  if(WEFT_TESTS AND NOT WEFT_SANITIZE)
    foreach(bench IN LISTS ROOM_BENCHES)
      get_filename_component(stem "${bench}" NAME_WE)
      set(program weft_${id}_${stem}_bench)
      add_executable(${program} ${bench})
      target_link_libraries(${program} PRIVATE weft::${id} ${ROOM_TEST_LIBS} benchmark::benchmark_main weft_warnings)
      add_test(NAME bench/${name}/${stem} COMMAND ${program} --benchmark_min_time=0.01
               WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
      add_dependencies(benches ${program})
      # Google Benchmark exits with 0 after SkipWithError.
      set_tests_properties(bench/${name}/${stem} PROPERTIES LABELS bench FAIL_REGULAR_EXPRESSION "ERROR OCCURRED")
    endforeach()
  endif()
endfunction()
