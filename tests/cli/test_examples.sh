#!/bin/sh
# test_examples.sh --tap=- SHEAF MAN - runs every example of --help and of the man page, on the data they speak of.
page=$3
. "$(dirname "$0")/tap.sh"

printf '%s\t%s\t%s\n' 26 p_8842 1500 26 p_17 9 26 p_3 240 26 p_5 10 25 p_17 77 >scores.tsv
cat >orders.jsonl <<'LINES'
{"customer": {"id": 7}, "date": "2026-02-01", "number": 10}
{"customer": {"id": 7}, "date": "2026-07-01", "number": 11}
{"customer": {"id": 8}, "date": "2026-02-01", "number": 12}
LINES

{ echo season,player,score && tr '\t' , <scores.tsv; } | gzip >scores.csv.gz
gzip >export.json.gz <<'LINES'
{"Item":{"pk":{"S":"USER#7"},"sk":{"S":"session#2"},"name":{"S":"web"},"expires":{"N":"1798761600"}}}
{"Item":{"pk":{"S":"USER#7"},"sk":{"S":"session#1"},"name":{"S":"app"}}}
{"Item":{"pk":{"S":"USER#8"},"sk":{"S":"session#1"},"name":{"S":"app"}}}
LINES

# Examples are the lines of a help that are indented by four and begin with a command.
examples() {
    sed -n 's/^    \(\(find\|sheaf\) .*\)/\1/p'
}

# The blocks of examples in a man page, with its escapes undone.
page_examples() {
    sed -n '/^\.EX$/,/^\.EE$/{/^\./!p}' "$page" | sed "s/\\\\-/-/g; s/\\\\(aq/'/g; s/\\\\e/\\\\/g"
}

# run_example FROM COMMAND...: succeeds, and says something unless it writes a file.
run_example() {
    sh -c "$2" </dev/null >got.out 2>got.err
    code=$?
    case $2 in
    *'>files.tsv') [ $code -eq 0 ] && [ -s files.tsv ] ;;
    *) [ $code -eq 0 ] && [ -s got.out ] ;;
    esac
    good=$?
    [ $good -eq 0 ] || sed 's/^/# /' got.err
    report $good "$1: $2"
}

# The plan of the lab's help.
sheaf lab --help | sed -n '/^    {$/,/^    }$/p' >plan.json

for command in '' query collections advise lab; do
    # shellcheck disable=SC2086 # a word or none
    sheaf $command --help | examples >"examples$command"
    while read -r example; do run_example "sheaf $command --help" "$example"; done <"examples$command"
done

page_examples >page
while read -r example; do run_example 'man page' "$example"; done <page

[ "$(cat examples examplesquery examplescollections examplesadvise exampleslab page | wc -l)" -ge 20 ]
report $? 'there are at least 20 examples'

# What they give, where it is known from elsewhere.
run query -q scores.tsv --pk 'SEASON#{1}' --sk '{3:pad(10)}#{2}' --partition 'SEASON#26' --reverse --limit 3
gives 'the leaderboard of the help' 0 '0000001500#p_8842\tp_8842\t1500\n0000000240#p_3\tp_3\t240\n0000000010#p_5\tp_5\t10\n'

run query -q scores.csv.gz --pk 'SEASON#{season}' --sk '{score:pad(10)}#{player}' --partition 'SEASON#26' --reverse --limit 3
gives 'the same of CSV' 0 '0000001500#p_8842\tp_8842,1500\n0000000240#p_3\tp_3,240\n0000000010#p_5\tp_5,10\n'

run query -q export.json.gz --partition-key pk --sort-key sk --partition 'USER#7' --value '{name}'
gives 'the export of the help' 0 'session#1\tapp\nsession#2\tweb\n'

run query -q orders.jsonl --pk 'CUSTOMER#{customer.id}' --sk '{date}#{number}' --partition 'CUSTOMER#7' --ge 2026-01 --lt 2026-07 --json
gives 'the half year of the help' 0 '{"pk":"CUSTOMER#7","sk":"2026-02-01#10","value":"{\\"customer\\": {\\"id\\": 7}, \\"date\\": \\"2026-02-01\\", \\"number\\": 10}"}\n'

# A small tree of awkward names, and the real one: the same as sorting does it.
mkdir -p 'tree/with space' "tree/$(printf 'caf\351')" 'tree/a' 'tree/a.b'
for file in 'with space/x' "$(printf 'caf\351/\377')" a/1 a/2 a.b/c "$(printf 'a/tab\there')"; do echo "$file" >"tree/$file"; done
find tree -printf '%p\t%s\n' | sort >wanted
find tree -printf '%p\t%s\n' | run query -q
same 'find | sheaf query: a small tree' wanted got.out

grep -a '^tree/a/' wanted >below
find tree -printf '%p\t%s\n' | run query -q --begins-with tree/a/
same 'a folder of it' below got.out

touch "tree/$(printf 'line\nfeed')"
find tree -printf '%p\t%s\0' | sort -z >wanted
find tree -printf '%p\t%s\0' | run query -q -z
same 'with a line feed in a name' wanted got.out

find /usr/share /usr/lib -xdev -printf '%p\t%s\n' >real
LC_ALL=C sort real >wanted
run query -q real
same 'a real tree' wanted got.out

awk -F '\t' 'index($1, "/usr/share/") == 1 {
        rest = substr($1, 12); slash = index(rest, "/")
        child = slash ? substr(rest, 1, slash) : rest
        count[child]++; bytes[child] += length($1) + length($2)
    }
    END { for (child in count) printf "%d\t%d\t/usr/share/%s\n", count[child], bytes[child], child }' real |
    sort -t "$(printf '\t')" -k 3 >wanted
run query -q real --begins-with /usr/share/ --children /
same 'its children, counted by awk' wanted got.out

run lab plan.json --reproducible --samples 1 --json
grep -o '"layout":"[a-z]*","pattern":"[^"]*","way":"query","right":[a-z]*' got.out >got.answers
printf '%s\n' '"layout":"padded","pattern":"top 3 of a season","way":"query","right":true' \
    '"layout":"unpadded","pattern":"top 3 of a season","way":"query","right":false' >wanted.answers
same "the lab's plan of the help finds the unpadded layout out" wanted.answers got.answers

finish
