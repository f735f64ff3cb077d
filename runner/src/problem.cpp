#include "problem.hpp"

#include <cmath>

#include "error.hpp"
#include "read_view.hpp"

namespace pawl {
namespace {

/** In the order of pawl_dtype. */
const std::vector<std::string> DTYPES = {"f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "u8",
                                         "u16", "u32", "u64", "bool", "f8e4m3", "f8e5m2", "c64", "c128",
                                         "f4e2m1"};
static_assert(PAWL_F4E2M1 == 17, "DTYPES names every type");
const std::vector<std::string> ROLES = {"input", "output", "inout"};
const std::vector<std::string> FILLS = {"normal",        "uniform", "integers", "constant", "denormal",
                                        "constant-rows", "spikes",  "mixed",    "nonfinite", "recorded"};
/** In the order of the bits of Fill::specials. */
const std::vector<std::string> SPECIALS = {"nan", "inf", "-inf"};

/** More than any address space holds; keeps byte counts exact as JSON numbers. */
constexpr std::size_t MAX_BYTES = std::size_t(1) << 52;

/** Which of NaN and the infinities a fill may take. */
std::uint32_t read_specials(const Fields &fields) {
  std::uint32_t specials = 0;
  for (const Json &value : fields.array("values"))
    for (std::size_t i = 0; i < SPECIALS.size(); ++i)
      if (value.kind() == Json::Kind::string && value.string() == SPECIALS[i]) specials |= 1u << i;
  if (specials == 0) bad_request(fields.path("values") + " names none of nan, inf and -inf");
  return specials;
}

Fill read_fill(const Fields &fields, pawl_dtype dtype) {
  Fill fill;
  fill.kind = static_cast<FillKind>(fields.choice("kind", FILLS));
  switch (fill.kind) {
    case FillKind::normal:
      fill.a = fields.number_or("mean", 0);
      fill.b = fields.number_or("std", 1);
      break;
    case FillKind::uniform:
      fill.a = fields.number_or("low", -1);
      fill.b = fields.number_or("high", 1);
      if (!std::isfinite(fill.b - fill.a)) bad_request(fields.path("high") + " is too far from low for a double");
      break;
    case FillKind::integers:
      fill.a = static_cast<double>(fields.integer("low", INT64_MIN));
      fill.b = static_cast<double>(fields.integer("high", INT64_MIN));
      if (fill.b < fill.a) bad_request(fields.path("high") + " is below low");
      break;
    case FillKind::constant:
      fill.a = fields.number("value");
      break;
    case FillKind::denormal: break;
    case FillKind::constant_rows:
      fill.b = fields.number_or("std", 1);
      break;
    case FillKind::spikes:
      fill.a = fields.number_or("low", 0);
      fill.b = fields.number_or("high", 1);
      break;
    case FillKind::mixed:
      fill.b = fields.number_or("scale", 10);
      break;
    case FillKind::nonfinite:
      fill.specials = read_specials(fields);
      fill.b = fields.number_or("share", 0.001);
      if (!(fill.b >= 0 && fill.b <= 1)) bad_request(fields.path("share") + " is not between 0 and 1");
      break;
    case FillKind::recorded: break;
  }
  if (!is_floating(dtype) && (fill.kind == FillKind::denormal || fill.kind == FillKind::nonfinite))
    bad_request(fields.path("kind") + " is '" + fields.text("kind") + "', which an integer cannot hold");
  if (saturates(dtype) && fill.kind == FillKind::nonfinite)
    bad_request(fields.path("kind") + " is 'nonfinite', and a type of 4 bits has nothing but numbers");
  return fill;
}

Recorded read_recorded(const Fields &fields, pawl_dtype dtype) {
  Recorded recorded{static_cast<pawl_dtype>(fields.choice("dtype", DTYPES)), {}, fields.boolean_or("vary", false)};
  const auto is_real = [](pawl_dtype one) { return is_floating(one) && !is_complex(one); };
  if (recorded.dtype != dtype && !(is_real(recorded.dtype) && is_real(dtype)))
    bad_request(fields.path("dtype") + " is '" + fields.text("dtype") + "', and only real floating types are converted");
  const std::vector<Json> &files = fields.array("recordings");
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Fields file(files[i], fields.path("recordings[" + std::to_string(i) + "]"));
    recorded.files.push_back(
        {file.text("path"), static_cast<std::size_t>(file.integer("offset", 0)), file.text("sha256")});
  }
  if (files.empty()) bad_request(fields.path("recordings") + " is empty");
  return recorded;
}

TensorSpec read_tensor(const Fields &fields) {
  TensorSpec tensor;
  tensor.name = fields.text("name");
  tensor.role = static_cast<Role>(fields.choice("role", ROLES));
  tensor.dtype = static_cast<pawl_dtype>(fields.choice("dtype", DTYPES));
  tensor.elements = 1;
  for (const Json &extent : fields.array("shape")) {
    if (!extent.is_integer() || extent.integer() < 1)
      bad_request(fields.path("shape") + " has " + extent.text() + " where a positive integer was expected");
    tensor.shape.push_back(extent.integer());
    if (__builtin_mul_overflow(tensor.elements, static_cast<std::size_t>(extent.integer()), &tensor.elements) ||
        tensor.elements > MAX_BYTES)
      bad_request(fields.path("shape") + " has more elements than memory can hold");
  }
  tensor.bytes = bytes_of(tensor.dtype, tensor.elements);
  if (fields.has("distribution")) {
    const Fields given = fields.object("distribution");
    tensor.distribution = {given.integer("outcomes", 1), given.number("slack"), given.text_or("seed", "")};
    tensor.judged = Judged::by_distribution;
    if (!tensor.is_pure_output() || is_floating(tensor.dtype))
      bad_request(fields.path("distribution") + " is for outputs of integers");
    if (!(tensor.distribution->slack >= 0 && tensor.distribution->slack < 1))
      bad_request(given.path("slack") + " is not between 0 and 1");
  }
  tensor.counted_by = fields.text_or("counted_by", "");
  if (!tensor.counted_by.empty() && (!tensor.is_pure_output() || tensor.shape.empty()))
    bad_request(fields.path("counted_by") + " is for outputs that have rows");
  tensor.view = read_view(fields, tensor.shape);
  if (is_packed(tensor.dtype) && (tensor.view || tensor.shape.empty() || tensor.shape.back() % 2 != 0))
    bad_request(fields.path("dtype") + " is '" + fields.text("dtype") +
                "', of which a byte holds two: its last axis must be even, and it cannot be a view");
  if (tensor.view && !tensor.is_read_only()) bad_request(fields.path("strides") + " is for inputs");
  tensor.fill = read_fill(fields.object("fill"), tensor.dtype);
  if (tensor.fill.kind == FillKind::recorded) tensor.recorded = read_recorded(fields.object("fill"), tensor.dtype);
  if (tensor.view && tensor.view->may_overlap && tensor.recorded)
    bad_request(fields.path("strides") + " lets elements share places, which recorded ones do not");
  tensor.fill.row = tensor.shape.empty() ? 1 : part_count(tensor.dtype) * static_cast<std::size_t>(tensor.shape.back());
  return tensor;
}

}  // namespace

