#pragma once

#include <string>

#include "json.hpp"

namespace pawl {

/** Fields of a candidate's answer, which may have any form: what is not there or of another kind says nothing. */
inline double number_in(const Json &answer, const char *name) {
  const Json *value = answer.find(name);
  return value != nullptr && value->kind() == Json::Kind::number ? value->number() : 0;
}

inline std::string text_in(const Json &answer, const char *name) {
  const Json *value = answer.find(name);
  return value != nullptr && value->kind() == Json::Kind::string ? value->string() : "";
}

inline bool true_in(const Json &answer, const char *name) {
  const Json *value = answer.find(name);
  return value != nullptr && value->kind() == Json::Kind::boolean && value->boolean();
}

}  // namespace pawl
