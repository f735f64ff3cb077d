#include "case_contents.hpp"

#include "error.hpp"
#include "kept_tensor.hpp"
#include "random_bits.hpp"

namespace pawl {
namespace {

/** Elements of the storage that a view leaves out: NaN, or -1. Code that reads one has the strides wrong. */
constexpr unsigned char OUTSIDE_OF_VIEW = 0xFF;

/** The stream of a tensor's fresh elements. Never 0, which says that there are none. */
std::uint64_t fresh_stream(std::uint64_t seed, std::uint64_t key, std::size_t tensor, std::size_t set) {
  return key == 0 ? 0 : stream_key(mix(seed) + key, tensor, set) | 1;
}

/** What is recorded changes by whole elements, or by whole bytes where those hold two. */
pawl_dtype whole_dtype(const TensorSpec &spec) { return is_packed(spec.dtype) ? PAWL_U8 : spec.dtype; }

}  // namespace

CaseContents::CaseContents(Device &device, Problem &problem, std::uint64_t seed, InputGenerator *generator)
    : device_(device), problem_(problem), seed_(seed), generator_(generator), recordings_(device, problem) {}

bool CaseContents::differ() const {
  for (const TensorSpec &tensor : problem_.tensors)
    if (!tensor.is_pure_output() && !tensor.recorded) return true;
  return false;
}

void CaseContents::fill(std::size_t tensor, std::uint64_t seed, std::size_t stream, void *data) {
  const TensorSpec &spec = problem_.tensors[tensor];
  if (generator_ != nullptr) {
    put_generated(tensor, generated_seed(seed, stream, 0), data);
    return;
  }
  const Source from = source(tensor, seed, stream);
  if (!spec.recorded) {
    fill_by(from.fill, from.key, spec, data);
    return;
  }
  lay_out(spec, from.fill.recorded, data);
  if (from.key == 0) return;
  const Refresh places{data, whole_dtype(spec), pieces(spec.dtype, spec.elements), from.fill, 0, 0, from.key};
  if (spec.view)
    device_.refresh_view(places, *spec.view);
  else
    device_.refresh({places});
}

void CaseContents::fill_by(const Fill &fill, std::uint64_t key, const TensorSpec &spec, void *data) {
  if (!spec.view) {
    device_.fill(data, part_dtype(spec.dtype), spec.numbers(), fill, key);
    return;
  }
  device_.set_bytes(data, OUTSIDE_OF_VIEW, spec.stored_bytes());
  device_.fill_view(data, part_dtype(spec.dtype), spec.view_of_numbers(), fill, key);
}

void CaseContents::fill_anew(std::size_t tensor, void *data) {
  fill_by(problem_.tensors[tensor].fill, random_bits(), problem_.tensors[tensor], data);
}

void CaseContents::lay_out(const TensorSpec &spec, const void *elements, void *data) {
  if (!spec.view) {
    device_.copy(data, elements, spec.bytes);
    return;
  }
  device_.set_bytes(data, OUTSIDE_OF_VIEW, spec.stored_bytes());
  device_.scatter(data, elements, *spec.view, dtype_bytes(spec.dtype));
}

void CaseContents::put_generated(std::size_t tensor, std::uint64_t seed, void *data) {
  const TensorSpec &spec = problem_.tensors[tensor];
  const KeptTensor &made = generator_->make(device_, problem_, seed)[tensor];
  lay_out(spec, made.data(), data);
  if (!spec.view || !spec.view->may_overlap) return;
  const KeptTensor laid_out(device_, spec.bytes);
  device_.gather(laid_out.data(), data, *spec.view, dtype_bytes(spec.dtype));
  if (device_.hash({{laid_out.data(), spec.bytes, 0}}) != device_.hash({{made.data(), spec.bytes, 0}}))
    throw RunnerError("generator-failed", "the generator made different values for elements of '" + spec.name +
                                              "' that lie at one place by its strides");
}

CaseContents::Source CaseContents::source(std::size_t tensor, std::uint64_t seed, std::size_t stream) const {
  const TensorSpec &spec = problem_.tensors[tensor];
  const std::size_t own = stream == AS_RECORDED ? 0 : stream;
  const std::uint64_t key = stream_key(seed, tensor, own);
  if (!spec.recorded) return {spec.fill, key};
  // Never 0, which says that nothing changes.
  return {recordings_.fill(spec, tensor, recordings_.chosen(seed, own)),
          stream == AS_RECORDED || !spec.recorded->vary ? 0 : key | 1};
}

std::uint64_t CaseContents::generated_seed(std::uint64_t seed, std::size_t stream, std::uint64_t key) const {
  // Those for keys are the same for all sets and seeds: what is made once serves for all repetitions.
  if (key != 0) return mix(seed_) + generator_->worth_making() + mix(key) % generator_->worth_making();
  // The first one tells how many others are worth making.
  return mix(seed) + (stream == 0 ? 0 : stream % generator_->worth_making());
}

void CaseContents::change(const Changed &changed) {
  std::vector<Refresh> refreshed;
  for (std::size_t i = 0; i < problem_.tensors.size(); ++i) {
    const TensorSpec &tensor = problem_.tensors[i];
    if (tensor.is_pure_output() || stay(i) || (!changed.with_inouts && !tensor.is_read_only())) continue;
    if (generator_ != nullptr) {
      put_generated(i, generated_seed(changed.seed, changed.stream, changed.key), changed.data[i]);
      continue;
    }
    if (tensor.recorded && !tensor.recorded->vary) continue;
    const Source from = source(i, changed.seed, changed.stream);
    const bool whole = tensor.recorded.has_value();
    const Refresh places{changed.data[i], whole ? whole_dtype(tensor) : part_dtype(tensor.dtype),
                         whole ? pieces(tensor.dtype, tensor.elements) : tensor.numbers(), from.fill, from.key,
                         tensor.is_read_only() ? fresh_stream(changed.seed, changed.key_before, i, changed.set) : 0,
                         fresh_stream(changed.seed, changed.key, i, changed.set)};
    if (tensor.view)
      device_.refresh_view(places, whole ? *tensor.view : tensor.view_of_numbers());
    else
      refreshed.push_back(places);
  }
  if (!refreshed.empty()) device_.refresh(refreshed);
}

}  // namespace pawl
