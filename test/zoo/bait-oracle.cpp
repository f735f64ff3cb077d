// The oracle of softmax in a library of its own, so that the animal that replaces it on disk spoils no other's.
#include "softmax-oracle.cpp"

PAWL_EXPORT const char *zoo_bait_oracle() { return "this oracle is there to be replaced"; }
