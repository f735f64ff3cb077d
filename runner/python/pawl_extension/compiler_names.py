"""Variables by which Pawl, a candidate and the compilers in it know of each other."""

#: Where the precompiled headers are.
HEADERS = "PAWL_EXTENSION_HEADERS"
#: Objects that earlier processes of the same kernel made, and where those of this one are left.
OBJECTS, NEW_OBJECTS = "PAWL_EXTENSION_OBJECTS", "PAWL_EXTENSION_NEW_OBJECTS"
#: Set where nothing is compiled but the headers.
PRECOMPILING = "PAWL_EXTENSION_PRECOMPILING"
#: A file for the reasons why something was compiled as it is.
EXPLAIN = "PAWL_EXTENSION_EXPLAIN"
