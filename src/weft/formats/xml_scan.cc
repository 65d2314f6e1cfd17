#include "weft/formats/xml_scan.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "weft/base/printable.h"
#include "weft/formats/fields.h"
#include "weft/formats/limits.h"

namespace weft::formats {
namespace {

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool continues_name(char c) { return starts_name(c) || is_digit(c) || c == '-' || c == '.'; }

// A name as messages show it: foreign names can be of any length.
std::string shown(std::string_view name) { return printable(name.substr(0, whole_characters(name, 40))); }

class Scanner {
 public:
  explicit Scanner(const SourceText& source) : source_(source), text_(source.text) {}

  Result<XmlOutline> run() {
    if (auto fit = check_whole(); !fit) return fail(fit.error());
    skip_blanks();
    while (at_ < text_.size()) {
      if (auto step = next(); !step) return fail(step.error());
    }
    if (!open_.empty()) return fail(cut(text_.size()));
    if (outline_.elements == 0) return fail(not_xml(0));
    return outline_;
  }

 private:
  struct Open {
    std::string_view name;
    std::size_t offset;
  };

  Result<void> check_whole() {
    if (trim(text_).empty()) {
      return fail(input_error("WEFT-FMT-0101", "the file is empty")
                      .at(source_.position(0))
                      .with_hint("write it again: a job that dies before NCCL has started leaves an empty file"));
    }
    if (text_.size() > kMaxFileBytes) {
      return fail(input_error("WEFT-FMT-0102", "the file has " + std::to_string(text_.size() >> 20) +
                                                   " MiB, more than the " + std::to_string(kMaxFileBytes >> 20) +
                                                   " MiB that are read")
                      .at(source_.position(0))
                      .with_hint("a topology file has well under 1 MiB; is this the right file?"));
    }
    const std::size_t zero = text_.find('\0');
    if (zero != std::string_view::npos) {
      return fail(
          input_error("WEFT-FMT-0103", "the file is not text: it holds a zero byte")
              .at(source_.position(zero))
              .with_expected("XML in UTF-8")
              .with_hint(
                  "a file in UTF-16 can be turned with iconv -f UTF-16 -t UTF-8; a compressed one with gzip -d"));
    }
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;  // byte order mark
    return {};
  }

  Result<void> next() {
    if (text_[at_] != '<') return text_run();
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("<!--")) return skip_to("<!--", "-->", "comment");
    if (rest.starts_with("<![CDATA[")) return skip_to("<![CDATA[", "]]>", "CDATA section");
    if (rest.starts_with("<?")) return skip_to("<?", "?>", "processing instruction");
    if (rest.starts_with("<!")) return skip_doctype();
    if (rest.starts_with("</")) return close_tag();
    return open_tag();
  }

  Result<void> text_run() {
    const std::size_t begin = at_;
    const std::size_t end = text_.find('<', at_);
    at_ = end == std::string_view::npos ? text_.size() : end;
    if (!open_.empty()) return {};
    const std::string_view run = text_.substr(begin, at_ - begin);
    if (trim(run).empty()) return {};
    std::size_t offset = begin;
    while (is_space(text_[offset])) ++offset;
    if (outline_.elements == 0) return fail(not_xml(offset));
    return fail(input_error("WEFT-FMT-0105", "text after the end of <" + shown(outline_.root) + ">")
                    .at(source_.position(offset))
                    .with_expected("nothing, or a comment")
                    .with_hint("cut the file after </" + shown(outline_.root) + ">"));
  }

  Result<void> skip_to(std::string_view begin, std::string_view end, std::string_view what) {
    const std::size_t found = text_.find(end, at_ + begin.size());
    if (found == std::string_view::npos) {
      return fail(input_error("WEFT-FMT-0104", "the " + std::string(what) + " that begins here is not closed")
                      .at(source_.position(at_))
                      .with_expected(std::string(end))
                      .with_hint("the file seems cut" + open_story()));
    }
    at_ = found + end.size();
    return {};
  }

  // <!DOCTYPE …>: brackets and quotes are respected, nothing in it is used.
  Result<void> skip_doctype() {
    const std::size_t begin = at_;
    int brackets = 0;
    for (at_ += 2; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        const std::size_t closing = text_.find(c, at_ + 1);
        if (closing == std::string_view::npos) break;
        at_ = closing;
      } else if (c == '[') {
        ++brackets;
      } else if (c == ']') {
        --brackets;
      } else if (c == '>' && brackets <= 0) {
        ++at_;
        return {};
      }
    }
    return fail(input_error("WEFT-FMT-0104", "the declaration that begins here is not closed")
                    .at(source_.position(begin))
                    .with_expected(">")
                    .with_hint("the file seems cut"));
  }

