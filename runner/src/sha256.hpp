#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace pawl {

using Digest = std::array<std::uint8_t, 32>;
using Key = std::array<std::uint8_t, 32>;

/** FIPS 180-4. */
Digest sha256(std::string_view data);
/** RFC 2104. */
Digest hmac_sha256(const Key &key, std::string_view data);
std::string hex(const Digest &digest);

}  // namespace pawl
