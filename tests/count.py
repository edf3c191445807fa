"""count.py (totals|failed) TESTLOG.json - reads meson's log of a test run.

totals  prints how many tests passed, failed and were skipped. A program that speaks TAP holds many tests and each counts; any
        other is one. A program that ends badly without naming a test (it crashed, or ran out of time) counts as one that failed.
failed  prints the Criterion programs that failed, one a line.
"""

import json
import re
import sys


def totals_of(run):
    """(passed, failed, skipped) of one program."""
    output = run.get("stdout", "")
    speaks_tap = re.search(r"^1\.\.\d+", output, re.MULTILINE)
    results = re.findall(r"^(not )?ok\b([^\n]*)", output, re.MULTILINE) if speaks_tap else []
    failed = sum(1 for negation, _ in results if negation)
    skipped = sum(1 for negation, rest in results if not negation and re.search(r"#\s*skip", rest, re.IGNORECASE))
    passed = len(results) - failed - skipped
    if run["result"] == "SKIP":
        return passed, failed, max(skipped, 1)
    if run["result"] in ("OK", "EXPECTEDFAIL"):
        return (passed, failed, skipped) if results else (1, 0, 0)
    return passed, max(failed, 1), skipped


wanted, path = sys.argv[1:]
with open(path, encoding="utf-8") as log:
    runs = [json.loads(line) for line in log]
if wanted == "totals":
    print(*(sum(column) for column in zip((0, 0, 0), *map(totals_of, runs))))
else:
    for run in runs:
        if run["command"][1:2] == ["--tap=-"] and totals_of(run)[1] > 0:
            print(run["command"][0])
