// The operator in C++, for kernels in C, C++ and CUDA. table.hpp, which `pawl export --torch` wrote, says what it is;
// the kernels' libraries, loaded by `open`, are those that were measured.
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <c10/core/DeviceGuard.h>
#include <dlfcn.h>
#include <torch/library.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#ifdef PAWL_TORCH_CUDA
#include <c10/cuda/CUDAStream.h>
#endif

#include "pawl_kernel.h"
#include "table.hpp"

namespace {

// Pawl measures at 256 bytes. PyTorch's allocator on the CPU gives 64, which is as much as any vector load asks for.
constexpr std::uintptr_t ALIGNMENT = table::CUDA ? 256 : 64;
constexpr int TENSOR_COUNT = static_cast<int>(std::size(table::TENSORS));
constexpr int ROW_COUNT = static_cast<int>(std::size(table::ROWS));
constexpr int LIBRARY_COUNT = static_cast<int>(std::size(table::LIBRARIES));

struct Library {
  decltype(&pawl_run) run = nullptr;
  decltype(&pawl_workspace_bytes) workspace_bytes = nullptr;
  decltype(&pawl_error_text) error_text = nullptr;
};

Library libraries[LIBRARY_COUNT];

template <class Function>
Function function_of(void *handle, const char *name) {
  return reinterpret_cast<Function>(dlsym(handle, name));
}

/** Names of one variant must not meet those of another: each library keeps its own. */
void open(const std::string &folder) {
  for (int i = 0; i < LIBRARY_COUNT; ++i) {
    const std::string path = folder + "/" + table::LIBRARIES[i];
    void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    TORCH_CHECK(handle != nullptr, table::NAME, ": ", dlerror());
    libraries[i].run = function_of<decltype(&pawl_run)>(handle, "pawl_run");
    TORCH_CHECK(libraries[i].run != nullptr, table::NAME, ": ", path, " has no pawl_run");
    libraries[i].workspace_bytes = function_of<decltype(&pawl_workspace_bytes)>(handle, "pawl_workspace_bytes");
    libraries[i].error_text = function_of<decltype(&pawl_error_text)>(handle, "pawl_error_text");
  }
}

/** The values that a call is found by. */
struct Key {
  int64_t dims[std::max<int>(1, table::DIM_COUNT)] = {};
  double scalars[std::max<int>(1, table::SCALAR_COUNT)] = {};

  bool fits(const table::Row &row) const {
    return std::equal(dims, dims + table::DIM_COUNT, row.dims) &&
           std::equal(scalars, scalars + table::SCALAR_COUNT, row.scalars);
  }

