#include "scalar.hpp"

#include <cmath>

#include "error.hpp"

namespace pawl {
namespace {

struct ScalarType {
  const char *name;
  pawl_dtype dtype;
  bool floating;
};
/** What C passes by value (`SCALAR_DTYPES` in src/model/problem/scalar.ts). */
constexpr ScalarType TYPES[] = {
    {"f64", PAWL_F64, true}, {"f32", PAWL_F32, true}, {"i64", PAWL_I64, false}, {"i32", PAWL_I32, false}};

Scalar read_scalar(const Fields &fields) {
  std::vector<std::string> names;
  for (const ScalarType &type : TYPES) names.push_back(type.name);
  const ScalarType &type = TYPES[fields.choice("dtype", names)];
  Scalar scalar{fields.text("name"), type.dtype, 0, 0};
  if (type.floating) {
    const double value = fields.number("value");
    scalar.value = type.dtype == PAWL_F32 ? static_cast<float>(value) : value;
    if (!std::isfinite(scalar.value)) bad_request(fields.path("value") + " is too large for " + type.name);
  } else {
    const bool narrow = type.dtype == PAWL_I32;
    scalar.integer = fields.integer("value", narrow ? INT32_MIN : INT64_MIN, narrow ? INT32_MAX : INT64_MAX);
    scalar.value = static_cast<double>(scalar.integer);
  }
  return scalar;
}

}  // namespace

std::vector<Scalar> read_scalars(const Fields &request) {
  std::vector<Scalar> scalars;
  if (!request.has("scalars")) return scalars;
  const std::vector<Json> &given = request.array("scalars");
  for (std::size_t i = 0; i < given.size(); ++i)
    scalars.push_back(read_scalar(Fields(given[i], request.path("scalars[" + std::to_string(i) + "]"))));
  return scalars;
}

Json scalars_json(const std::vector<Scalar> &scalars) {
  Json list = Json::array();
  for (const Scalar &scalar : scalars)
    for (const ScalarType &type : TYPES)
      if (type.dtype == scalar.dtype)
        list.add(Json::object()
                     .set("name", scalar.name)
                     .set("dtype", type.name)
                     .set("value", type.floating ? Json(scalar.value) : Json(scalar.integer)));
  return list;
}

std::vector<pawl_scalar> scalars_of(const std::vector<Scalar> &scalars) {
  std::vector<pawl_scalar> given;
  for (const Scalar &scalar : scalars)
    given.push_back({scalar.name.c_str(), scalar.value, scalar.integer, scalar.dtype});
  return given;
}

}  // namespace pawl
