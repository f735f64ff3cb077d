#pragma once

#include <string>

#include "pawl_kernel.h"

namespace pawl {

/** The name of a library's file; `otherwise` where it is the name that all libraries in Pawl's cache have. */
std::string spoken_name(const std::string &path, const std::string &otherwise);

/** A shared library, open until the process ends: code of a kernel may still be on a stack or a stream. */
class Library {
 public:
  /**
   * Loads `descriptor` instead of the file at the path, where there is one. Throws `load-failed`. The descriptor has to
   * stay open where more libraries come: the loader knows what it has by its name, and the number is in the name.
   */
  explicit Library(const std::string &path, int descriptor = -1);
  /** Throws `load-failed` when the library has no such symbol. */
  void *symbol(const char *name) const;
  void *optional_symbol(const char *name) const;
  /** The file's name without its folders. */
  std::string name() const;

 private:
  std::string path_;
  void *handle_;
};

/** The functions of runner/include/pawl_kernel.h that a kernel has. */
class KernelLibrary {
 public:
  /** Closes the descriptor: a process has one kernel. */
  KernelLibrary(const std::string &path, const std::string &function, int descriptor = -1,
                const std::string &prepare = "");
  /** Non-zero, or an exception, is the kernel's failure; see `fail`. */
  int run(const pawl_call *call) const;
  std::size_t workspace_bytes(const pawl_call *call) const;
  /** 0 where it prepares nothing. */
  std::size_t prepared_bytes(const pawl_call *call) const;
  /** Throws `kernel-failed`. */
  void prepare(const pawl_call *call) const;
  /** Throws `kernel-failed` with the kernel's own words where it has them. */
  [[noreturn]] void fail(int status) const;

 private:
  Library library_;
  std::string function_;
  int (*run_)(const pawl_call *);
  std::size_t (*workspace_bytes_)(const pawl_call *);
  const char *(*error_text_)(int);
  /** Empty: it prepares nothing. */
  std::string preparing_;
  int (*prepare_)(const pawl_call *) = nullptr;
  std::size_t (*prepared_bytes_)(const pawl_call *) = nullptr;

  [[noreturn]] void fail(const std::string &function, int status) const;
};

}  // namespace pawl