  std::string text() const {
    std::ostringstream words;
    for (int i = 0; i < table::DIM_COUNT; ++i) words << (i > 0 ? ", " : "") << table::DIMS[i].name << "=" << dims[i];
    for (int i = 0; i < table::SCALAR_COUNT; ++i) words << ", " << table::SCALARS[i].name << "=" << scalars[i];
    return words.str();
  }
};

const table::Row &find(const Key &key) {
  for (const table::Row &row : table::ROWS)
    if (key.fits(row)) return row;
  TORCH_CHECK(false, table::NAME, " was not proven for ", key.text(), ". Proven shapes: ", table::SHAPES,
              ". Give it a fallback for others: ", table::NAMESPACE, ".use_fallback(function).");
}

void require_form(const table::Tensor &form, const at::Tensor &tensor) {
  TORCH_CHECK(tensor.scalar_type() == form.type, table::NAME, ": ", form.name, " is of ", tensor.scalar_type(),
              "; it was proven with ", form.type);
  TORCH_CHECK(tensor.device().is_cuda() == table::CUDA, table::NAME, ": ", form.name, " is on ", tensor.device());
  TORCH_CHECK(!(tensor.requires_grad() && at::GradMode::is_enabled()), table::NAME, " has no backward pass, and ",
              form.name, " requires a gradient: use torch.no_grad()");
}

void require_layout(const table::Tensor &form, const at::Tensor &tensor, const table::Row &row) {
  const int64_t *shape = row.extents + form.first;
  const int64_t *strides = row.strides + form.first;
  TORCH_CHECK(tensor.dim() == form.rank && std::equal(shape, shape + form.rank, tensor.sizes().begin()), table::NAME,
              ": ", form.name, " has shape ", tensor.sizes(), "; with these dimensions it is ",
              at::IntArrayRef(shape, form.rank));
  if (!form.is_view) {
    TORCH_CHECK(tensor.is_contiguous(), table::NAME, ": ", form.name,
                " is not contiguous; it was proven contiguous: call .contiguous() first");
  } else {
    for (int axis = 0; axis < form.rank; ++axis)
      TORCH_CHECK(shape[axis] == 1 || tensor.stride(axis) == strides[axis], table::NAME, ": ", form.name,
                  " has strides ", tensor.strides(), "; it was proven with ", at::IntArrayRef(strides, form.rank));
  }
  TORCH_CHECK(reinterpret_cast<std::uintptr_t>(tensor.data_ptr()) % ALIGNMENT == 0, table::NAME, ": the data of ",
              form.name, " does not begin at a multiple of ", ALIGNMENT, " bytes: clone it first");
}

#ifdef PAWL_TORCH_CUDA
/** Asked of the driver, which PyTorch has loaded: its own headers for this need all of CUDA's libraries. */
std::string device_name(int index) {
  void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  TORCH_CHECK(driver != nullptr, table::NAME, ": ", dlerror());
  const auto get = function_of<int (*)(int *, int)>(driver, "cuDeviceGet");
  const auto get_name = function_of<int (*)(char *, int, int)>(driver, "cuDeviceGetName");
  char name[256] = {};
  int device = 0;
  TORCH_CHECK(get != nullptr && get_name != nullptr && get(&device, index) == 0 &&
                  get_name(name, sizeof name - 1, device) == 0,
              table::NAME, ": the driver does not say what GPU ", index, " is");
  return name;
}

/** Another model of device was not proven, nor a second one in a process: kernels keep facts of the first they see. */
void require_device(const at::Device &device) {
  static std::atomic<int> used{-1};
  const int index = device.index();
  if (used == index) return;
  const char *other = std::getenv("PAWL_TORCH_OTHER_DEVICE");
  const std::string name = device_name(index);
  TORCH_CHECK(name == table::DEVICE_NAME || (other != nullptr && std::strcmp(other, "1") == 0), table::NAME,
              " was proven and measured on ", table::DEVICE_NAME, ", and this is ", name,
              ": export it here, or set PAWL_TORCH_OTHER_DEVICE=1 and run `python -m ", table::NAMESPACE, ".selftest`");
  int none = -1;
  TORCH_CHECK(used.compare_exchange_strong(none, index) || none == index, table::NAME, " ran on GPU ", none,
              " of this process, and was proven on one GPU per process: start a process for GPU ", index);
}
#endif

at::Tensor empty(at::IntArrayRef shape, at::ScalarType type, const at::Device &device) {
  return at::empty(shape, at::TensorOptions().dtype(type).device(device));
}

void call(const c10::OperatorHandle &, torch::jit::Stack *stack) {
  const auto arguments = torch::jit::last(*stack, table::ARGUMENT_COUNT);
  at::Tensor tensors[TENSOR_COUNT];
  std::size_t next = 0;
  for (int i = 0; i < TENSOR_COUNT; ++i) {
    if (table::TENSORS[i].role == table::OUTPUT) continue;
    tensors[i] = arguments[next++].toTensor();
    require_form(table::TENSORS[i], tensors[i]);
  }
  Key key;
  for (int i = 0; i < table::DIM_COUNT; ++i) {
    const table::Dim &dim = table::DIMS[i];
    if (dim.tensor < 0) {
      key.dims[i] = arguments[next++].toInt();
      continue;
    }
    const at::Tensor &tensor = tensors[dim.tensor];
    TORCH_CHECK(dim.axis < tensor.dim(), table::NAME, ": ", table::TENSORS[dim.tensor].name, " has ", tensor.dim(),
                " axes, and ", dim.name, " is its axis ", dim.axis);
    key.dims[i] = tensor.size(dim.axis);
  }
  for (int i = 0; i < table::SCALAR_COUNT; ++i) key.scalars[i] = arguments[next++].toScalar().toDouble();
  const table::Row &row = find(key);
  const at::Device device = tensors[table::FIRST_INPUT].device();
  for (int i = 0; i < TENSOR_COUNT; ++i) {
    if (table::TENSORS[i].role == table::OUTPUT) continue;
    TORCH_CHECK(tensors[i].device() == device, table::NAME, ": tensors are on ", device, " and on ",
                tensors[i].device());
    require_layout(table::TENSORS[i], tensors[i], row);
  }
  void *stream = nullptr;
#ifdef PAWL_TORCH_CUDA
  require_device(device);
  const c10::DeviceGuard guard(device);
  stream = c10::cuda::getCurrentCUDAStream(device.index()).stream();
#endif

  pawl_tensor handed[TENSOR_COUNT];
  for (int i = 0; i < TENSOR_COUNT; ++i) {
    const table::Tensor &form = table::TENSORS[i];
    const int64_t *shape = row.extents + form.first;
    if (form.role == table::OUTPUT) tensors[i] = empty({shape, static_cast<std::size_t>(form.rank)}, form.type, device);
    handed[i] = {form.name, tensors[i].data_ptr(), shape, form.rank, form.dtype};
  }
  pawl_dim dims[std::max<int>(1, table::DIM_COUNT)];
  for (int i = 0; i < table::DIM_COUNT; ++i) dims[i] = {table::DIMS[i].name, key.dims[i]};
  pawl_scalar scalars[std::max<int>(1, table::SCALAR_COUNT)];
  for (int i = 0; i < table::SCALAR_COUNT; ++i) {
    const table::Scalar &form = table::SCALARS[i];
    const double value = form.dtype == PAWL_F32 ? static_cast<float>(key.scalars[i]) : key.scalars[i];
    const bool is_integer = form.dtype == PAWL_I64 || form.dtype == PAWL_I32;
    scalars[i] = {form.name, value, is_integer ? static_cast<int64_t>(value) : 0, form.dtype};
  }
  pawl_call made = {handed, dims, TENSOR_COUNT, table::DIM_COUNT, stream, nullptr, 0, scalars, table::SCALAR_COUNT,
                    nullptr, 0};
  const Library &library = libraries[row.library];
  TORCH_CHECK(library.run != nullptr, table::NAME, ": its libraries are not open");
  at::Tensor workspace;
  const std::size_t bytes = library.workspace_bytes == nullptr ? 0 : library.workspace_bytes(&made);
  if (bytes > 0) {
    // As the judge gives it to a kernel; PyTorch's allocator on a GPU does so by itself.
    workspace = empty({static_cast<int64_t>(bytes) + 256}, at::kByte, device);
    const auto address = reinterpret_cast<std::uintptr_t>(workspace.data_ptr());
    made.workspace = reinterpret_cast<void *>((address + 255) / 256 * 256);
    made.workspace_bytes = bytes;
  }
  const int code = library.run(&made);
  if (code != 0) {
    const char *text = library.error_text == nullptr ? nullptr : library.error_text(code);
    TORCH_CHECK(false, table::NAME, ": the kernel failed with ", code, text == nullptr ? "" : ": ",
                text == nullptr ? "" : text);
  }
  torch::jit::drop(*stack, table::ARGUMENT_COUNT);
  for (int i = 0; i < TENSOR_COUNT; ++i)
    if (table::TENSORS[i].role == table::OUTPUT) torch::jit::push(*stack, std::move(tensors[i]));
}

}  // namespace

// The schema is defined in Python, where the rest of the operator is.
#define PAWL_LIBRARY(name, m) TORCH_LIBRARY(name, m)
#define PAWL_LIBRARY_IMPL(name, key, m) TORCH_LIBRARY_IMPL(name, key, m)

PAWL_LIBRARY(PAWL_NATIVE_NAMESPACE, m) { m.def("open(str folder) -> ()", &open); }

#ifdef PAWL_TORCH_CUDA
PAWL_LIBRARY_IMPL(PAWL_NAMESPACE, CUDA, m)
#else
PAWL_LIBRARY_IMPL(PAWL_NAMESPACE, CPU, m)
#endif
{ m.impl(table::NAME, torch::CppFunction::makeFromBoxedFunction<&call>()); }
