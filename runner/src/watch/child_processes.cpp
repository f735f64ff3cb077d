#include "child_processes.hpp"

#include <cstdlib>
#include <map>
#include <sstream>
#include <vector>

#include "proc.hpp"

namespace pawl {

namespace {

/** The fields of /proc/PID/stat after the name, which may hold spaces and parentheses of its own. */
std::vector<std::string> stat_fields(int pid) {
  const std::string stat = read_proc("/proc/" + std::to_string(pid) + "/stat").value_or("");
  const std::size_t after_name = stat.rfind(')');
  std::vector<std::string> fields;
  if (after_name == std::string::npos) return fields;
  std::istringstream rest(stat.substr(after_name + 1));
  for (std::string field; rest >> field;) fields.push_back(field);
  return fields;
}

/** Numbers of proc(5), from 1 on. */
long stat_field(int pid, std::size_t number) {
  const std::vector<std::string> fields = stat_fields(pid);
  return number - 3 < fields.size() ? std::strtol(fields[number - 3].c_str(), nullptr, 10) : 0;
}

}  // namespace

std::set<int> descendants(int pid) {
  std::multimap<int, int> children;
  for (const int other : numbers_in("/proc")) children.emplace(static_cast<int>(stat_field(other, 4)), other);
  std::set<int> found;
  std::vector<int> left{pid};
  while (!left.empty()) {
    const auto [from, to] = children.equal_range(left.back());
    left.pop_back();
    for (auto child = from; child != to; ++child)
      if (found.insert(child->second).second) left.push_back(child->second);
  }
  return found;
}

std::string describe_process(int pid) {
  const std::string stat = read_proc("/proc/" + std::to_string(pid) + "/stat").value_or("");
  const std::size_t open = stat.find('('), close = stat.rfind(')');
  const std::string name = close == std::string::npos ? "process" : stat.substr(open + 1, close - open - 1);
  return name + " (" + std::to_string(pid) + ")";
}

long finished_children_faults(int pid) { return stat_field(pid, 11) + stat_field(pid, 13); }

}  // namespace pawl
