#include "json.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace pawl {
namespace {

/** Deeper than any request; bounds the recursion on hostile input. */
constexpr int MAX_DEPTH = 64;

/** Length of the valid UTF-8 sequence at `at`, or 0 (Unicode 15, table 3-7). */
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return tail(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (!tail(1) || !tail(2)) return 0;
    if (lead == 0xE0 && byte(1) < 0xA0) return 0;
    if (lead == 0xED && byte(1) > 0x9F) return 0;
    return 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (!tail(1) || !tail(2) || !tail(3)) return 0;
    if (lead == 0xF0 && byte(1) < 0x90) return 0;
    if (lead == 0xF4 && byte(1) > 0x8F) return 0;
    return 4;
  }
  return 0;
}

void append_utf8(std::string &out, std::uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Json document() {
    Json value = this->value(0);
    skip_space();
    if (at_ != text_.size()) fail("something follows the value");
    return value;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;

  [[noreturn]] void fail(const std::string &what) const {
    throw JsonError(what + " at byte " + std::to_string(at_));
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n'))
      ++at_;
  }
  bool take(char expected) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != expected) return false;
    ++at_;
    return true;
  }
  void word(std::string_view expected) {
    if (text_.substr(at_, expected.size()) != expected) fail("not a JSON value");
    at_ += expected.size();
  }

  Json value(int depth) {
    if (depth > MAX_DEPTH) fail("too deeply nested");
    skip_space();
    switch (peek()) {
      case '{': return object(depth);
      case '[': return array(depth);
      case '"': return Json(string());
      case 't': word("true"); return Json(true);
      case 'f': word("false"); return Json(false);
      case 'n': word("null"); return Json();
      default: return number();
    }
  }

  Json object(int depth) {
    Json result = Json::object();
    ++at_;
    if (take('}')) return result;
    do {
      skip_space();
      if (peek() != '"') fail("a member name was expected");
      std::string name = string();
      if (!take(':')) fail("':' was expected");
      result.set(std::move(name), value(depth + 1));
    } while (take(','));
    if (!take('}')) fail("'}' was expected");
    return result;
  }

  Json array(int depth) {
    Json result = Json::array();
    ++at_;
    if (take(']')) return result;
    do {
      result.add(value(depth + 1));
    } while (take(','));
    if (!take(']')) fail("']' was expected");
    return result;
  }

  std::uint32_t hex4() {
    std::uint32_t code = 0;
    const char *begin = text_.data() + at_;
    if (text_.size() - at_ < 4) fail("four hex digits were expected");
    const auto [end, error] = std::from_chars(begin, begin + 4, code, 16);
    if (error != std::errc() || end != begin + 4) fail("four hex digits were expected");
    at_ += 4;
    return code;
  }

  std::string string() {
    std::string result;
    ++at_;
    while (true) {
      if (at_ >= text_.size()) fail("a string does not end");
      const char c = text_[at_];
      if (static_cast<unsigned char>(c) < 0x20) fail("a control character in a string");
      ++at_;
      if (c == '"') return result;
      if (c != '\\') {
        result += c;
        continue;
      }
      const char escape = peek();
      ++at_;
      switch (escape) {
        case '"': case '\\': case '/': result += escape; break;
        case 'b': result += '\b'; break;
        case 'f': result += '\f'; break;
        case 'n': result += '\n'; break;
        case 'r': result += '\r'; break;
        case 't': result += '\t'; break;
        case 'u': append_utf8(result, escaped_code()); break;
        default: fail("an unknown escape");
      }
    }
  }

  /** A lone surrogate has no UTF-8 form and reads as U+FFFD. */
  std::uint32_t escaped_code() {
    const std::uint32_t first = hex4();
    if (first < 0xD800 || first > 0xDFFF) return first;
    if (first > 0xDBFF || text_.substr(at_, 2) != "\\u") return 0xFFFD;
    at_ += 2;
    const std::uint32_t second = hex4();
    if (second < 0xDC00 || second > 0xDFFF) return 0xFFFD;
    return 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
  }

  Json number() {
    const std::size_t start = at_;
    const auto digits = [&] {
      const std::size_t from = at_;
      while (peek() >= '0' && peek() <= '9') ++at_;
      return at_ - from;
    };
    if (peek() == '-') ++at_;
    const std::size_t first_digit = at_;
    const std::size_t integer_digits = digits();
    if (integer_digits == 0) fail("not a JSON value");
    if (integer_digits > 1 && text_[first_digit] == '0') fail("a number starts with 0");
    bool integral = true;
    if (peek() == '.') {
      integral = false;
      ++at_;
      if (digits() == 0) fail("a digit was expected");
    }
    if (peek() == 'e' || peek() == 'E') {
      integral = false;
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      if (digits() == 0) fail("a digit was expected");
    }
    const char *begin = text_.data() + start;
    const char *end = text_.data() + at_;
    if (integral) {
      std::int64_t value = 0;
      if (std::from_chars(begin, end, value).ec == std::errc()) return Json(value);
    }
    double value = 0;
    if (std::from_chars(begin, end, value).ec != std::errc()) fail("a number is out of range");
    return Json(value);
  }
};

