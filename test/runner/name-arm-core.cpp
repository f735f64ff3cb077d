// The name of an Arm core, on any machine: `name-arm-core IMPLEMENTER PART`.
#include <cstdio>

#include "cpu/arm_core_name.hpp"

int main(int count, char **arguments) {
  if (count != 3) return 2;
  std::fputs(pawl::arm_core_name(arguments[1], arguments[2]).c_str(), stdout);
}
