#pragma once

#include "../wire.hpp"
#include "kernel.hpp"

namespace pawl {

/** Does what the judge asks for until it says `quit` or is gone; the process's exit status. */
int serve_candidate(Wire &wire, Kernel &kernel);

}  // namespace pawl
