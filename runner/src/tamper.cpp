#include "tamper.hpp"

#include <cstring>
#include <utility>

namespace pawl {

void report(std::vector<Tamper> &found, Tamper tamper) {
  for (const Tamper &known : found)
    if (known.tensor == tamper.tensor && std::strcmp(known.detector, tamper.detector) == 0) return;
  found.push_back(std::move(tamper));
}

void report_all(std::vector<Tamper> &found, const std::vector<Tamper> &more) {
  for (const Tamper &tamper : more) report(found, tamper);
}

Json tampering_json(const std::vector<Tamper> &tampering) {
  Json list = Json::array();
  for (const Tamper &tamper : tampering) {
    Json item = Json::object().set("detector", tamper.detector);
    if (!tamper.tensor.empty()) item.set("tensor", tamper.tensor);
    list.add(std::move(item.set("message", tamper.message)));
  }
  return list;
}

}  // namespace pawl
