"""Plants one breach at a time in a small house in good order; dev/check_rooms must name each and nothing else."""

import subprocess
import sys
import tempfile
from pathlib import Path

from house import CHECK, check_rooms

HOUSE = {
    "apps/cli/main.cc": '#include "weft/plan/plan.h"\nint main() {}\n',
    "src/weft/CMakeLists.txt": "add_subdirectory(base)\nadd_subdirectory(fabric)\nadd_subdirectory(plan)\nadd_subdirectory(validate)\n",
    "src/weft/base/CMakeLists.txt": "weft_room(base\n  SOURCES error.cc\n  TESTS error.test.cc)\n",
    "src/weft/base/README.md": "# base\n",
    "src/weft/base/error.h": "#include <string>\n#include <tl/expected.hpp>\n",
    "src/weft/base/error.cc": '#include "weft/base/error.h"\n\n#include <fmt/core.h>\n',
    "src/weft/base/error.test.cc": '#include "weft/base/error.h"\n// pins WEFT-FAB-0001\n',
    "src/weft/fabric/CMakeLists.txt": "weft_room(fabric USES base\n  SOURCES graph.cc inner.cc)\n",
    "src/weft/fabric/README.md": "# fabric\n",
    "src/weft/fabric/graph.h": '#include "weft/base/error.h"\n',
    "src/weft/fabric/graph.cc": '#include "weft/fabric/graph.h"\nauto e = input_error("WEFT-FAB-0001", "no");\n',
    "src/weft/fabric/inner.h": "#include <toml++/toml.h>\n",
    "src/weft/fabric/inner.cc": '#include "weft/fabric/inner.h"\n',
    "src/weft/plan/CMakeLists.txt": "weft_room(plan USES base fabric\n  SOURCES plan.cc)\n",
    "src/weft/plan/README.md": "# plan\n",
    "src/weft/plan/plan.h": '#include "weft/base/error.h"\n#include "weft/fabric/graph.h"\n',
    "src/weft/plan/plan.cc": '#include "weft/plan/plan.h"\n',
    "src/weft/validate/CMakeLists.txt": "weft_room(validate USES plan\n  SOURCES table.cc)\n",
    "src/weft/validate/README.md": "# validate\n",
    "src/weft/validate/table.h": '#include "weft/plan/plan.h"\n',
    "src/weft/validate/table.cc": '#include "weft/validate/table.h"\n// reads data/measured\n',
}

# What is planted: file, text added to its end (or a function of its text), and a part of the only line to be printed.
PLANTED = [
    ("src/weft/fabric/graph.cc", '#include "weft/plan/plan.h"\n', "room fabric includes weft/plan/plan.h but does not list plan"),
    ("src/weft/fabric/CMakeLists.txt", lambda t: t.replace("USES base", "USES base plan"), "uses plan, which does not come before it"),
    ("src/weft/fabric/CMakeLists.txt", lambda t: t.replace("USES base", "USES base cellar"), "uses cellar, which is no room"),
    ("src/weft/plan/plan.cc", '#include "weft/cellar/wine.h"\n', "weft/cellar/wine.h is in no room"),
    ("src/weft/validate/CMakeLists.txt", lambda t: t.replace("USES plan", "USES plan fabric"), "lists fabric in its USES and needs nothing"),
    ("src/weft/fabric/lost.test.cc", '#include "weft/fabric/graph.h"\n', "never built"),
    ("src/weft/fabric/graph.h", "#include <nlohmann/json.hpp>\n", "<nlohmann/json.hpp>: other rooms come to include it"),
    ("src/weft/fabric/graph.h", '#include "weft/fabric/inner.h"\n', "<toml++/toml.h>: other rooms come to include it"),
    ("src/weft/plan/plan.h", '#include "graph.h"\n', "includes start at src/"),
    ("src/weft/fabric/graph.cc", "#include <fstream>\n", "room fabric does no I/O"),
    ("src/weft/plan/plan.cc", 'open("data/measured/a.tsv");\n', "room plan names data/measured"),
    ("src/weft/plan/CMakeLists.txt", "weft_embed(weft_plan files data/measured/a.tsv)\n", "room plan names data/measured"),
    ("src/weft/plan/plan.cc", 'fail(input_error("WEFT-FAB-0001", ""));\n', "the ids WEFT-FAB-... belong to fabric"),
    ("apps/cli/main.cc", 'fail(usage_error("WEFT-CLI-0001", ""));\n', "WEFT-CLI-0001: no test pins this error"),
    ("src/weft/base/README.md", "long\n" * 40, "at most 40 lines"),
]


def lay(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def breaches(root):
    return check_rooms.House(root).check()


def exit_status(root):
    return subprocess.run([sys.executable, CHECK, root], stdout=subprocess.DEVNULL).returncode


def main():
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        lay(root, HOUSE)
        found = breaches(root)
        if found or exit_status(root) != 0:
            wrong.append(f"the house in good order: {found}")
        for name, change, expected in PLANTED:
            before = HOUSE.get(name)
            lay(root, {name: change(before) if callable(change) else (before or "") + change})
            found = breaches(root)
            if len(found) != 1 or expected not in found[0]:
                wrong.append(f'{name}: wanted one line with "{expected}", got {found}')
            if name == "src/weft/fabric/graph.h" and exit_status(root) != 1:
                wrong.append("a breach must end in exit status 1")
            (root / name).unlink() if before is None else lay(root, {name: before})
        (root / "src/weft/plan/README.md").unlink()
        found = breaches(root)
        if len(found) != 1 or "has no README.md" not in found[0]:
            wrong.append(f"a room without a README: {found}")
    for line in wrong:
        print(line)
    print(f"{len(PLANTED) + 1} planted, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
