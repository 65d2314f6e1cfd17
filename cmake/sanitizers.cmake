if(WEFT_SANITIZE)
  string(REPLACE ";" "," weft_sanitize "${WEFT_SANITIZE}")
  add_compile_options(-fsanitize=${weft_sanitize} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${weft_sanitize})
  if("address" IN_LIST WEFT_SANITIZE AND "undefined" IN_LIST WEFT_SANITIZE)
    # The checks at every access through a pointer double the time to compile, and the address sanitizer sees the
    # accesses that they warn of.
    add_compile_options(-fno-sanitize=null,alignment,object-size,vptr)
  endif()
endif()
