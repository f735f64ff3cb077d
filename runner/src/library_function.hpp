#pragma once

#include "python_function.hpp"

namespace pawl {

/**
 * A function of a library in C, C++ or CUDA that serves the judge (pawl_judge.h): what makes inputs, or what judges
 * outputs. Its process is one that kernels are loaded into.
 */
class LibraryFunction final : public PythonFunction {
 public:
  /** `start`: how such a process is started. `code` names the library, and `memory: device` where it wants that. */
  LibraryFunction(CandidateStart start, Device &device, const Fields &code, const char *function)
      : PythonFunction(loading(std::move(start), code, function), on_device(device, code)) {}

  bool is_library() const override { return true; }

 private:
  static CandidateStart loading(CandidateStart start, const Fields &code, const char *function) {
    start.code = Json::object().set("library", code.text("library")).set("function", function);
    start.sha256 = code.text_or("sha256", "");
    return start;
  }
  static bool on_device(Device &device, const Fields &code) {
    return device.stream() != nullptr && code.has("memory") && code.choice("memory", {"host", "device"}) == 1;
  }
};

}  // namespace pawl
