#!/bin/sh
# test_errors.sh - what is refused: the exact message, exit code 2, and nothing on standard output.
. "$(dirname "$0")/tap.sh"

printf 'a\tx\t1\nb\tx\t12345678901\n' >f.tsv
usage='Try '\''sheaf query --help'\''.\n'

# ---- input

run query -q f.tsv --sk '{4}'
gives 'a column that is missing' 2 '' "f.tsv:1: expected at least 4 tab-separated columns, found 3 (--sk '{4}')\n"

run query -q f.tsv --sk '{3:pad(10)}'
gives 'a number wider than its width; nothing of the lines before it' 2 '' "f.tsv:2: expected a whole number of at most 10 digits in column 3, found \"12345678901\" (--sk '{3:pad(10)}')\n"

run query -q f.tsv --sk '{1}{2:invert(3)}'
gives 'no number' 2 '' "f.tsv:1: expected a whole number of at most 3 digits in column 2, found \"x\" (--sk '{1}{2:invert(3)}')\n"

printf '5\n-5\n' | run query -q --sk '{1:pad(3)}'
gives 'a sign' 2 '' "<stdin>:2: expected a whole number of at most 3 digits in column 1, found \"-5\" (--sk '{1:pad(3)}')\n"

printf 'a\t1\n\n\t2\n' | run query -q
gives 'an empty sort key; empty lines count as lines' 2 '' "<stdin>:3: expected a sort key of 1 to 1024 bytes, found 0 (--sk '{1}')\n"

printf 'a\t\n' | run query -q --pk '{2}'
gives 'an empty partition key' 2 '' "<stdin>:1: expected a partition key of 1 to 2048 bytes, found 0 (--pk '{2}')\n"

head -c 1025 /dev/zero | tr '\0' k | run query -q
gives 'a sort key of 1025 bytes' 2 '' "<stdin>:1: expected a sort key of 1 to 1024 bytes, found 1025 (--sk '{1}')\n"

head -c 2049 /dev/zero | tr '\0' k | run query -q --pk '{1}' --sk x
gives 'a partition key of 2049 bytes' 2 '' "<stdin>:1: expected a partition key of 1 to 2048 bytes, found 2049 (--pk '{1}')\n"

head -c 409601 /dev/zero | tr '\0' v | run query -q --sk x --value '{1}'
gives 'a value of 409601 bytes' 2 '' "<stdin>:1: expected a value of at most 409600 bytes, found 409601 (--value '{1}')\n"

head -c 67500000 /dev/zero | tr '\0' v | run query -q --sk x --value ''
gives 'a line without end' 2 '' "<stdin>:1: expected a line of at most 67108864 bytes\n"

run query -q nowhere.tsv
gives 'a file that is not there' 2 '' "sheaf query: cannot open nowhere.tsv: No such file or directory\n"

mkdir folder
run query -q f.tsv folder
gives 'a folder' 2 '' "sheaf query: cannot read folder: Is a directory\n"

printf 'a\tx\n' >good.tsv
run collections -q good.tsv f.tsv --sk '{1}' --value '{3}'
gives 'the file at fault is the one named' 2 '' "good.tsv:1: expected at least 3 tab-separated columns, found 2 (--value '{3}')\n"

# ---- JSON lines

json() {
    run query -q --input jsonl --sk '{k}' --value '{v}'
}

printf '{"k":"a","v":1}\n{"k":"b"}\n' | json
gives 'a member that is missing' 2 '' "<stdin>:2: expected a member \"v\", found none (--value '{v}')\n"

printf '{"k":"a","v":null}\n' | json
gives 'null' 2 '' "<stdin>:1: expected a string, a number, true or false in member \"v\", found null (--value '{v}')\n"

printf '{"k":{"v":1}}\n' | json
gives 'an object' 2 '' "<stdin>:1: expected a string, a number, true or false in member \"k\", found an object (--sk '{k}')\n"

printf '{"k":[1]}\n' | json
gives 'an array' 2 '' "<stdin>:1: expected a string, a number, true or false in member \"k\", found an array (--sk '{k}')\n"

