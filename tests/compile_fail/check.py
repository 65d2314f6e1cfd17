"""check.py SOURCE COMPILER ARGS...: the compiler refuses each line marked "// REFUSED kind", and no other line.

The kind is what the first error of the line must say, so that a slip in the line (a misspelt name) does not pass for a
refusal; errors anywhere else fail the test too, which makes the unmarked lines the control.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

REASONS = {  # the words of GCC and of Clang
    "operator": r"no match for .operator|invalid operands|no viable overloaded",
    "conversion": r"c(ould no|anno)t convert|conversion from|no viable conversion|no matching (function|conversion)",
}


def main():
    source = Path(sys.argv[1])
    limit = "-ferror-limit=0" if "clang" in sys.argv[2] else "-fmax-errors=0"
    command = [*sys.argv[2:], "-fsyntax-only", limit, source]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    errors = {}
    for place, line, message in re.findall(r"^(.+?):(\d+):\d+: (?:fatal )?error: (.*)$", done.stderr, re.MULTILINE):
        errors.setdefault(int(line) if Path(place).name == source.name else place, message)

    wrong = refused = 0
    for number, text in enumerate(source.read_text().splitlines(), 1):
        marker = re.search(r"// REFUSED (\w+)$", text)
        if not marker:
            continue
        message = errors.pop(number, None)
        if message is None:
            print(f"{number}: compiles, and must not: {text.strip()}")
        elif not re.search(REASONS[marker.group(1)], message):
            print(f"{number}: refused for another reason ({message}): {text.strip()}")
        else:
            refused += 1
            continue
        wrong += 1
    for place, message in errors.items():
        print(f"{place}: {message}")
    print(f"{refused} refused as they should be, {wrong + len(errors)} wrong")
    return 1 if wrong or errors or not refused else 0


if __name__ == "__main__":
    sys.exit(main())