  std::string_view take_name() {
    const std::size_t begin = at_;
    if (at_ < text_.size() && starts_name(text_[at_])) {
      while (at_ < text_.size() && continues_name(text_[at_])) ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

  void skip_blanks() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  Result<void> close_tag() {
    const std::size_t begin = at_;
    at_ += 2;
    const std::string_view name = take_name();
    skip_blanks();
    if (at_ >= text_.size()) return fail(cut(text_.size()));
    if (text_[at_] != '>' || open_.empty() || open_.back().name != name) {
      Error error = input_error("WEFT-FMT-0106", "</" + shown(name) + "> closes nothing that is open here");
      if (!open_.empty()) {
        error.message = "</" + shown(name) + "> where </" + shown(open_.back().name) + "> is due";
        error.hint = "<" + shown(open_.back().name) + "> was opened at line " +
                     std::to_string(source_.position(open_.back().offset).line);
      }
      return fail(std::move(error).at(source_.position(begin)));
    }
    ++at_;
    open_.pop_back();
    return {};
  }

  Result<void> open_tag() {
    const std::size_t begin = at_++;
    const std::string_view name = take_name();
    if (name.empty()) {
      if (at_ >= text_.size()) return fail(cut(begin));
      if (outline_.elements == 0) return fail(not_xml(begin));
      return fail(input_error("WEFT-FMT-0107", "\"<\" without the name of an element")
                      .at(source_.position(begin))
                      .with_expected("a tag such as <pci …>"));
    }
    if (outline_.elements > 0 && open_.empty()) {
      return fail(input_error("WEFT-FMT-0105", "a second root element <" + shown(name) + ">")
                      .at(source_.position(begin))
                      .with_expected("one <" + shown(outline_.root) + "> in a file")
                      .with_hint("several dumps in one file? split them, one file each"));
    }
    if (outline_.elements == 0) {
      outline_.root = name;
      outline_.root_offset = begin;
    }
    if (++outline_.elements > kMaxElements) {
      return fail(input_error("WEFT-FMT-0108", "more than " + std::to_string(kMaxElements) + " elements")
                      .at(source_.position(begin))
                      .with_hint("a topology of a whole rack has a few thousand; is this the right file?"));
    }
    if (open_.size() >= static_cast<std::size_t>(kMaxDepth)) {
      return fail(input_error("WEFT-FMT-0108", "elements nested more than " + std::to_string(kMaxDepth) + " deep")
                      .at(source_.position(begin))
                      .with_hint("PCIe bridges nest about 10 deep at most; is this the right file?"));
    }
    return attributes({name, begin});
  }

  Result<void> attributes(Open tag) {
    for (std::size_t count = 0;; ++count) {
      skip_blanks();
      if (at_ >= text_.size()) return fail(cut_in_tag(tag));
      if (text_[at_] == '>') {
        ++at_;
        open_.push_back(tag);
        outline_.depth = std::max(outline_.depth, static_cast<int>(open_.size()));
        return {};
      }
      if (text_.substr(at_).starts_with("/>")) {
        at_ += 2;
        outline_.depth = std::max(outline_.depth, static_cast<int>(open_.size()) + 1);
        return {};
      }
      if (count >= kMaxAttributes) {
        return fail(input_error("WEFT-FMT-0108", "<" + shown(tag.name) + "> has more than " +
                                                     std::to_string(kMaxAttributes) + " attributes")
                        .at(source_.position(tag.offset)));
      }
      if (auto one = attribute(tag); !one) return one;
    }
  }

  Result<void> attribute(const Open& tag) {
    const std::size_t begin = at_;
    const std::string_view name = take_name();
    if (name.empty()) {
      if (text_.substr(at_) == "/") return fail(cut_in_tag(tag));
      return fail(bad_tag(tag, begin, "an attribute name, \">\" or \"/>\""));
    }
    skip_blanks();
    if (at_ >= text_.size()) return fail(cut_in_tag(tag));
    if (text_[at_] != '=') return fail(bad_tag(tag, at_, "= after the attribute " + shown(name)));
    ++at_;
    skip_blanks();
    if (at_ >= text_.size()) return fail(cut_in_tag(tag));
    const char quote = text_[at_];
    if (quote != '"' && quote != '\'') return fail(bad_tag(tag, at_, shown(name) + "=\"…\" with quotes"));
    const std::size_t value = at_ + 1;
    at_ = text_.find_first_of(quote == '"' ? "\"<" : "'<", value);
    if (at_ == std::string_view::npos) return fail(cut_in_tag(tag));
    if (text_[at_] == '<') return fail(bad_tag(tag, value - 1, "a closing quote for " + shown(name)));
    ++at_;
    return {};
  }

  [[nodiscard]] Error bad_tag(const Open& tag, std::size_t offset, std::string expected) const {
    return input_error("WEFT-FMT-0107", "the tag <" + shown(tag.name) + "> is broken here")
        .at(source_.position(offset))
        .with_expected(std::move(expected));
  }

  [[nodiscard]] Error not_xml(std::size_t offset) const {
    return input_error("WEFT-FMT-0109", "this is not XML")
        .at(source_.position(offset))
        .with_expected("an element, such as <system version=\"1\">");
  }

  // ": <cpu> opened at line 2 is not closed".
  [[nodiscard]] std::string open_story() const {
    if (open_.empty()) return "";
    return ": <" + shown(open_.back().name) + "> opened at line " +
           std::to_string(source_.position(open_.back().offset).line) + " is not closed";
  }

  [[nodiscard]] Error cut(std::size_t offset) const {
    std::string chain;
    for (const Open& open : open_) chain += (chain.empty() ? "<" : " <") + shown(open.name) + ">";
    return input_error("WEFT-FMT-0104", "the file ends inside " + (chain.empty() ? "a tag" : chain))
        .at(source_.position(offset))
        .with_expected(open_.empty() ? ">" : "</" + shown(open_.back().name) + ">")
        .with_hint("the file seems cut" + open_story());
  }

  [[nodiscard]] Error cut_in_tag(const Open& tag) const {
    return input_error("WEFT-FMT-0104", "the file ends inside the tag <" + shown(tag.name) +
                                            ">, which begins at line " +
                                            std::to_string(source_.position(tag.offset).line))
        .at(source_.position(text_.size()))
        .with_expected("> or />")
        .with_hint("the file seems cut" + open_story());
  }

  const SourceText& source_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Open> open_;
  XmlOutline outline_;
};

}  // namespace

Result<XmlOutline> scan_xml(const SourceText& source) { return Scanner(source).run(); }

}  // namespace weft::formats
