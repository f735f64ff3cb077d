#include "rules.hpp"

#include "error.hpp"

namespace pawl {
namespace {

Rules read_rule(const Fields &fields) {
  Rules rules{fields.number("atol"), fields.number("rtol")};
  if (rules.atol < 0 || rules.rtol < 0) bad_request("a tolerance is negative");
  if (fields.has("factor")) rules.factor = fields.number("factor");
  if (rules.factor && !(*rules.factor > 0)) bad_request(fields.path("factor") + " is not positive");
  rules.share = fields.number_or("share", 1);
  if (!(rules.share > 0 && rules.share <= 1)) bad_request(fields.path("share") + " is not above 0 and at most 1");
  return rules;
}

}  // namespace

bool RuleSet::want_reference() const {
  if (general.factor) return true;
  for (const auto &[output, rules] : outputs)
    if (rules.factor) return true;
  return false;
}

RuleSet read_rules(const Fields &request) {
  RuleSet rules{read_rule(request)};
  if (!request.has("outputs")) return rules;
  const Fields outputs = request.object("outputs");
  for (const Json::Member &member : outputs.json().members())
    rules.outputs.emplace(member.first, read_rule(Fields(member.second, outputs.path(member.first))));
  return rules;
}

}  // namespace pawl