printf '[1,2]\n' | json
gives 'a line that is no object' 2 '' "<stdin>:1: expected a JSON object, found an array\n"

printf 'k\tv\n' | json
gives 'a line that is no JSON' 2 '' "<stdin>:1: expected a JSON object: '[' or '{' expected near 'k'\n"

printf '{"k":"a"\n' | json
gives 'an object without end' 2 '' "<stdin>:1: expected a JSON object: '}' expected near end of file\n"

printf '{"k":true\000}\n' | json
gives 'a NUL byte in JSON' 2 '' "<stdin>:1: expected a JSON object, found a NUL byte\n"

printf '{"k":"a"} {"k":"b"}\n' | json
gives 'two objects on a line' 2 '' "<stdin>:1: expected a JSON object: end of file expected near '{'\n"

printf '{"k":"a","k":"b"}\n' | json
gives 'a member twice' 2 '' "<stdin>:1: expected a JSON object: duplicate object key near '\"k\"'\n"

printf '{"k":01}\n' | json
gives 'a number that is not JSON'\''s' 2 '' "<stdin>:1: expected a JSON number, found \"01\"\n"

printf '{1:"k"}\n' | json
gives 'a number for a name' 2 '' "<stdin>:1: expected a member's name between quotes, found \"1\"\n"

printf '{"k":"caf\351"}\n' | json
gives 'JSON that is not UTF-8' 2 '' "<stdin>:1: expected a JSON object: unable to decode byte 0xe9 near '\"caf'\n"

# ---- CSV, headers, gzip, items

csv() {
    run query -q --input csv --sk '{k}' --value '{v}'
}

printf 'k,v\na,1,2\n' | csv
gives 'a column too much' 2 '' "<stdin>:2:5: expected 2 columns, as the header has, found 3\n"

printf 'k,v\na,1\n"b\n"\n' | csv
gives 'a column too few, of a record of two lines' 2 '' "<stdin>:4:2: expected 2 columns, as the header has, found 1: \"v\" is missing\n"

printf 'k,v\na,"1\n' | csv
gives 'a quote that does not close' 2 '' "<stdin>:2:3: expected a closing quote, found the end of the file\n"

printf 'k,v\na,1"\n' | csv
gives 'a quote in the middle' 2 '' "<stdin>:2:4: expected no quote within a field that does not begin with one\n"

printf 'k,v\n"a" ,1\n' | csv
gives 'a space behind the quote' 2 '' "<stdin>:2:4: expected a comma behind the closing quote, found \" \"\n"

printf 'k,w\na,1\n' | csv
gives 'a name that the header lacks' 2 '' "<stdin>:2: expected a column \"v\", found in the header \"k,w\" (--value '{v}')\n"

printf 'k,v,v\na,1,2\n' | csv
gives 'a name that the header has twice' 2 '' "<stdin>:2: expected one column \"v\" in the header, found several (--value '{v}')\n"

printf 'k\tv\na\n' | run query -q --header
gives 'a tab-separated line too short for its header' 2 '' "<stdin>:2:2: expected 2 columns, as the header has, found 1: \"v\" is missing\n"

run query -q --header a.jsonl --sk '{k}'
gives 'a header of JSON' 2 '' "sheaf query: --header is for tab-separated lines: the members of JSON have names\n$usage"

run query -q -z a.csv
gives 'CSV with NULs' 2 '' "sheaf query: -z is not for CSV: its quotes keep line feeds\n$usage"

printf 'a\t1\nb\t2\n' | gzip >whole.gz
head -c 13 whole.gz >cut.gz
run query -q cut.gz
gives 'gzip that is cut off' 2 '' "cut.gz:1: expected sound gzip data, found the end at byte 13 of the compressed file\n"

{ head -c $(($(wc -c <whole.gz) - 8)) whole.gz && printf 'CRC!\010\000\000\000'; } | run query -q
gives 'gzip whose checksum is wrong, after the lines it covers' 2 '' "<stdin>:3: expected sound gzip data, found incorrect data check at byte $(($(wc -c <whole.gz) - 4)) of the compressed file\n"

