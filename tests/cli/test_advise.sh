#!/bin/sh
# test_advise.sh - sheaf advise from outside: reports, forms, exit codes, and no word about keys that are right.
. "$(dirname "$0")/tap.sh"
data=$3

usage='Try '\''sheaf advise --help'\''.\n'
printf 's1\t9\tann\ns1\t10\tbob\ns1\t1500\tdan\ns2\t7\teve\n' >scores.tsv

# ---- reports

run advise scores.tsv --pk 'SEASON#{1}' --sk 'SCORE#{2}#{3}' --quiet
gives 'unpadded scores' 1 'error    unpadded-numbers: segment 2 of sort keys SCORE, 4 of 4
         Numbers in this place are not padded, and sort by their digits from the left.
         "SCORE#10#bob" sorts before
         "SCORE#9#ann"
         Text compares digit by digit: "10" sorts before "9". Pad every number to one width, also in
         the tie-breaker.
         repair: sk = "SCORE#{number:pad(10)}#{text}"

1 error, 0 warnings, 0 notes
'

run advise scores.tsv --pk 'SEASON#{1}' --sk '{2:pad(10)}#{3}'
gives 'padded scores' 0 'nothing found\n' 'read 4 records, 40 bytes, in TIME\n'

printf '2\t9\n1\t10\n' | run advise --sk '{1:pad(4)}#{2}' -q
gives 'a pair that is made' 1 'error    unpadded-numbers: segment 2 of sort keys, 2 of 2
         Numbers in this place are not padded, and sort by their digits from the left.
         "0001#10" sorts before
         "0001#9" (pieces of two keys, behind one beginning)
         Text compares digit by digit: "10" sorts before "9". Pad every number to one width, also in
         the tie-breaker.
         repair: sk = "{number:pad(4)}#{number2:pad(10)}"

1 error, 0 warnings, 0 notes
'

printf '/team\n/team/a\n/team_x\n' | run advise -q --json
gives 'findings as JSON' 1 '{"rule": "folder-delimiter", "severity": "error", "field": "sort key", "entity": "", "segment": 0, "keys": 1, "of": 3, "message": "Folders are stored without their delimiter at the end", "explanation": "A folder is stored without its delimiter at the end, so it is not told from a file of the same name and does not lie with its children. Let folders end in the delimiter", "examples": ["/team", "/team/a"], "made": false, "repair": "sk = \\"{path:path(/)}\\""}
{"rule": "sibling-prefix", "severity": "warning", "field": "sort key", "entity": "", "segment": 0, "keys": 1, "of": 3, "message": "Other names begin with that of a folder stored without its delimiter", "explanation": "A query for all that begins with a folder'\''s name takes its neighbours too: /team takes /team_x. End the prefix in the delimiter", "examples": ["/team", "/team_x"], "made": false, "repair": "sk = \\"{path:path(/)}\\""}
'

printf '' | run advise -q --json
gives 'nothing found as JSON is nothing' 0 ''

# ---- exit codes

printf '1#a\n20#b\n' >warning.tsv
run advise -q warning.tsv
cp got.out report
gives 'a warning fails nothing by itself' 0 "$(sed 's/%/%%/g' report)
"
grep -q '^warning  unpadded-numbers' report
report $? 'it is a warning'
run advise -q warning.tsv --fail-on warning
same 'the report does not depend on what fails' report got.out
printf '1\n' >want
same 'a warning fails if asked to' want got.code
printf 'alice#1\nAlice#2\n' | run advise -q --fail-on warning
printf '0\n' >want
same 'a note is less than a warning' want got.code
printf 'alice#1\nAlice#2\n' | run advise -q --fail-on note
printf '1\n' >want
same 'a note fails if asked to' want got.code

# ---- items of DynamoDB

gzip >export.json.gz <<'LINES'
{"Item":{"pk":{"S":"USER#7"},"sk":{"N":"10"},"ttl":{"N":"1777626423"}}}
{"Item":{"pk":{"S":"USER#7"},"sk":{"N":"9"}}}
LINES
run advise -q export.json.gz --partition-key pk --sort-key sk --ttl ttl
gives 'numbers of type N sort as numbers' 0 'nothing found\n'
run advise -q export.json.gz --partition-key pk
gives 'a table of partition keys alone' 0 'nothing found\n'
printf '{"Item":{"pk":{"S":"a"},"sk":{"S":"b"},"ttl":{"N":"1777626423000"}}}\n' | run advise -q --partition-key pk --sort-key sk --ttl ttl
gives 'a time to live in milliseconds' 1 'error    expiry-milliseconds: items, 1 of 1
         The time to live is in milliseconds: these items never expire.
         "b"
         A time to live counts seconds since 1970. In milliseconds it lies thousands of years ahead,
         and nothing ever expires.

1 error, 0 warnings, 0 notes
'
printf '{"Item":{"pk":{"S":"a"},"sk":{"S":"b"},"ttl":{"S":"soon"}}}\n' | run advise -q --partition-key pk --sort-key sk --ttl ttl
gives 'a time to live that is no number' 2 '' "<stdin>:1: expected a number of seconds, found \"soon\" (--ttl 'ttl')\n"

printf '{"a":"1x","t":1}\n' | run advise -q --input jsonl --sk '{a}' --ttl expires
gives 'a time to live that no record has' 2 '' "sheaf advise: expected an expiry in some record, found none (--ttl 'expires')\n"

printf 'k,t\na,1777626423\nb,\n' | run advise -q --input csv --sk '{k}' --ttl t
gives 'a time to live that some lines leave empty' 0 'nothing found\n'

printf 'k,t\na,1\n' | run advise -q --input csv --sk '{k}' --ttl x
gives 'a time to live that the header lacks' 2 '' "<stdin>:2: expected a column \"x\", found in the header \"k,t\" (--ttl 'x')\n"

# ---- on a terminal

if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
    beginning=a-beginning-that-two-keys-share-and-that-takes-more-than-a-line-of-this-terminal
    printf '%s#%s#x\n' $beginning 9 $beginning 10 >long.tsv
    script -qec "stty cols 60 && sheaf advise -q long.tsv" /dev/null </dev/null | tr -d '\r' >got.out
    cat >wanted <<'TEXT'
error    unpadded-numbers: segment 2 of sort keys, 2 of 2
         Numbers in this place are not padded, and sort by
         their digits from the left.
         "…is-terminal#10#x" sorts before
         "…is-terminal#9#x"
         Text compares digit by digit: "10" sorts before
         "9". Pad every number to one width, also in the
         tie-breaker.
TEXT
    head -n 8 got.out >shown
    same 'long keys are shown from shortly before they part' wanted shown
    run advise -q long.tsv
    grep -q "^         \"$beginning#10#x\" sorts before\$" got.out
    report $? 'and elsewhere as a whole'
fi

# ---- usage

run advise --fail-on bad
gives 'a severity that there is not' 2 '' "sheaf advise: --fail-on: expected note, warning or error, found \"bad\"\n$usage"
run advise --limit 3
gives 'an option of another command' 2 '' "sheaf advise: --limit is an option of sheaf query\n$usage"
run advise nowhere.tsv
gives 'a file that there is not' 2 '' 'sheaf advise: cannot open nowhere.tsv: No such file or directory\n'

# ---- real data, laid out rightly

run advise -q "$data/cities.tsv" --pk '{1}' --sk '{2}#{3}' --fail-on note
gives 'towns by population' 0 'nothing found\n'
run advise -q "$data/git-tree.tsv" --pk DRIVE --sk '{1}' --fail-on note
gives 'a source tree by path' 0 'nothing found\n'

finish
