#include "shared_memory.hpp"

#include <cuda.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <vector>

#include "../error.hpp"

namespace pawl {
namespace {

/** The driver's functions for memory that can be exported; looked up, so that the program starts without a driver. */
struct Driver {
  CUresult (*create)(CUmemGenericAllocationHandle *, std::size_t, const CUmemAllocationProp *, unsigned long long);
  CUresult (*release)(CUmemGenericAllocationHandle);
  CUresult (*reserve)(CUdeviceptr *, std::size_t, std::size_t, CUdeviceptr, unsigned long long);
  CUresult (*free)(CUdeviceptr, std::size_t);
  CUresult (*map)(CUdeviceptr, std::size_t, std::size_t, CUmemGenericAllocationHandle, unsigned long long);
  CUresult (*unmap)(CUdeviceptr, std::size_t);
  CUresult (*set_access)(CUdeviceptr, std::size_t, const CUmemAccessDesc *, std::size_t);
  CUresult (*export_handle)(void *, CUmemGenericAllocationHandle, CUmemAllocationHandleType, unsigned long long);
  CUresult (*import_handle)(CUmemGenericAllocationHandle *, void *, CUmemAllocationHandleType);
  CUresult (*granularity)(std::size_t *, const CUmemAllocationProp *, CUmemAllocationGranularity_flags);
  CUresult (*error_string)(CUresult, const char **);
};

const Driver &driver() {
  static const Driver found = [] {
    Driver functions{};
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    const auto find = [&](auto &function, const char *name) {
      function = library == nullptr
                     ? nullptr
                     : reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      if (function == nullptr) throw RunnerError("unsupported", std::string("the CUDA driver has no ") + name);
    };
    find(functions.create, "cuMemCreate");
    find(functions.release, "cuMemRelease");
    find(functions.reserve, "cuMemAddressReserve");
    find(functions.free, "cuMemAddressFree");
    find(functions.map, "cuMemMap");
    find(functions.unmap, "cuMemUnmap");
    find(functions.set_access, "cuMemSetAccess");
    find(functions.export_handle, "cuMemExportToShareableHandle");
    find(functions.import_handle, "cuMemImportFromShareableHandle");
    find(functions.granularity, "cuMemGetAllocationGranularity");
    find(functions.error_string, "cuGetErrorString");
    return functions;
  }();
  return found;
}

void check(CUresult result, const std::string &what) {
  if (result == CUDA_SUCCESS) return;
  const char *text = nullptr;
  driver().error_string(result, &text);
  const char *code = result == CUDA_ERROR_OUT_OF_MEMORY ? "out-of-memory"
                     : result == CUDA_ERROR_NOT_SUPPORTED ? "unsupported"
                                                          : "device-error";
  throw RunnerError(code, what + ": " + (text == nullptr ? "unknown error" : text));
}

CUmemAllocationProp properties(int device) {
  CUmemAllocationProp wanted{};
  wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  wanted.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  wanted.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  return wanted;
}

std::size_t whole_pages(int device, std::size_t bytes) {
  const CUmemAllocationProp wanted = properties(device);
  std::size_t page = 0;
  check(driver().granularity(&page, &wanted, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED), "cuMemGetAllocationGranularity");
  return (bytes + page - 1) / page * page;
}

}  // namespace

void *CudaSharedMemory::map_handle(int device, unsigned long long handle, std::size_t bytes, int descriptor,
                                   std::size_t mapped_bytes) {
  CUdeviceptr address = 0;
  check(driver().reserve(&address, mapped_bytes, 0, 0, 0), "cuMemAddressReserve");
  check(driver().map(address, mapped_bytes, 0, handle, 0), "cuMemMap");
  const CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, device}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  check(driver().set_access(address, mapped_bytes, &access, 1), "cuMemSetAccess");
  void *data = reinterpret_cast<void *>(address);
  parts_[data] = {descriptor, bytes, mapped_bytes, handle};
  return data;
}

void *CudaSharedMemory::allocate(int device, std::size_t bytes) {
  const std::size_t mapped_bytes = whole_pages(device, bytes);
  const CUmemAllocationProp wanted = properties(device);
  CUmemGenericAllocationHandle handle = 0;
  check(driver().create(&handle, mapped_bytes, &wanted, 0),
        "cuMemCreate of " + std::to_string(mapped_bytes) + " bytes");
  int descriptor = -1;
  check(driver().export_handle(&descriptor, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
        "cuMemExportToShareableHandle");
  return map_handle(device, handle, bytes, descriptor, mapped_bytes);
}

unsigned long long CudaSharedMemory::hold(int device, std::size_t bytes) {
  const CUmemAllocationProp wanted = properties(device);
  CUmemGenericAllocationHandle handle = 0;
  return driver().create(&handle, whole_pages(device, bytes), &wanted, 0) == CUDA_SUCCESS ? handle : 0;
}

void CudaSharedMemory::let_go(unsigned long long handle) { driver().release(handle); }

void *CudaSharedMemory::map(int device, int descriptor, std::size_t bytes) {
  CUmemGenericAllocationHandle handle = 0;
  check(driver().import_handle(&handle, reinterpret_cast<void *>(static_cast<std::intptr_t>(descriptor)),
                               CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
        "cuMemImportFromShareableHandle");
  close(descriptor);
  return map_handle(device, handle, bytes, -1, whole_pages(device, bytes));
}

bool CudaSharedMemory::release(const void *data) {
  const auto found = parts_.find(data);
  if (found == parts_.end()) return false;
  const auto address = reinterpret_cast<CUdeviceptr>(data);
  // Nothing can be done about a failure here, and after a lost device every call fails.
  driver().unmap(address, found->second.mapped_bytes);
  driver().free(address, found->second.mapped_bytes);
  driver().release(found->second.handle);
  if (found->second.descriptor >= 0) close(found->second.descriptor);
  parts_.erase(found);
  return true;
}

std::pair<int, std::size_t> CudaSharedMemory::descriptor_of(const void *data) const {
  const Part &part = parts_.at(data);
  return {part.descriptor, part.bytes};
}

CudaSharedMemory::~CudaSharedMemory() {
  std::vector<const void *> all;
  for (const auto &[data, part] : parts_) all.push_back(data);
  for (const void *data : all) release(data);
}

}  // namespace pawl
