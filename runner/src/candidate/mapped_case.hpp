#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "../fields.hpp"
#include "../scalar.hpp"
#include "pawl_kernel.h"

namespace pawl {

/** A tensor as the candidate knows it: its form, and nothing of what it is filled with. */
struct MappedTensor {
  std::string name;
  std::string role;
  pawl_dtype dtype;
  std::vector<std::int64_t> shape;
  /** Of all the memory that is the tensor's. */
  std::size_t bytes;
  /** Where in it the first element lies: 0 unless it is a view. */
  std::size_t first_byte = 0;
};

/** The case that the judge has laid out: dims, tensors, and where each buffer set lies in this process. */
struct MappedCase {
  std::vector<std::pair<std::string, std::int64_t>> dims;
  std::vector<Scalar> scalars;
  std::vector<MappedTensor> tensors;
  /** Addresses by set and tensor. */
  std::vector<std::vector<void *>> sets;
  /** Bytes before and after every tensor that no one may touch; 0 where there are none. */
  std::size_t guard_bytes = 0;
};

/** Reads the request `case`; `address_of` finds the memory that a number was given to. */
template <typename AddressOf>
MappedCase read_case(const Fields &request, AddressOf address_of);

MappedCase read_case_form(const Fields &request);

template <typename AddressOf>
MappedCase read_case(const Fields &request, AddressOf address_of) {
  MappedCase mapped = read_case_form(request);
  for (const Json &set : request.array("sets")) {
    std::vector<void *> addresses;
    for (const Json &memory : set.items())
      addresses.push_back(static_cast<unsigned char *>(address_of(memory.integer())) + mapped.guard_bytes);
    if (addresses.size() != mapped.tensors.size()) throw std::runtime_error("a set has another number of tensors");
    mapped.sets.push_back(std::move(addresses));
  }
  return mapped;
}

}  // namespace pawl
