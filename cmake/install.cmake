# What `cmake --install` lays down: the command with its manual page and completions, the data, and the library as one
# archive (libweft.a holds all rooms) with headers, a CMake package (find_package(weft), target weft::weft) and weft.pc.
# The rooms' own order and links are a matter of this tree; users of the library get one name.
include(CMakePackageConfigHelpers)

get_property(weft_rooms GLOBAL PROPERTY WEFT_ROOMS)
get_property(weft_libs GLOBAL PROPERTY WEFT_ROOM_LIBS)
get_property(weft_public_libs GLOBAL PROPERTY WEFT_ROOM_PUBLIC_LIBS)
list(REMOVE_DUPLICATES weft_libs)
list(REMOVE_DUPLICATES weft_public_libs)
list(TRANSFORM weft_rooms REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE weft_objects)

add_library(weft_library STATIC ${weft_objects})
add_library(weft::weft ALIAS weft_library)
set_target_properties(weft_library PROPERTIES OUTPUT_NAME weft EXPORT_NAME weft LINKER_LANGUAGE CXX)
target_compile_features(weft_library PUBLIC cxx_std_20)
target_include_directories(weft_library PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                                               $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(weft_library PUBLIC ${weft_public_libs} PRIVATE ${weft_libs})

# The command describes itself.
set(documents "${CMAKE_CURRENT_BINARY_DIR}/documents")
set(weft_documents "")
function(weft_document file)
  add_custom_command(OUTPUT "${documents}/${file}" COMMAND ${CMAKE_COMMAND} -E make_directory "${documents}"
                     COMMAND $<TARGET_FILE:weft> ${ARGN} > "${documents}/${file}" DEPENDS weft VERBATIM)
  set(weft_documents ${weft_documents} "${documents}/${file}" PARENT_SCOPE)
endfunction()
weft_document(weft.1 help --format man)
weft_document(weft.bash completion bash)
weft_document(_weft completion zsh)
weft_document(weft.fish completion fish)
add_custom_target(weft_documents ALL DEPENDS ${weft_documents})

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/weft-config.cmake.in" "${CMAKE_CURRENT_BINARY_DIR}/weft-config.cmake"
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/weft-config-version.cmake" COMPATIBILITY SameMinorVersion)
# From lib/pkgconfig up to the prefix, so that an installed tree can be moved.
file(RELATIVE_PATH weft_up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file("${PROJECT_SOURCE_DIR}/cmake/weft.pc.in" "${CMAKE_CURRENT_BINARY_DIR}/weft.pc" @ONLY)

install(TARGETS weft RUNTIME)
install(TARGETS weft_library EXPORT weft-targets)
install(EXPORT weft-targets NAMESPACE weft:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/weft-config.cmake" "${CMAKE_CURRENT_BINARY_DIR}/weft-config-version.cmake"
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/weft.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/weft" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "*.test.h" EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/data/" DESTINATION ${CMAKE_INSTALL_DATADIR}/weft)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES "${documents}/weft.1" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES "${documents}/weft.bash" DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME weft)
install(FILES "${documents}/_weft" DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES "${documents}/weft.fish" DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
