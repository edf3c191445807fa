#!/bin/sh
# check_example.sh PROGRAM EXPECTED SOURCE README - runs the example, and sees that the README shows it as it is.
#
# The README's block begins behind a line that names the source; each of its parts, between lines of "...", stands in the source.
set -eu

"$1" | diff "$2" -
python3 - "$3" "$4" <<'PYTHON'
import re, sys
source = open(sys.argv[1]).read()
readme = open(sys.argv[2]).read()
block = re.search(r"tests/example/sqlite_cache\.c.*?\n```C\n(.*?)```", readme, re.S)
if not block:
    sys.exit("the README does not show the example")
for part in block.group(1).split("...\n"):
    if part.strip() == "" or part.strip() not in source:
        sys.exit("the README shows what is not in the example:\n" + part)
PYTHON
