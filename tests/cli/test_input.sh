#!/bin/sh
# test_input.sh - what is read, and what becomes of it: all formats, packed and not, odd lines, templates.
. "$(dirname "$0")/tap.sh"

printf 'b\t2\na\t1\n' | run query -q
gives 'standard input, without a FILE' 0 'a\t1\nb\t2\n'

printf 'c\t3\n' >file
printf 'b\t2\n' | run query -q file -
gives 'a file and standard input together' 0 'b\t2\nc\t3\n'

printf 'b\t2\r\na\t1\r\n' | run query -q
gives 'CRLF' 0 'a\t1\nb\t2\n'

printf 'a\r\t1\r\r\n' | run query -q
gives 'a carriage return that ends no line is data' 0 'a\r\t1\r\n'

printf 'b\t2\na\t1' | run query -q
gives 'no line feed at the end' 0 'a\t1\nb\t2\n'

printf '\nb\t2\n\n\r\na\t1\n\n' | run query
gives 'empty lines are passed over' 0 'a\t1\nb\t2\n' 'read 2 records, 13 bytes, in TIME\n2 entries in TIME\n'

printf 'a\t1\nb\t2\na\t3\na\t4\n' | run query
gives 'the last of equal keys holds, and the summary counts the others' 0 'a\t4\nb\t2\n' 'read 4 records, 16 bytes, in TIME; 2 replaced an earlier one\n2 entries in TIME\n'

printf 'caf\351\t\377\000\001\n' | run query -q
gives 'bytes that are not UTF-8, and NUL' 0 'caf\351\t\377\000\001\n'

printf 'a\000b\t1\na\t2\na\000a\t3\n' | run query -q
gives 'NUL within a key is a byte like any other' 0 'a\t2\na\000a\t3\na\000b\t1\n'

printf 'b\nb\t2\000a\t1\000' | run query -q -z
gives 'zero-terminated: a line feed is data' 0 'a\t1\000b\nb\t2\000'

printf 'a\t1\t\t3\n' | run query -q
gives 'the value is all that follows the first column, tabs included' 0 'a\t1\t\t3\n'

printf 'a\n' | run query -q --value '{2-}'
gives 'columns from one that is not there: an empty value, and no tab' 0 'a\n'

printf 'a\tb\tc\n' | run query -q --sk '{3}{1}' --value '<{}>{{{2}}}'
gives 'a template of text, columns, braces and the whole line' 0 'ca\t<a\tb\tc>{b}\n'

printf 'a\t\t\n' | run query -q --value '[{2}][{3}]'
gives 'empty columns' 0 'a\t[][]\n'

printf '7\n0\n0042\n99\n' | run query -q --sk '{1:pad(2)}'
gives 'padded; zeros before a number are not counted' 0 '00\n07\n42\n99\n'

printf '7\n0\n99\n' | run query -q --sk '{1:invert(2)}'
gives 'inverted' 0 '00\n92\n99\n'

printf '12345678901234567890123456789012345678\n' | run query -q --sk '{1:invert(38)}' --value ''
gives 'numbers of 38 digits' 0 '87654321098765432109876543210987654321\n'

key=$(head -c 1024 /dev/zero | tr '\0' k)
printf '%s\t1\n' "$key" | run query -q
gives 'a sort key of 1024 bytes' 0 "$key\t1\n"

head -c 409600 /dev/zero | tr '\0' v >value
{ printf 'k\t' && cat value && echo; } >large
run query -q large
same 'a value of 409600 bytes' large got.out

head -c 3000000 /dev/zero | tr '\0' x >long
{ printf 'k\tshort\t' && cat long && printf '\nl\tshort\n'; } | run query -q --value '{2}'
gives 'a line of three million bytes' 0 'k\tshort\nl\tshort\n'

awk 'BEGIN { for (i = 50000; i > 0; i--) printf "%07d\t%d\n", i * 7919 % 1000003, i }' >many
LC_ALL=C sort -t "$(printf '\t')" -k 1,1 many >sorted
run query -q many
same 'fifty thousand records, in several reads' sorted got.out

# ---- JSON lines

