/** A kernel in another language, behind the functions of runner/include/pawl_candidate.h. */
#include <string>
#include <vector>

#include "../cpu/cache_lines.hpp"
#include "../error.hpp"
#include "kernel.hpp"
#include "pawl_candidate.h"
#include "serve.hpp"

namespace pawl {
namespace {

/** What the hook that runs has told. One thread calls hooks, and it calls one at a time. */
std::string told;

class HookedKernel final : public Kernel {
 public:
  explicit HookedKernel(const pawl_hooks &hooks) : hooks_(hooks) {}

  void start(const Fields &request) override {
    told.clear();
    answered(hooks_.start(request.json().text().c_str()));
  }
  Json load(const Fields &request, int) override {
    told.clear();
    return answered(hooks_.load(request.json().text().c_str()));
  }
  std::size_t prepare(const MappedCase &mapped, const Fields &request, void *) override {
    std::vector<std::uint64_t> addresses;
    for (const std::vector<void *> &set : mapped.sets)
      for (void *data : set) addresses.push_back(reinterpret_cast<std::uint64_t>(data));
    told.clear();
    answered(hooks_.prepare(request.json().text().c_str(), addresses.data(), addresses.size()));
    return 0;
  }
  void use_workspace(void *, std::size_t) override {}
  void use_stream(void *) override {}
  void forget() override {
    told.clear();
    answered(hooks_.forget());
  }
  Json prepare_inputs(std::size_t set) override {
    told.clear();
    return answered(hooks_.prepare_inputs(set));
  }
  void evict(std::size_t set) override {
    told.clear();
    answered(hooks_.evict(set));
  }
  void give_back() override {
    told.clear();
    answered(hooks_.give_back());
  }
  int run(std::size_t set) override { return hooks_.run(set); }
  Json finish(std::size_t set) override {
    told.clear();
    return answered(hooks_.finish(set));
  }
  [[noreturn]] void fail(int) const override {
    const Json answer = parsed();
    const Json *code = answer.find("code"), *message = answer.find("message");
    throw RunnerError(code == nullptr ? "internal" : code->string(),
                      message == nullptr ? "the kernel failed without a word" : message->string());
  }

  bool captures() const override { return true; }
  void capture(std::size_t set, std::int64_t batch) override {
    told.clear();
    answered(hooks_.capture(set, batch));
  }
  int run_captured() override { return hooks_.run_captured(); }
  bool list_launches(std::size_t, Json &answer) override {
    told.clear();
    answer = answered(hooks_.list_launches());
    return true;
  }
  double own_heap_bytes() override {
    told.clear();
    const Json answer = answered(hooks_.measure_memory());
    const Json *bytes = answer.find("heap_bytes");
    return bytes != nullptr && bytes->is_integer() ? static_cast<double>(bytes->integer()) : 0;
  }
  Json own_settings() override {
    told.clear();
    return answered(hooks_.list_settings());
  }

 private:
  pawl_hooks hooks_;

  static Json parsed() {
    try {
      return told.empty() ? Json::object() : Json::parse(told);
    } catch (const JsonError &) {
      return Json::object();
    }
  }
  Json answered(int status) const {
    if (status != 0) fail(status);
    return parsed();
  }
};

}  // namespace
}  // namespace pawl

extern "C" __attribute__((visibility("default"))) int pawl_candidate_serve(int socket, const pawl_hooks *hooks) {
  pawl::Wire wire(socket);
  pawl::HookedKernel kernel(*hooks);
  return pawl::serve_candidate(wire, kernel);
}

extern "C" __attribute__((visibility("default"))) void pawl_candidate_tell(const char *json) { pawl::told = json; }

extern "C" __attribute__((visibility("default"))) void pawl_candidate_evict(std::uint64_t address, std::uint64_t bytes) {
  pawl::flush_lines(reinterpret_cast<const void *>(address), bytes);
  pawl::wait_for_flushes();
}
