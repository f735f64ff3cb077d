#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "json.hpp"

namespace pawl {

/** Typed access to the fields of a request. Whatever is missing or of the wrong type is a `bad-request`. */
class Fields {
 public:
  /** `where` names the object in messages: "prepare", "prepare.tensors[0]". */
  Fields(const Json &object, std::string where);

  const Json &json() const { return object_; }
  bool has(const std::string &name) const { return object_.find(name) != nullptr; }
  /** The field as it is, or nullptr. */
  const Json *find(const std::string &name) const { return object_.find(name); }
  std::string text(const std::string &name) const;
  std::int64_t integer(const std::string &name, std::int64_t low,
                       std::int64_t high = std::numeric_limits<std::int64_t>::max()) const;
  double number(const std::string &name) const;
  double number_or(const std::string &name, double otherwise) const;
  bool boolean_or(const std::string &name, bool otherwise) const;
  std::string text_or(const std::string &name, const std::string &otherwise) const;
  /** Decimal digits of an unsigned 64-bit number, as text: JSON numbers lose the upper bits. */
  std::uint64_t seed(const std::string &name) const;
  /** One of the words, as its index. */
  std::size_t choice(const std::string &name, const std::vector<std::string> &words) const;
  const std::vector<Json> &array(const std::string &name) const;
  Fields object(const std::string &name) const;
  std::string path(const std::string &name) const { return where_ + "." + name; }

 private:
  const Json &object_;
  std::string where_;

  const Json &get(const std::string &name, Json::Kind kind, const char *expected) const;
};

}  // namespace pawl