cat >orders.jsonl <<'LINES'
{"customer": {"id": 7}, "date": "2026-02-01", "number": 10, "total": 12.50}
{"customer": {"id": 7}, "date": "2026-07-01", "number": 11, "total": 1e2}
{"customer": {"id": 8}, "date": "2026-02-01", "number": 12, "total": 12345678901234567890.123456789012345678, "paid": true}

  {"customer": {"id": 7}, "date": "2026-01-31", "number": 9, "total": -0.10, "open": false}
LINES
set -- orders.jsonl --pk 'CUSTOMER#{customer.id}' --sk '{date}#{number}' --value '{total}'

run query -q "$@" --partition 'CUSTOMER#7'
gives 'JSON lines by the name of the file; numbers keep their text' 0 '2026-01-31#9\t-0.10\n2026-02-01#10\t12.50\n2026-07-01#11\t1e2\n'

run query -q "$@" --partition 'CUSTOMER#8'
gives 'a number of 38 digits' 0 '2026-02-01#12\t12345678901234567890.123456789012345678\n'

run query -q "$@" --partition 'CUSTOMER#7' --ge 2026-01 --lt 2026-07
gives 'half a year' 0 '2026-01-31#9\t-0.10\n2026-02-01#10\t12.50\n'

run query -q "$@" --partition 'CUSTOMER#7' --value '{}' --eq '2026-07-01#11'
gives 'the whole line of JSON' 0 '2026-07-01#11\t{"customer": {"id": 7}, "date": "2026-07-01", "number": 11, "total": 1e2}\n'

run query -q orders.jsonl --sk '{number:pad(5)}' --value x --limit 1
gives 'a number of JSON, padded' 0 '00009\tx\n'

printf '{"k":"b","paid":true}\r\n{"k":"a","paid":false}' | run query -q --input jsonl --sk '{k}' --value '{paid}'
gives 'true and false; --input; CRLF and no last line feed' 0 'a\tfalse\nb\ttrue\n'

printf '{"k":"caf\\u00e9 \\ud83d\\ude00 \\u0000\\t\\"","12":"\\\\1"}\n' | run query -q --input jsonl --sk '{k}' --value '{12}'
gives 'escapes of JSON, NUL among them' 0 'caf\303\251 \360\237\230\200 \000\t"\t\\1\n'

printf '{"a":"1 -2 {\\"3\\":4}","b":{"c":{"d":[5,-6e7]},"e":8}}\n' | run query -q --input jsonl --sk '{a}' --value '{b.e}'
gives 'digits within strings, numbers deep within' 0 '1 -2 {"3":4}\t8\n'

cp orders.jsonl orders.txt
run query -q orders.txt --input jsonl --sk '{number}' --value '' --limit 1
gives '--input, whatever the file is called' 0 '10\n'

printf '{1}\t2\n' >braces.jsonl
run query -q braces.jsonl --input tsv
gives '--input tsv likewise' 0 '{1}\t2\n'

printf '{"n":1e400,"m":1.10,"o":-0,"p":1E+2,"q":123456789012345678901234567890123456789012345678901234567890}\n' |
    run query -q --input jsonl --sk '{n} {m} {o} {p} {q}' --value ''
gives 'numbers that no double holds, and zeros at their end' 0 '1e400 1.10 -0 1E+2 123456789012345678901234567890123456789012345678901234567890\n'

printf '{"a.b":1,"a":{"b":2,"c":3}}\n' | run query -q --input jsonl --sk '{a.b}{a.c}' --value ''
gives 'a name with a dot in it goes before the path' 0 '13\n'

# ---- headers and CSV

printf 'size\tname\n2\tb\n1\ta\n' | run query -q --header --sk '{name}' --value '{1}{size:pad(3)}'
gives 'a header of tab-separated lines: by name, and by number still' 0 'a\t1001\nb\t2002\n'

printf '\357\273\277town,"the ""size"", in m",country\r\n"Reykjav\303\255k, old",7,IS\r\n\r\nKyoto,"1\r\n2",JP' >towns.csv
run query -q towns.csv --sk '{town}' --value '{the "size", in m}'
gives 'CSV: a BOM, quotes, commas and line ends in them, an empty line, no last line end' 0 'Kyoto\t1\r\n2\nReykjav\303\255k, old\t7\n'