{ cat whole.gz && echo x; } | run query -q
gives 'gzip, and more behind it' 2 '' "<stdin>:3: expected sound gzip data, found something that is not gzip at byte $(wc -c <whole.gz) of the compressed file\n"

item='{"Item":{"k":{"S":"a"},"v":{"B":"A"}}}'
echo "$item" | run query -q
gives 'items without a sort key' 2 '' "sheaf query: DynamoDB JSON needs --sk, such as --sk '{path}'\n$usage"

echo "$item" | run query -q --sort-key v
gives 'a B that is no base64' 2 '' "<stdin>:1: expected base64 in the B of \"v\", found \"A\" (--sort-key 'v')\n"

echo "$item" | run query -q --sort-key w
gives 'an attribute that is missing' 2 '' "<stdin>:1: expected an attribute \"w\", found none (--sort-key 'w')\n"

printf '%s\n{"k":"a"}\n' "$item" | run query -q --sort-key k
gives 'a line that is no item' 2 '' "<stdin>:2: expected an item of DynamoDB JSON, with values such as {\"S\":\"text\"}, found another value in \"k\"\n"

echo '{"Metadata":{"WriteTimestampMicros":{"N":"1"}},"Keys":{"k":{"S":"a"}}}' | run query -q --input dynamodb --sk '{k}'
gives 'an incremental export' 2 '' "<stdin>:1: expected an item, found a change (this is an incremental export; export the table in full)\n"

echo "$item" >items
run query -q items f.tsv --sk '{k}'
gives 'items and lines' 2 '' "sheaf query: items holds DynamoDB JSON, f.tsv tab-separated lines: say --input\n$usage"

run query -q f.tsv --sk '{1}' --sort-key k
gives 'a sort key in two ways' 2 '' "sheaf query: choose one of --sk and --sort-key\n$usage"

run query -q f.tsv --pk '{1}' --partition-key k
gives 'a partition key in two ways' 2 '' "sheaf query: choose one of --pk and --partition-key\n$usage"

run query -q f.tsv --sort-key k
gives 'a name where columns have none' 2 '' "sheaf query: --sort-key 'k': expected a column number, 1 to 1000, found \"k\" (names are for files with a header, and for JSON)\n$usage"

run query -q f.tsv --sort-key ''
gives 'a name without a letter' 2 '' "sheaf query: --sort-key: expected the name of a field\n$usage"

# ---- templates

run query -q f.tsv --sk '{name}'
gives 'a name for a column' 2 '' "sheaf query: --sk '{name}': expected a column number, 1 to 1000, found \"name\" (names are for files with a header, and for JSON)\n$usage"

run query -q f.tsv --sk '{0}'
gives 'column 0' 2 '' "sheaf query: --sk '{0}': expected a column number, 1 to 1000, found \"0\" (names are for files with a header, and for JSON)\n$usage"

run query -q f.tsv --pk 'a{1'
gives 'a brace that is not closed' 2 '' "sheaf query: --pk 'a{1': expected a } for the { at position 2 ({{ is a brace as text)\n$usage"

run query -q f.tsv --pk 'ab}'
gives 'a brace that was not opened' 2 '' "sheaf query: --pk 'ab}': expected a { before the } at position 3 (}} is a brace as text)\n$usage"

run query -q f.tsv --sk '{1:upper}'
gives 'a form that there is not' 2 '' "sheaf query: --sk '{1:upper}': expected pad(WIDTH) or invert(WIDTH), found \"upper\"\n$usage"

run query -q f.tsv --sk '{1:pad(39)}'
gives 'a width beyond 38' 2 '' "sheaf query: --sk '{1:pad(39)}': expected a width, 1 to 38, found \"39\"\n$usage"

run query -q f.tsv --sk '{1:pad()}'
gives 'no width' 2 '' "sheaf query: --sk '{1:pad()}': expected a width, 1 to 38, found \"\"\n$usage"

