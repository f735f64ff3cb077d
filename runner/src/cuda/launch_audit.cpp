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

/** A kernel function that one call launches, and how often. */
struct Launch {
  std::string name;
  std::int64_t grid[3];
  std::int64_t block[3];
  std::int64_t count;
};

Json launches_json(const std::vector<Launch> &launches) {
  const auto triple = [](const std::int64_t (&values)[3]) {
    Json list = Json::array();
    for (const std::int64_t value : values) list.add(value);
    return list;
  };
  Json list = Json::array();
  for (const Launch &launch : launches)
    list.add(Json::object()
                 .set("name", launch.name)
                 .set("grid", triple(launch.grid))
                 .set("block", triple(launch.block))
                 .set("count", launch.count));
  return list;
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

/** False where the driver does not tell the functions of a graph. */
bool list_nodes(cudaGraph_t graph, std::vector<Launch> &launches) {
  bool named = true;
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
      named = list_nodes(child, launches) && named;
    } else if (type == cudaGraphNodeTypeKernel) {
      CUDA_KERNEL_NODE_PARAMS params{};
      if (driver().node_params == nullptr || driver().node_params(node, &params) != CUDA_SUCCESS) {
        named = false;
        continue;
      }
      add(launches, {name_of(params),
                     {params.gridDimX, params.gridDimY, params.gridDimZ},
                     {params.blockDimX, params.blockDimY, params.blockDimZ},
                     1});
    }
  }
  return named;
}

}  // namespace

void list_captured_launches(Kernel &kernel, std::size_t set, cudaStream_t stream, Json &answer) {
  const auto note = [&answer](const std::string &text) {
    answer.set("notes", Json::list(std::vector<std::string>{"launches: " + text}));
  };
  PAWL_CUDA(cudaDeviceSynchronize());
  const CapturedCalls captured(kernel, set, 1, stream);
  // Work that a call puts on other streams is not captured: it runs, and is waited for before anything else is.
  PAWL_CUDA(cudaDeviceSynchronize());
  if (captured.graph() == nullptr) {
    note("a call could not be captured: " + captured.reason());
    return;
  }
  std::vector<Launch> launches;
  if (!list_nodes(captured.graph(), launches)) note("this driver does not tell the functions of a graph");
  answer.set("launches", launches_json(launches));
}

}  // namespace pawl
