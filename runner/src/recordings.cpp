#include "recordings.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.hpp"
#include "sha256.hpp"

namespace pawl {
namespace {

[[noreturn]] void failed(const TensorSpec &tensor, const RecordedFile &file, const std::string &why) {
  throw RunnerError("generator-failed", file.path + ", which '" + tensor.name + "' is recorded in, " + why);
}

std::vector<unsigned char> read_bytes(const TensorSpec &tensor, const RecordedFile &file, std::size_t bytes) {
  const int descriptor = open(file.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) failed(tensor, file, std::string("cannot be read: ") + std::strerror(errno));
  struct stat found{};
  const bool plain = fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode);
  // Before memory is taken for it: a file that shrank cannot ask for more than it has.
  const auto size = static_cast<std::size_t>(plain ? found.st_size : 0);
  std::vector<unsigned char> data(size >= file.offset && size - file.offset >= bytes ? bytes : 0);
  std::size_t got = 0;
  while (got < data.size()) {
    const ssize_t part = pread(descriptor, data.data() + got, data.size() - got, static_cast<off_t>(file.offset + got));
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) break;
    got += static_cast<std::size_t>(part);
  }
  close(descriptor);
  if (got != bytes) failed(tensor, file, "is shorter than it was");
  if (hex(sha256(std::string_view(reinterpret_cast<const char *>(data.data()), data.size()))) != file.sha256)
    failed(tensor, file, "is not what it was when pawl.yaml was read");
  return data;
}

std::vector<unsigned char> contents(const TensorSpec &tensor, const RecordedFile &file) {
  const pawl_dtype from = tensor.recorded->dtype;
  std::vector<unsigned char> read = read_bytes(tensor, file, bytes_of(from, tensor.elements));
  if (tensor.dtype == PAWL_BOOL && std::any_of(read.begin(), read.end(), [](unsigned char byte) { return byte > 1; }))
    failed(tensor, file, "holds bytes that are neither 0 nor 1, and bool is declared");
  if (from == tensor.dtype) return read;
  std::vector<unsigned char> rounded(tensor.bytes);
  for (std::size_t i = 0; i < tensor.elements; ++i)
    store_element(rounded.data(), tensor.dtype, i, load_floating(read.data(), from, i));
  return rounded;
}

}  // namespace

Recordings::Recordings(Device &device, Problem &problem) {
  for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
    TensorSpec &tensor = problem.tensors[t];
    if (!tensor.recorded || tensor.is_pure_output()) continue;
    std::vector<DeviceMemory> &memory = memory_[t];
    for (const RecordedFile &file : tensor.recorded->files) {
      const std::vector<unsigned char> bytes = contents(tensor, file);
      memory.emplace_back(device, tensor.bytes, DeviceMemory::For::runner);
      device.copy_from_host(memory.back().data(), bytes.data(), tensor.bytes);
    }
    tensor.fill.recorded = memory[0].data();
    most_ = std::max(most_, memory.size());
  }
}

std::size_t Recordings::chosen(std::uint64_t seed, std::size_t stream) const {
  return most_ == 1 ? 0 : mix(mix(seed) ^ stream) % most_;
}

Fill Recordings::fill(const TensorSpec &spec, std::size_t tensor, std::size_t which) const {
  const std::vector<DeviceMemory> &memory = memory_.at(tensor);
  Fill fill = spec.fill;
  fill.recorded = memory[which % memory.size()].data();
  return fill;
}

}  // namespace pawl
