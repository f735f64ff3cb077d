// Whether a GPU compares, writes and describes elements, and lays out views, as the CPU does: prints what differs, and ends with 1 then.

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "device.hpp"
#include "device_memory.hpp"

namespace {

using namespace pawl;

constexpr std::size_t COUNT = 300007;
int differences = 0;

void expect(bool same, const std::string &what) {
  if (same) return;
  ++differences;
  std::printf("differs: %s\n", what.c_str());
}

bool near(double a, double b) { return a == b || std::fabs(a - b) <= 1e-9 * std::fmax(std::fabs(a), std::fabs(b)); }

/** The same bytes on both devices. */
struct Twin {
  DeviceMemory host, gpu;
  std::size_t bytes;
  Twin(Device &cpu, Device &cuda, std::size_t size)
      : host(cpu, size, DeviceMemory::For::runner), gpu(cuda, size, DeviceMemory::For::runner), bytes(size) {}
  void send(Device &cuda) { cuda.copy_from_host(gpu.data(), host.data(), bytes); }
  std::size_t differing(Device &cuda) const {
    std::vector<unsigned char> back(bytes);
    cuda.copy_to_host(back.data(), gpu.data(), bytes);
    std::size_t count = 0;
    for (std::size_t i = 0; i < bytes; ++i) count += back[i] != static_cast<unsigned char *>(host.data())[i];
    return count;
  }
};

void check_type(Device &cpu, Device &cuda, pawl_dtype dtype) {
  const std::string name = "type " + std::to_string(dtype);
  const std::size_t size = dtype_bytes(dtype), bytes = bytes_of(dtype, COUNT);
  Twin got(cpu, cuda, bytes), other(cpu, cuda, bytes), want(cpu, cuda, COUNT * dtype_bytes(widest(dtype)));
  Fill fill;
  if (is_floating(dtype)) {
    fill.kind = FillKind::nonfinite;
    fill.specials = SPECIAL_NAN | SPECIAL_INF | SPECIAL_MINUS_INF;
    fill.b = 0.001;
  } else {
    fill.kind = FillKind::integers;
    fill.a = 0;
    fill.b = 100;
  }
  const std::size_t numbers = COUNT * part_count(dtype);
  // Half of the last byte is nobody's where a byte holds two.
  for (Twin *twin : {&got, &other}) cpu.set_bytes(twin->host.data(), 0, bytes);
  cpu.fill(got.host.data(), part_dtype(dtype), numbers, fill, 7);
  cpu.fill(other.host.data(), part_dtype(dtype), numbers, fill, 8);
  cpu.widen(want.host.data(), widest(dtype), got.host.data(), dtype, COUNT);
  got.send(cuda);
  other.send(cuda);
  cuda.widen(want.gpu.data(), widest(dtype), got.gpu.data(), dtype, COUNT);
  expect(want.differing(cuda) == 0, name + ", widened");

  // Some right elements, some off by little, some wrong.
  for (std::size_t i = 0; i < COUNT; i += 3) {
    if (is_floating(dtype))
      static_cast<double *>(want.host.data())[i] *= 1 + 1e-3 * static_cast<double>(i % 7);
    else
      static_cast<std::int64_t *>(want.host.data())[i] += static_cast<std::int64_t>(i % 5);
  }
  want.send(cuda);
  for (const double atol : {0.0, 1e-3, 2.0}) {
    const auto compared = [&](Device &device, void *own, void *right) {
      return device.compare({own, right, dtype, COUNT, atol, 1e-3, 0});
    };
    const Compared a = compared(cpu, got.host.data(), want.host.data());
    const Compared b = compared(cuda, got.gpu.data(), want.gpu.data());
    const std::string at = name + " with atol " + std::to_string(atol);
    expect(a.tally.mismatches == b.tally.mismatches && a.tally.misplaced == b.tally.misplaced, at + ": mismatches");
    expect(a.tally.numbers == b.tally.numbers && a.tally.worst == b.tally.worst, at + ": worst");
    expect(near(a.tally.worst_err, b.tally.worst_err) && near(a.tally.max_abs_err, b.tally.max_abs_err), at + ": errors");
    expect(near(a.tally.max_rel_err, b.tally.max_rel_err), at + ": relative errors");
    expect(near(a.tally.squared_errors, b.tally.squared_errors), at + ": squared errors");
    expect(near(a.tally.squared_wanted, b.tally.squared_wanted), at + ": squared values");
    expect(a.spread.counts == b.spread.counts, at + ": spread");
  }
  const auto described = [&](Device &device, void *right, void *reference) {
    return device.describe({right, reference, dtype, COUNT, 1e-3, 1e-2, 0});
  };
  const Description a = described(cpu, want.host.data(), other.host.data());
  const Description b = described(cuda, want.gpu.data(), other.gpu.data());
  expect(a.numbers == b.numbers && near(a.sum, b.sum) && near(a.squares, b.squares) && near(a.low, b.low) &&
             near(a.high, b.high) && near(a.beyond, b.beyond), name + ": description");
  for (const int poison : {-1, 0xFF, 0x55}) {
    const Difference one = cpu.difference({got.host.data(), other.host.data(), size, pieces(dtype, COUNT), poison});
    const Difference two = cuda.difference({got.gpu.data(), other.gpu.data(), size, pieces(dtype, COUNT), poison});
    expect(one.unwritten == two.unwritten && one.differing == two.differing, name + ": difference");
  }
  const Answer answers[] = {{Answer::Of::bytes, 0xFF}, {Answer::Of::constant, 1.5}};
  for (const Answer &answer : answers) {
    cpu.write({other.host.data(), dtype, COUNT, want.host.data()}, answer);
    cuda.write({other.gpu.data(), dtype, COUNT, want.gpu.data()}, answer);
    expect(other.differing(cuda) == 0, name + ": a constant answer");
  }
  for (const Answer::Of of : {Answer::Of::tensor, Answer::Of::half_of_tensor}) {
    cpu.write({other.host.data(), dtype, COUNT}, {of, 0, got.host.data(), dtype, 3});
    cuda.write({other.gpu.data(), dtype, COUNT}, {of, 0, got.gpu.data(), dtype, 3});
    expect(other.differing(cuda) == 0, name + ": a tensor as an answer");
  }
  cpu.write({other.host.data(), dtype, COUNT, want.host.data()}, {Answer::Of::wide, 0.5, want.host.data()});
  cuda.write({other.gpu.data(), dtype, COUNT, want.gpu.data()}, {Answer::Of::wide, 0.5, want.gpu.data()});
  expect(other.differing(cuda) == 0, name + ": half of what is right");
}

/** 300 rows of 500, so far apart along both axes. */
void check_view(Device &cpu, Device &cuda, std::int64_t down, std::int64_t along, bool overlaps) {
  const std::string name = "a view of strides " + std::to_string(down) + ", " + std::to_string(along);
  View view;
  view.rank = 2;
  view.shape[0] = 300;
  view.shape[1] = 500;
  view.strides[0] = down;
  view.strides[1] = along;
  view.offset = 5;
  view.elements = 300 * 500;
  view.stored = static_cast<std::size_t>(5 + 299 * down + 499 * along + 1);
  view.may_overlap = overlaps;
  Fill fill;
  fill.kind = FillKind::integers;
  fill.b = 1e6;
  Twin stored(cpu, cuda, 4 * view.stored), again(cpu, cuda, 4 * view.stored), taken(cpu, cuda, 4 * view.elements);
  const auto on_both = [&](const auto &act) {
    act(cpu, stored.host.data(), taken.host.data(), again.host.data());
    act(cuda, stored.gpu.data(), taken.gpu.data(), again.gpu.data());
  };
  on_both([&](Device &device, void *storage, void *, void *other) {
    device.set_bytes(storage, 0xFF, stored.bytes);
    device.set_bytes(other, 0xFF, again.bytes);
    device.fill_view(storage, PAWL_I32, view, fill, 7);
  });
  expect(stored.differing(cuda) == 0, name + ": filled");
  on_both([&](Device &device, void *storage, void *, void *) {
    device.refresh_view({storage, PAWL_I32, view.elements, fill, 7, 0, 9}, view);
    device.refresh_view({storage, PAWL_I32, view.elements, fill, 7, 9, 11}, view);
  });
  expect(stored.differing(cuda) == 0, name + ": refreshed");
  on_both([&](Device &device, void *storage, void *elements, void *other) {
    device.gather(elements, storage, view, 4);
    device.scatter(other, elements, view, 4);
  });
  expect(taken.differing(cuda) == 0, name + ": gathered");
  expect(again.differing(cuda) == 0 && std::memcmp(again.host.data(), stored.host.data(), stored.bytes) == 0,
         name + ": scattered");
}

}  // namespace

int main() {
  const auto cpu = make_cpu_device(1);
  const auto cuda = make_cuda_device(0);
  for (const pawl_dtype dtype : {PAWL_F64, PAWL_F32, PAWL_F16, PAWL_BF16, PAWL_I64, PAWL_I32, PAWL_I16, PAWL_I8,
                                 PAWL_U8, PAWL_U16, PAWL_U32, PAWL_U64, PAWL_BOOL, PAWL_F8E4M3, PAWL_F8E5M2, PAWL_C64, PAWL_C128,
                                 PAWL_F4E2M1})
    check_type(*cpu, *cuda, dtype);
  check_view(*cpu, *cuda, 1, 300, false);
  check_view(*cpu, *cuda, 1600, 3, false);
  check_view(*cpu, *cuda, 0, 1, true);
  check_view(*cpu, *cuda, 1, 1, true);
  std::printf(differences == 0 ? "the GPU compares as the CPU does\n" : "%d differences\n", differences);
  return differences == 0 ? 0 : 1;
}
