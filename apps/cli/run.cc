#include "run.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "commands.h"
#include "context.h"
#include "parse.h"
#include "render.h"
#include "version.h"
#include "weft/base/printable.h"

namespace weft::cli {
namespace {

constexpr int kUsage = 2;
constexpr int kBadInput = 3;
constexpr int kUnassessable = 4;
constexpr int kBug = 70;

int status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return kUsage;
    case ErrorKind::input:
      return kBadInput;
    case ErrorKind::unassessable:
      return kUnassessable;
  }
  return kBug;
}

// A message may repeat what the user wrote; its line breaks are ours.
std::string printable_lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += printable(text.substr(0, end)) + '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

int report_error(const Error& error, std::ostream& err) {
  err << "weft: " << printable_lines(error.to_string());
  return status_of(error.kind);
}

bool is_terminal(const std::ostream& out) { return &out == &std::cout && isatty(STDOUT_FILENO) != 0; }

// A terminal's own width, within what reads well; elsewhere 100, so that saved output does not depend on a window.
int width_of(const std::ostream& out) {
  winsize size{};
  if (!is_terminal(out) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 100;
  return std::clamp<int>(size.ws_col, 80, 180);
}

bool wants_colour(const std::ostream& out, bool refused) {
  if (refused || !is_terminal(out)) return false;
  const char* no_color = std::getenv("NO_COLOR");  // no-color.org: present and not empty
  const char* term = std::getenv("TERM");
  return (no_color == nullptr || *no_color == '\0') && (term == nullptr || std::string_view(term) != "dumb");
}

int run_parsed(const Parsed& parsed, Context& context) {
  const Command& command = *parsed.path.back();
  if (parsed.version) {
    context.out << "weft " << version() << '\n';
    return 0;
  }
  if (parsed.help) {
    context.out << help_text(parsed.path, context.colour);
    return 0;
  }
  if (command.run == nullptr) {
    context.err << help_text(parsed.path, false);
    return kUsage;
  }
  const Result<int> status = command.run(parsed.args, context);
  return status ? *status : report_error(status.error(), context.err);
}

// A full disk loses the answer: that is said. A reader that has gone away (weft ... | head) is not an error of anyone.
int check_written(std::ostream& out, std::ostream& err, int status) {
  errno = 0;
  out.flush();
  if (out) return status;
  if (errno == EPIPE) return status;
  return report_error(
      input_error("WEFT-CLI-0015", "the result could not be written: standard output is full or closed"), err);
}

}  // namespace

int run(std::vector<std::string> args, std::istream& in, std::ostream& out, std::ostream& err) {
  try {
    const Result<Parsed> parsed = parse(root_command(), std::move(args));
    if (!parsed) return report_error(parsed.error(), err);
    Context context(in, out, err);
    context.json = parsed->json;
    context.quiet = parsed->quiet;
    context.width = width_of(out);
    context.colour = wants_colour(out, parsed->no_color);
    return check_written(out, err, run_parsed(*parsed, context));
  } catch (const std::exception& exception) {
    err << "weft: " << printable(exception.what()) << "\nThis is a bug of ours; please report it.\n";
    return kBug;
  }
}

}  // namespace weft::cli
