#include "launch_audit.hpp"

#include <cuda.h>
#include <cxxabi.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>

#include "cuda_error.hpp"
#include "graph_replay.hpp"

namespace pawl {
namespace {

/** The driver's own functions: a kernel brings a CUDA runtime of its own, whose functions ours does not know. */
struct Driver {
  CUresult (*node_params)(CUgraphNode, CUDA_KERNEL_NODE_PARAMS *) = nullptr;
  CUresult (*function_name)(const char **, CUfunction) = nullptr;
  CUresult (*kernel_name)(const char **, CUkernel) = nullptr;
};

const Driver &driver() {
  static const Driver found = [] {
    Driver functions;
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return functions;
    const auto find = [&](auto &function, const char *name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
    };
    find(functions.node_params, "cuGraphKernelNodeGetParams_v2");
    find(functions.function_name, "cuFuncGetName");  // from CUDA 12.3 on
    find(functions.kernel_name, "cuKernelGetName");
    return functions;
  }();
  return found;
}

std::string demangled(const char *name) {
  int status = 0;
  char *text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  const std::string result = status == 0 && text != nullptr ? text : name;
  std::free(text);
  return result;
}

std::string name_of(const CUDA_KERNEL_NODE_PARAMS &params) {
  const char *name = nullptr;
  if (params.func != nullptr && driver().function_name != nullptr &&
      driver().function_name(&name, params.func) == CUDA_SUCCESS && name != nullptr)
    return demangled(name);
  if (params.kern != nullptr && driver().kernel_name != nullptr &&
      driver().kernel_name(&name, params.kern) == CUDA_SUCCESS && name != nullptr)
    return demangled(name);
  return "a function without a name";
}

void add(std::vector<Launch> &launches, const Launch &launch) {
  for (Launch &known : launches)
    if (known.name == launch.name && std::equal(known.grid, known.grid + 3, launch.grid) &&
        std::equal(known.block, known.block + 3, launch.block)) {
      ++known.count;
      return;
    }
  launches.push_back(launch);
}

struct Contents {
  /** Whether every node can be run again: neither host code nor host memory that may be gone by then. */
  bool repeatable = true;
  bool named = true;
};

void list_nodes(cudaGraph_t graph, std::vector<Launch> &launches, Contents &contents) {
  std::size_t count = 0;
  PAWL_CUDA(cudaGraphGetNodes(graph, nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  PAWL_CUDA(cudaGraphGetNodes(graph, nodes.data(), &count));
  for (const cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type{};
    PAWL_CUDA(cudaGraphNodeGetType(node, &type));
    if (type == cudaGraphNodeTypeGraph) {
      cudaGraph_t child = nullptr;
      PAWL_CUDA(cudaGraphChildGraphNodeGetGraph(node, &child));
      list_nodes(child, launches, contents);
    } else if (type == cudaGraphNodeTypeKernel) {
      CUDA_KERNEL_NODE_PARAMS params{};
      if (driver().node_params == nullptr || driver().node_params(node, &params) != CUDA_SUCCESS) {
        contents.named = false;
        continue;
      }
      add(launches, {name_of(params),
                     {params.gridDimX, params.gridDimY, params.gridDimZ},
                     {params.blockDimX, params.blockDimY, params.blockDimZ},
                     1});
    } else if (type != cudaGraphNodeTypeMemset && type != cudaGraphNodeTypeEmpty) {
      contents.repeatable = false;
    }
  }
}

std::size_t poison_left(Device &device, const PreparedCase &prepared, std::size_t set) {
  std::vector<Elements> searched;
  const std::vector<TensorSpec> &tensors = prepared.problem().tensors;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].is_pure_output() && is_floating(tensors[i].dtype))
      searched.push_back({prepared.data(set, i), dtype_bytes(tensors[i].dtype), tensors[i].elements});
  return searched.empty() ? 0 : device.count_poisoned(searched);
}

/** Runs what was captured, and nothing else, on poisoned outputs. */
void replay_alone(Device &device, PreparedCase &prepared, std::size_t set, cudaGraph_t graph, cudaStream_t stream,
                  AuditReport &report) {
  prepared.poison_outputs(set);
  device.run_once(prepared, set);
  device.wait_for_all();
  if (poison_left(device, prepared, set) > 0) return;  // `unwritten-output` says so
  cudaGraphExec_t executable = nullptr;
  if (const cudaError_t error = cudaGraphInstantiate(&executable, graph, 0); error != cudaSuccess) {
    cudaGetLastError();
    report.notes.push_back(std::string("work-elsewhere: what a call queues could not be run alone: ") +
                           cudaGetErrorString(error));
    return;
  }
  prepared.restore_inouts(set);
  prepared.poison_outputs(set);
  const cudaError_t launched = cudaGraphLaunch(executable, stream);
  const cudaError_t ended = cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(executable);
  check_cuda(launched, "cudaGraphLaunch");
  check_cuda(ended, "cudaStreamSynchronize");
  if (const std::size_t left = poison_left(device, prepared, set); left > 0)
    report.found("work-elsewhere", "what a call puts on the stream it was given leaves " + std::to_string(left) +
                                       " elements of the outputs unwritten: the rest of its work runs elsewhere");
}

}  // namespace

void audit_captured_call(Device &device, PreparedCase &prepared, std::size_t set, cudaStream_t stream,
                         AuditReport &report) {
  device.wait_for_all();
  const CapturedCalls captured(prepared, set, 1, stream);
  // Work that a call puts on other streams is not captured: it runs, and is waited for before anything else is.
  device.wait_for_all();
  if (captured.queued_nothing()) {
    report.found("work-elsewhere", "a call queues nothing on the stream that it was given and that is timed");
    return;
  }
  if (captured.graph() == nullptr) {
    report.notes.push_back("launches: a call could not be captured: " + captured.reason());
    // The kernel's own CUDA runtime may still hold the error of what a capture forbids; a call of no account takes it.
    prepared.run(set);
    device.wait_for_all();
    return;
  }
  Contents contents;
  list_nodes(captured.graph(), report.launches, contents);
  if (!contents.named) report.notes.push_back("launches: this driver does not tell the functions of a graph");
  if (contents.repeatable) replay_alone(device, prepared, set, captured.graph(), stream, report);
}

}  // namespace pawl
