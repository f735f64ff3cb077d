#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pawl {

class JsonError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/** A JSON value. Objects keep the order in which members were added, so that answers read as documented. */
class Json {
 public:
  enum class Kind { null, boolean, number, string, array, object };
  using Member = std::pair<std::string, Json>;

  Json() = default;
  Json(bool value) : kind_(Kind::boolean), boolean_(value) {}
  Json(int value) : Json(static_cast<std::int64_t>(value)) {}
  Json(std::int64_t value)
      : kind_(Kind::number), is_integer_(true), integer_(value), number_(static_cast<double>(value)) {}
  Json(std::uint64_t value);
  /** NaN and infinities have no JSON form and become null. */
  Json(double value);
  Json(const char *value) : kind_(Kind::string), string_(value) {}
  Json(std::string value) : kind_(Kind::string), string_(std::move(value)) {}

  static Json array();
  static Json object();
  template <typename T>
  static Json list(const std::vector<T> &values) {
    Json result = array();
    for (const T &value : values) result.add(Json(value));
    return result;
  }
  /** Throws JsonError with the offset of the first offending byte. */
  static Json parse(std::string_view text);

  Kind kind() const { return kind_; }
  bool is_integer() const { return is_integer_; }
  bool boolean() const { return boolean_; }
  double number() const { return number_; }
  std::int64_t integer() const { return integer_; }
  const std::string &string() const { return string_; }
  const std::vector<Json> &items() const { return items_; }
  const std::vector<Member> &members() const { return members_; }
  /** The member of that name, or nullptr. The last one wins where a name is repeated. */
  const Json *find(std::string_view name) const;

  Json &add(Json item);
  Json &set(std::string name, Json value);
  /** One line of valid UTF-8, whatever bytes the strings hold. */
  std::string text() const;

 private:
  Kind kind_ = Kind::null;
  bool boolean_ = false;
  bool is_integer_ = false;
  std::int64_t integer_ = 0;
  double number_ = 0;
  std::string string_;
  std::vector<Json> items_;
  std::vector<Member> members_;

  void write(std::string &out) const;
};

}  // namespace pawl
