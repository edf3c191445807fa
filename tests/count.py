"""count.py TESTLOG.json - prints how many tests passed, failed and were skipped, by meson's log.

A program that speaks TAP holds many tests and each counts; any other is one. A program that ends badly without naming a test
(it crashed, or ran out of time) counts as one that failed.
"""

import json
import re
import sys

passed = failed = skipped = 0
for line in open(sys.argv[1], encoding="utf-8"):
    run = json.loads(line)
    results = re.findall(r"^(not )?ok\b([^\n]*)", run.get("stdout", ""), re.MULTILINE) if "--tap=-" in run["command"] else []
    skips = sum(1 for _, rest in results if re.search(r"#\s*skip", rest, re.IGNORECASE))
    bad = sum(1 for negation, _ in results if negation)
    good = len(results) - skips - bad
    ended_well = run["result"] in ("OK", "EXPECTEDFAIL")
    if run["result"] == "SKIP" and not results:
        skips = 1
    elif ended_well and not results:
        good = 1
    elif not ended_well and run["result"] != "SKIP" and bad == 0:
        bad = 1
    passed += good
    failed += bad
    skipped += skips
print(passed, failed, skipped)
