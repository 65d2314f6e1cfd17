# weft_embed(TARGET SYMBOL FILES...): the files' bytes compiled in, as `std::span<const EmbeddedFile> SYMBOL()`.
# Regenerated when a file changes, so the bare binary always carries the data of its own tree.
function(weft_embed target symbol)
  set(out "${CMAKE_CURRENT_BINARY_DIR}/${symbol}.cc")
  list(JOIN ARGN "|" joined)
  add_custom_command(
    OUTPUT "${out}"
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DSYMBOL=${symbol} "-DFILES=${joined}" -DROOT=${PROJECT_SOURCE_DIR}
            -P "${PROJECT_SOURCE_DIR}/cmake/embed_run.cmake"
    DEPENDS ${ARGN} "${PROJECT_SOURCE_DIR}/cmake/embed_run.cmake"
    VERBATIM)
  target_sources(${target} PRIVATE "${out}")
endfunction()