run query -q towns.csv --json --reverse
gives 'CSV: by default the first column, and the rest as it is written' 0 '{"pk":"all","sk":"Reykjav\303\255k, old","value":"7,IS"}\n{"pk":"all","sk":"Kyoto","value":"\\"1\\r\\n2\\",JP"}\n'

run query -q towns.csv --sk '{3}#{1}' --value '{}' --limit 1
gives 'CSV: columns by number, and the whole record' 0 'IS#Reykjav\303\255k, old\t"Reykjav\303\255k, old",7,IS\n'

run query -q towns.csv --sort-key country --partition-key 'the "size", in m' --partition 7 --value ''
gives 'keys by the names of their columns' 0 'IS\n'

printf 'b,2\na,1\n' | run query -q --input csv --no-header
gives 'CSV without a header' 0 'a\t1\nb\t2\n'

printf 'k,v\n' | run query towns.csv - --input csv --sk '{1}' --value '' --count
gives 'a file of a header alone has no records; each file has its own header' 0 '2\n' 'read 2 records, 83 bytes, in TIME\nanswered in TIME\n'

# ---- gzip

gzip -c towns.csv >towns.csv.gz
run query -q towns.csv --sk '{town}' && mv got.out wanted
run query -q towns.csv.gz --sk '{town}'
same 'gzip, and the name within' wanted got.out

run query -q --input csv --sk '{town}' <towns.csv.gz
same 'gzip on standard input' wanted got.out

gzip -c many >packed && cp packed unnamed
run query -q unnamed
same 'gzip whatever it is called' sorted got.out

{ head -n 20000 many | gzip -1 && tail -n +20001 many | gzip -9; } | cat | run query -q
same 'members one behind the other, from a pipe' sorted got.out

: | gzip | run query
gives 'gzip of nothing' 0 '' 'read 0 records, 0 bytes, in TIME\n0 entries in TIME\n'

# ---- items of DynamoDB

cat >export.json <<'LINES'
{"Item":{"pk":{"S":"u\\1"},"n":{"N":"1.10"},"b":{"B":"AAE="},"ok":{"BOOL":true},"no":{"NULL":true},"ss":{"SS":["x","y"]}}}
{"Item":{"pk":{"S":"u\\1"},"n":{"N":"9"},"b":{"B":"/w=="},"ok":{"BOOL":false},"no":{"NULL":true},"ss":{"SS":["z"]}}}

{"Item":{"pk":{"S":"u2"},"n":{"N":"10"},"b":{"B":"YQ=="},"ok":{"BOOL":true},"no":{"NULL":true},"ss":{"SS":["w"]},"user":{"M":{"id":{"N":"7"},"at.home":{"L":[{"N":"1"}]}}}}}
LINES
run query -q export.json --partition-key pk --sort-key b --partition 'u\1' --value '{n} {ok} {no} {ss}'
gives 'items known by the first line; values without their types' 0 '\000\001\t1.10 true null ["x","y"]\n\377\t9 false null ["z"]\n'

gzip -c export.json | run query -q --pk '{pk}' --sk '{n:pad(3)}' --partition u2 --value '{user.id}'
gives 'a number that cannot be padded is refused in items as well' 2 '' "<stdin>:1: expected a whole number of at most 3 digits in attribute \"n\", found \"1.10\" (--sk '{n:pad(3)}')\n"

grep u2 export.json | gzip -c | run query -q --pk '{pk}' --sk '{n:pad(3)}' --value '{user.id} {user}'
gives 'gzip and maps' 0 '010\t7 {"id":{"N":"7"},"at.home":{"L":[{"N":"1"}]}}\n'

sed 's/^{"Item"://; s/}$//' export.json >bare
run collections -q bare --partition-key pk --sort-key n --value ''
gives 'items alone' 0 '1\t2\tu2\n2\t5\tu\\1\n'

printf '{"PutRequest":{"Item":{"a":{"S":"x"}}}}\n' | run query -q --input dynamodb --sk '{a}' --value ''
gives 'requests to put an item' 0 'x\n'

printf '{"Item":{"a":"plain"}}\n' | run query -q --input jsonl --sk '{Item.a}' --value ''
gives 'a member called Item of plain JSON' 0 'plain\n'

finish