run query -q --input jsonl --sk '{a..b}' f.tsv
gives 'an empty name in a path' 2 '' "sheaf query: --sk '{a..b}': expected names joined by dots, found \"a..b\"\n$usage"

# ---- usage

run query -q --between a
gives 'between with one key' 2 '' "sheaf query: --between: expected two keys, LOW and HIGH\n$usage"

run query -q f.tsv --between b a
gives 'between, the wrong way round' 2 '' "sheaf query: the lower bound \"b\" sorts above the upper bound \"a\"\n$usage"

run query -q f.tsv --gt b --lt a
gives 'bounds, the wrong way round' 2 '' "sheaf query: the lower bound \"b\" sorts above the upper bound \"a\"\n$usage"

run query -q f.tsv --gt a --ge b
gives 'two lower bounds' 2 '' "sheaf query: --gt and --ge are two lower bounds: choose one\n$usage"

run query -q f.tsv --lt a --le b
gives 'two upper bounds' 2 '' "sheaf query: --lt and --le are two upper bounds: choose one\n$usage"

run query -q f.tsv --begins-with a --eq b
gives 'two ranges' 2 '' "sheaf query: choose one of --begins-with, --between, --eq, and bounds (--lt --le --gt --ge)\n$usage"

run query -q f.tsv --count --nth 1
gives 'two questions' 2 '' "sheaf query: choose one of --count and --bytes, --rank, --nth, --children\n$usage"

run query -q f.tsv --limit 0
gives 'a limit of 0' 2 '' "sheaf query: --limit: expected a whole number from 1, found \"0\"\n$usage"

run query -q f.tsv --limit 18446744073709551616
gives 'a limit beyond 64 bits' 2 '' "sheaf query: --limit: expected a whole number from 1, found \"18446744073709551616\"\n$usage"

run query -q f.tsv --nth x
gives 'a place that is no number' 2 '' "sheaf query: --nth: expected a whole number from 1, found \"x\"\n$usage"

run query -q f.tsv --count --limit 1
gives 'a limit where nothing is listed' 2 '' "sheaf query: --limit is for entries and --children\n$usage"

run query -q f.tsv --rank a --after b
gives 'a position where nothing is listed' 2 '' "sheaf query: --after is for entries, --children, --count and --bytes\n$usage"

run query -q f.tsv --children / --gt a
gives 'children of what is no prefix' 2 '' "sheaf query: --children goes with --begins-with, and no other range\n$usage"

run query -q f.tsv --children ''
gives 'children without a delimiter' 2 '' "sheaf query: --children: expected a delimiter, such as /\n$usage"

run query -q a.jsonl
gives 'JSON lines without a sort key' 2 '' "sheaf query: JSON lines need --sk, such as --sk '{path}'\n$usage"

run query -q a.jsonl f.tsv
gives 'files of two formats' 2 '' "sheaf query: a.jsonl is called as JSON lines are, f.tsv as tab-separated lines: say --input\n$usage"

run query -q --input xml
gives 'a format that there is not' 2 '' "sheaf query: --input: expected tsv, csv, jsonl or dynamodb, found \"xml\"\n$usage"

run query -q --begin
gives 'an option without its argument' 2 '' "sheaf query: --begin: expected an argument\n$usage"

run query -q --json=yes
gives 'an argument where none is' 2 '' "sheaf query: --json=yes: expected no argument\n$usage"

run query -q --frob
gives 'an option that there is not' 2 '' "sheaf query: there is no option --frob\n$usage"

run query -qx
gives 'a letter that there is not' 2 '' "sheaf query: there is no option -x\n$usage"

run collections -q --count
gives 'an option of query for collections' 2 '' "sheaf collections: --count is an option of sheaf query\nTry 'sheaf collections --help'.\n"

run frob
gives 'a command that there is not' 2 '' "sheaf: there is no command \"frob\"; there are query, collections, advise and lab\nTry 'sheaf --help'.\n"

finish