Problem without_views(Problem problem) {
  for (TensorSpec &tensor : problem.tensors) tensor.view.reset();
  return problem;
}

TensorSpec first_rows(TensorSpec tensor, std::int64_t rows) {
  const std::size_t each = tensor.elements / static_cast<std::size_t>(tensor.shape[0]);
  tensor.shape[0] = rows;
  tensor.elements = static_cast<std::size_t>(rows) * each;
  tensor.bytes = bytes_of(tensor.dtype, tensor.elements);
  return tensor;
}

std::size_t index_of(const Problem &problem, const std::string &tensor) {
  std::size_t at = 0;
  while (at < problem.tensors.size() && problem.tensors[at].name != tensor) ++at;
  return at;
}

Problem asking_for_probabilities(Problem problem) {
  for (TensorSpec &tensor : problem.tensors) {
    if (!tensor.distribution) continue;
    tensor.dtype = PAWL_F64;
    tensor.shape.push_back(tensor.distribution->outcomes);
    tensor.elements *= static_cast<std::size_t>(tensor.distribution->outcomes);
    tensor.bytes = bytes_of(tensor.dtype, tensor.elements);
  }
  return problem;
}

Problem read_problem(const Fields &request) {
  Problem problem;
  const std::vector<Json> &dims = request.array("dims");
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const Fields dim(dims[i], request.path("dims[" + std::to_string(i) + "]"));
    problem.dims.push_back({dim.text("name"), dim.integer("value", INT64_MIN)});
  }
  problem.scalars = read_scalars(request);
  problem.seeded = request.boolean_or("seeded", false);
  const std::vector<Json> &tensors = request.array("tensors");
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    problem.tensors.push_back(read_tensor(Fields(tensors[i], request.path("tensors[" + std::to_string(i) + "]"))));
    problem.bytes += problem.tensors.back().stored_bytes();
    if (problem.bytes > MAX_BYTES) bad_request(request.path("tensors") + " need more memory than there can be");
  }
  for (const TensorSpec &tensor : problem.tensors) {
    if (tensor.counted_by.empty()) continue;
    const std::size_t at = index_of(problem, tensor.counted_by);
    if (at == problem.tensors.size() || !problem.tensors[at].is_pure_output() || problem.tensors[at].elements != 1 ||
        is_floating(problem.tensors[at].dtype))
      bad_request("'" + tensor.counted_by + "', which counts the rows of '" + tensor.name + "', is not an output of one integer");
  }
  return problem;
}

}  // namespace pawl
