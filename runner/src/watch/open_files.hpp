#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace pawl {

/**
 * Files, shared memory and sockets that a process holds open or has mapped shared, by what they are called. Left out
 * is memory with an inode of `given`, which the judge handed over.
 */
std::set<std::string> held_files(int pid, const std::set<std::uint64_t> &given);

/** Bytes that went through read and write calls of a process so far; absent where the system does not count. */
std::optional<std::uint64_t> transferred_bytes(int pid);

}  // namespace pawl
