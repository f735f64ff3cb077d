#include "serve.hpp"

#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <new>

#include <malloc.h>

#include "../cpu/pin.hpp"
#include "../error.hpp"
#include "../watch/environment.hpp"
#include "place.hpp"

namespace pawl {
namespace {

double heap_bytes() {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 33))
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
#else
  return 0;
#endif
}

class Candidate {
 public:
  explicit Candidate(Kernel &kernel) : kernel_(kernel) {}

  Json perform(const std::string &op, const Fields &request, int descriptor) {
    if (op == "run") return run(request);
    if (op == "start") return start(request);
    if (place_ == nullptr) bad_request("`start` comes first");
    if (op == "load") return kernel_.load(request, descriptor);
    if (op == "map") return map(request, descriptor);
    if (op == "case") return prepare(request);
    if (op == "workspace") return workspace(request);
    if (op == "prepared") return prepared(request);
    if (op == "prepare") return place_->prepare_inputs(kernel_, static_cast<std::size_t>(request.integer("set", 0)));
    if (op == "evict") {
      kernel_.evict(static_cast<std::size_t>(request.integer("set", 0)));
      return Json::object();
    }
    if (op == "give_back") {
      kernel_.give_back();
      return Json::object();
    }
    if (op == "forget") return forget();
    if (op == "capture") return capture(request);
    if (op == "profile") return profile(request);
    if (op == "launches") return launches();
    if (op == "settings") return settings();
    if (op == "memory") {
      const double own_bytes = kernel_.own_heap_bytes();
      return Json::object().set("heap_bytes", own_bytes + heap_bytes());
    }
    bad_request("there is no operation '" + op + "'");
  }

 private:
  Kernel &kernel_;
  std::unique_ptr<Place> place_;
  std::map<std::int64_t, void *> memory_;

  Json start(const Fields &request) {
    std::vector<int> cpus;
    for (const Json &cpu : request.array("cpus")) cpus.push_back(static_cast<int>(cpu.integer()));
    if (!cpus.empty()) pin_to(cpus);
    const bool sanitized = request.boolean_or("sanitized", false);
    if (request.choice("device", {"cpu", "cuda"}) == 0)
      place_ = make_host_place(sanitized);
    else if (make_cuda_place != nullptr)
      place_ = make_cuda_place(static_cast<int>(request.integer("device_index", 0)), sanitized);
    else
      throw RunnerError("unsupported", "this candidate was built without CUDA");
    kernel_.start(request);
    return Json::object();
  }

  Json map(const Fields &request, int descriptor) {
    if (descriptor < 0) bad_request("`map` brings a descriptor");
    memory_[request.integer("memory", 0)] =
        place_->map(descriptor, static_cast<std::size_t>(request.integer("bytes", 1)));
    return Json::object();
  }

  void *address_of(std::int64_t memory) const {
    const auto found = memory_.find(memory);
    if (found == memory_.end()) bad_request("memory " + std::to_string(memory) + " is not mapped");
    return found->second;
  }

  Json prepare(const Fields &request) {
    MappedCase mapped = read_case(request, [this](std::int64_t memory) { return address_of(memory); });
    place_->forget();
    place_->prepare(mapped);
    const std::size_t bytes = kernel_.prepare(mapped, request, place_->stream());
    return Json::object()
        .set("workspace_bytes", static_cast<std::uint64_t>(bytes))
        .set("prepared_bytes", static_cast<std::uint64_t>(kernel_.prepared_bytes()));
  }

  Json prepared(const Fields &request) {
    const auto set = static_cast<std::size_t>(request.integer("set", 0));
    auto *data = static_cast<unsigned char *>(address_of(request.integer("memory", 0))) + request.integer("offset", 0);
    const auto bytes = static_cast<std::size_t>(request.integer("bytes", 1));
    place_->use_prepared(set, data, bytes);
    kernel_.use_prepared(set, data, bytes);
    return Json::object();
  }

  Json workspace(const Fields &request) {
    auto *data = static_cast<unsigned char *>(address_of(request.integer("memory", 0)));
    kernel_.use_workspace(data + request.integer("offset", 0), static_cast<std::size_t>(request.integer("bytes", 1)));
    return Json::object();
  }

  Json forget() {
    kernel_.forget();
    place_->forget();
    for (const auto &[number, data] : memory_) place_->unmap(data);
    memory_.clear();
    return Json::object();
  }

  Json run(const Fields &request) {
    if (place_ == nullptr) bad_request("`start` comes first");
    Run run;
    for (const Json &set : request.array("sets")) run.sets.push_back(static_cast<std::size_t>(set.integer()));
    run.repeat = request.integer("repeat", 0);
    run.blocked = request.boolean_or("blocked", false);
    run.captured = request.boolean_or("captured", false);
    run.watch = request.boolean_or("watch", false);
    run.rest = request.boolean_or("rest", false);
    run.bare = request.boolean_or("bare", false);
    run.warm = request.boolean_or("warm", false);
    run.lasting_ms = request.number_or("lasting_ms", 0);
    Json answer = place_->run(kernel_, run);
    if (run.repeat > 0)
      for (const std::size_t set : run.sets) {
        const Json told = kernel_.finish(set);
        for (const Json::Member &member : told.members()) answer.set(member.first, member.second);
      }
    return answer;
  }

  Json capture(const Fields &request) {
    place_->capture(kernel_, static_cast<std::size_t>(request.integer("set", 0)), request.integer("batch", 1));
    return Json::object();
  }

  Json profile(const Fields &request) {
    place_->profile(kernel_, request.integer("launches", 1));
    kernel_.finish(0);
    return Json::object();
  }

  Json launches() {
    Json answer = Json::object();
    if (!kernel_.list_launches(0, answer)) place_->list_launches(kernel_, 0, answer);
    return answer;
  }

  Json settings() {
    Facts facts = process_settings();
    place_->list_settings(facts);
    Json list = Json::object();
    for (const auto &[name, value] : facts) list.set(name, value);
    const Json own = kernel_.own_settings();
    for (const Json::Member &member : own.members()) list.set(member.first, member.second);
    return Json::object().set("settings", std::move(list));
  }
};

}  // namespace

int serve_candidate(Wire &wire, Kernel &kernel) {
  Candidate candidate(kernel);
  while (std::optional<Parcel> parcel = wire.receive()) {
    Json answer;
    const auto failed = [&answer](const std::string &code, const std::string &message) {
      answer = Json::object().set("ok", false).set("code", code).set("message", message);
    };
    std::string op;
    try {
      op = Fields(parcel->body, "the request").text("op");
      if (op == "quit") answer = Json::object();
      else answer = candidate.perform(op, Fields(parcel->body, op), parcel->descriptor);
      answer.set("ok", true);
    } catch (const RunnerError &error) {
      failed(error.code(), error.what());
    } catch (const std::bad_alloc &) {
      failed("out-of-memory", "the kernel's process ran out of memory");
    } catch (const std::exception &error) {
      failed("internal", error.what());
    }
    const bool sent = wire.send(answer);
    // Pass on what the kernel printed only after the answer, so that its reader does not run before the judge's clock stops.
    std::fflush(stdout);
    if (!sent || op == "quit") return 0;
  }
  return 0;
}

}  // namespace pawl
