#include "fields.hpp"

#include <charconv>

#include "error.hpp"

namespace pawl {

Fields::Fields(const Json &object, std::string where) : object_(object), where_(std::move(where)) {
  if (object.kind() != Json::Kind::object) bad_request(where_ + " is not an object");
}

const Json &Fields::get(const std::string &name, Json::Kind kind, const char *expected) const {
  const Json *value = object_.find(name);
  if (value == nullptr) bad_request(path(name) + " is missing; " + expected + " was expected");
  if (value->kind() != kind) bad_request(path(name) + " is not " + expected);
  return *value;
}

std::string Fields::text(const std::string &name) const { return get(name, Json::Kind::string, "a string").string(); }

std::int64_t Fields::integer(const std::string &name, std::int64_t low, std::int64_t high) const {
  const Json &value = get(name, Json::Kind::number, "an integer");
  if (!value.is_integer()) bad_request(path(name) + " is not an integer");
  if (value.integer() < low || value.integer() > high)
    bad_request(path(name) + " is " + value.text() + ", outside " + std::to_string(low) + " to " + std::to_string(high));
  return value.integer();
}

double Fields::number(const std::string &name) const { return get(name, Json::Kind::number, "a number").number(); }

double Fields::number_or(const std::string &name, double otherwise) const {
  return has(name) ? number(name) : otherwise;
}

bool Fields::boolean_or(const std::string &name, bool otherwise) const {
  return has(name) ? get(name, Json::Kind::boolean, "true or false").boolean() : otherwise;
}

std::string Fields::text_or(const std::string &name, const std::string &otherwise) const {
  return has(name) ? text(name) : otherwise;
}

std::uint64_t Fields::seed(const std::string &name) const {
  const std::string digits = text(name);
  std::uint64_t value = 0;
  const char *end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || stopped != end)
    bad_request(path(name) + " is not the decimal digits of an unsigned 64-bit number");
  return value;
}

std::size_t Fields::choice(const std::string &name, const std::vector<std::string> &words) const {
  const std::string word = text(name);
  std::string known;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == word) return i;
    known += (i > 0 ? ", " : "") + words[i];
  }
  bad_request(path(name) + " is '" + word + "'; one of " + known + " was expected");
}

const std::vector<Json> &Fields::array(const std::string &name) const {
  return get(name, Json::Kind::array, "an array").items();
}

Fields Fields::object(const std::string &name) const {
  return Fields(get(name, Json::Kind::object, "an object"), path(name));
}

}  // namespace pawl