void write_string(std::string &out, std::string_view text) {
  static const char *const hex = "0123456789abcdef";
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const auto c = static_cast<unsigned char>(text[at]);
    const std::size_t length = utf8_length(text, at);
    if (length == 0) {
      out += "\\ufffd";
      ++at;
      continue;
    }
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c < 0x20) {
      out += "\\u00";
      out += hex[c >> 4];
      out += hex[c & 15];
    } else {
      out += text.substr(at, length);
    }
    at += length;
  }
  out += '"';
}

}  // namespace

Json::Json(std::uint64_t value) : kind_(Kind::number), number_(static_cast<double>(value)) {
  if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    is_integer_ = true;
    integer_ = static_cast<std::int64_t>(value);
  }
}

Json::Json(double value) {
  if (!std::isfinite(value)) return;
  kind_ = Kind::number;
  number_ = value;
  // 2^53: every integral double below it is exactly one integer.
  if (std::fabs(value) <= 9007199254740992.0 && std::trunc(value) == value) {
    is_integer_ = true;
    integer_ = static_cast<std::int64_t>(value);
  }
}

Json Json::array() {
  Json result;
  result.kind_ = Kind::array;
  return result;
}

Json Json::object() {
  Json result;
  result.kind_ = Kind::object;
  return result;
}

Json Json::parse(std::string_view text) { return Parser(text).document(); }

const Json *Json::find(std::string_view name) const {
  for (auto member = members_.rbegin(); member != members_.rend(); ++member)
    if (member->first == name) return &member->second;
  return nullptr;
}

Json &Json::add(Json item) {
  items_.push_back(std::move(item));
  return *this;
}

Json &Json::set(std::string name, Json value) {
  members_.emplace_back(std::move(name), std::move(value));
  return *this;
}

std::string Json::text() const {
  std::string out;
  write(out);
  return out;
}

void Json::write(std::string &out) const {
  char digits[32];
  switch (kind_) {
    case Kind::null: out += "null"; return;
    case Kind::boolean: out += boolean_ ? "true" : "false"; return;
    case Kind::string: write_string(out, string_); return;
    case Kind::number: {
      // to_chars is the shortest text that reads back as the same double, in every locale a kernel may set.
      const auto end = is_integer_ ? std::to_chars(digits, digits + sizeof digits, integer_)
                                   : std::to_chars(digits, digits + sizeof digits, number_);
      out.append(digits, end.ptr);
      return;
    }
    case Kind::array: {
      out += '[';
      for (std::size_t i = 0; i < items_.size(); ++i) {
        if (i > 0) out += ',';
        items_[i].write(out);
      }
      out += ']';
      return;
    }
    case Kind::object: {
      out += '{';
      for (std::size_t i = 0; i < members_.size(); ++i) {
        if (i > 0) out += ',';
        write_string(out, members_[i].first);
        out += ':';
        members_[i].second.write(out);
      }
      out += '}';
      return;
    }
  }
}

}  // namespace pawl
