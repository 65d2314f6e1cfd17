"""headers.py COMPILER ARGS...: every header stands alone.

A header that some source includes first has shown it; the few others are compiled by themselves.
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from house import CHECK, check_rooms


def compile_alone(header):
    command = [*sys.argv[1:], "-fsyntax-only", "-include", header, "-x", "c++", "/dev/null"]
    return header, subprocess.run(command, capture_output=True, text=True)


def main():
    headers = check_rooms.House(CHECK.parents[1]).unproven_headers()
    wrong = 0
    with ThreadPoolExecutor(2) as pool:
        for header, done in pool.map(compile_alone, headers):
            if done.returncode != 0:
                print(f"{header} does not stand alone:\n{done.stderr}")
                wrong += 1
    print(f"{len(headers)} headers compiled alone, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
