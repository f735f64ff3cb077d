#include "mapped_case.hpp"

#include "../element.hpp"

namespace pawl {

MappedCase read_case_form(const Fields &request) {
  MappedCase mapped;
  mapped.guard_bytes = static_cast<std::size_t>(request.integer("guard_bytes", 0));
  const std::vector<Json> &dims = request.array("dims");
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const Fields dim(dims[i], "dims[" + std::to_string(i) + "]");
    mapped.dims.emplace_back(dim.text("name"), dim.integer("value", INT64_MIN));
  }
  mapped.scalars = read_scalars(request);
  const std::vector<Json> &tensors = request.array("tensors");
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const Fields fields(tensors[i], "tensors[" + std::to_string(i) + "]");
    MappedTensor tensor{fields.text("name"), fields.text("role"),
                        static_cast<pawl_dtype>(fields.integer("dtype", 0, PAWL_F4E2M1)), {}, 0};
    std::size_t elements = 1;
    for (const Json &extent : fields.array("shape")) {
      tensor.shape.push_back(extent.integer());
      elements *= static_cast<std::size_t>(extent.integer());
    }
    if (fields.has("stored")) elements = static_cast<std::size_t>(fields.integer("stored", 1));
    tensor.bytes = bytes_of(tensor.dtype, elements);
    tensor.first_byte = static_cast<std::size_t>(fields.has("offset") ? fields.integer("offset", 0) : 0) *
                        dtype_bytes(tensor.dtype);
    mapped.tensors.push_back(std::move(tensor));
  }
  return mapped;
}

}  // namespace pawl
