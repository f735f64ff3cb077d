#pragma once

#include <cstdlib>
#include <string>

namespace pawl {

/**
 * The name of an Arm core by the numbers of its maker, which is all that /proc/cpuinfo has of it: "CPU implementer"
 * and "CPU part" (Arm's MIDR_EL1 register). What kernels are measured on has a name here; others keep their numbers.
 */
inline std::string arm_core_name(const std::string &implementer, const std::string &part) {
  struct Core {
    unsigned long implementer, part;
    const char *name;
  };
  constexpr Core CORES[] = {
      {0x41, 0xd03, "Cortex-A53"},  {0x41, 0xd07, "Cortex-A57"},   {0x41, 0xd08, "Cortex-A72"},
      {0x41, 0xd0b, "Cortex-A76"},  {0x41, 0xd41, "Cortex-A78"},   {0x41, 0xd42, "Cortex-A78AE"},
      {0x41, 0xd0c, "Neoverse-N1"}, {0x41, 0xd49, "Neoverse-N2"},  {0x41, 0xd8e, "Neoverse-N3"},
      {0x41, 0xd40, "Neoverse-V1"}, {0x41, 0xd4f, "Neoverse-V2"},  {0x41, 0xd84, "Neoverse-V3"},
      {0x4e, 0x004, "Carmel"},      {0xc0, 0xac3, "Ampere-1"},     {0xc0, 0xac4, "Ampere-1a"},
  };
  const unsigned long maker = std::strtoul(implementer.c_str(), nullptr, 0);
  const unsigned long number = std::strtoul(part.c_str(), nullptr, 0);
  for (const Core &core : CORES)
    if (core.implementer == maker && core.part == number) return core.name;
  return "Arm " + implementer + " " + part;
}

}  // namespace pawl
