#!/bin/sh
# test_output.sh - the three forms of an answer, terminals, pipes that close, help.
. "$(dirname "$0")/tap.sh"

printf '/usr/bin/awk\t21\n/usr/bin\t4096\n/usr/share/caf\351\t1024\n/usr/share/\303\251\346\274\242\t7\n' >files.tsv

# ---- JSON

run query -q files.tsv --json
gives 'JSON lines; what is not UTF-8 in base64' 0 '{"pk":"all","sk":"/usr/bin","value":"4096"}\n{"pk":"all","sk":"/usr/bin/awk","value":"21"}\n{"pk":"all","sk":{"base64":"L3Vzci9zaGFyZS9jYWbp"},"value":"1024"}\n{"pk":"all","sk":"/usr/share/\303\251\346\274\242","value":"7"}\n'

printf 'k\t"\\\b\f\001\037 \177/\n' | run query -q --json
gives 'JSON: every escape' 0 '{"pk":"all","sk":"k","value":"\\"\\\\\\b\\f\\u0001\\u001f \177/"}\n'

printf 'k\na\r\000b\t\n\000' | run query -q -z --json --sk '{1}'
gives 'JSON: line feeds, carriage returns, tabs' 0 '{"pk":"all","sk":"b","value":"\\n"}\n{"pk":"all","sk":"k\\na\\r","value":""}\n'

printf 'a\t\377\nb\t\377\376\nc\t\377\376\375\nd\t\355\240\200\ne\t\300\200\nf\t\364\220\200\200\n' | run query -q --json
gives 'base64 of all lengths; surrogates, overlong forms and beyond U+10FFFF are not UTF-8' 0 '{"pk":"all","sk":"a","value":{"base64":"/w=="}}\n{"pk":"all","sk":"b","value":{"base64":"//4="}}\n{"pk":"all","sk":"c","value":{"base64":"//79"}}\n{"pk":"all","sk":"d","value":{"base64":"7aCA"}}\n{"pk":"all","sk":"e","value":{"base64":"wIA="}}\n{"pk":"all","sk":"f","value":{"base64":"9JCAgA=="}}\n'

# ---- text

run query -q files.tsv --text
gives 'text: columns lined up, wide characters counted, other bytes shown in hexadecimal' 0 'SORT KEY            VALUE\n/usr/bin            4096\n/usr/bin/awk        21\n/usr/share/caf\\xe9  1024\n/usr/share/\303\251\346\274\242      7\n'

printf 'a\033[31m\t1\t2\n' | run query -q --text
gives 'text: nothing that a terminal would obey; tabs as a gap' 0 'SORT KEY   VALUE\na\\x1b[31m  1  2\n'

printf '%s\n' b a | run query -q --text
gives 'text: no values, and no spaces for them' 0 'SORT KEY  VALUE\na\nb\n'

awk 'BEGIN { for (i = 0; i < 1500; i++) print "a/" i "\nb/" i "/" i }' >many
run query -q many --text --children /
gives 'text: numbers in groups, to the right' 0 'COUNT   BYTES  KEY\n1,500   7,890  a/\n1,500  14,280  b/\n'

run query -q many --text --count --bytes
gives 'text: counts' 0 'COUNT   BYTES\n3,000  22,170\n'

run query -q many --text --rank b/0/0
gives 'text: a rank' 0 ' RANK     OF  SORT KEY\n1,501  3,000  b/0/0\n'

run collections -q many --text
gives 'text: collections' 0 'COUNT   BYTES  PARTITION\n3,000  22,170  all\n'

run query -q many --text --eq nothing --between a b
gives 'text: a mistake is said, and nothing else' 2 '' "sheaf query: choose one of --begins-with, --between, --eq, and bounds (--lt --le --gt --ge)\nTry 'sheaf query --help'.\n"

printf 'x\n' | run query -q --text --gt y
gives 'text: no heading over nothing' 0 ''

{ awk 'BEGIN { for (i = 0; i < 600; i++) printf "%04d\t%d\n", i, i }' && printf '9999-and-more\tx\n'; } | run query -q --text
{ echo 'SORT KEY  VALUE' && awk 'BEGIN { for (i = 0; i < 600; i++) printf "%04d      %d\n", i, i }' &&
    echo '9999-and-more  x'; } >wanted
same 'text: later rows keep to the widths of the first' wanted got.out

# ---- a terminal, where script(1) can make one

if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
    # on_terminal COLUMNS COMMAND: what a terminal would be sent on standard output
    on_terminal() {
        script -qec "stty cols $1; $2" /dev/null </dev/null | tr -d '\r' >got.out
        echo 0 >got.code
        : >got.err
    }
    printf 'key\t0123456789012345678901234567890123456789\nlonger key\tshort\n' >wide.tsv

    on_terminal 40 'sheaf query wide.tsv 2>/dev/null'
    gives 'a terminal gets text, and a value ends at its edge' 0 'SORT KEY    VALUE\nkey         012345678901234567890123456…\nlonger key  short\n'

    on_terminal 52 'sheaf query wide.tsv 2>/dev/null'
    gives 'a value that just fits' 0 'SORT KEY    VALUE\nkey         0123456789012345678901234567890123456789\nlonger key  short\n'

    on_terminal 20 'sheaf query wide.tsv 2>/dev/null'
    gives 'too narrow a terminal breaks the line' 0 'SORT KEY    VALUE\nkey         0123456789012345678901234567890123456789\nlonger key  short\n'

    on_terminal 40 'sheaf query wide.tsv --tsv 2>/dev/null'
    gives '--tsv on a terminal' 0 'key\t0123456789012345678901234567890123456789\nlonger key\tshort\n'

    on_terminal 40 '{ printf "a\n"; sleep 0.7; printf "b\n"; } | sheaf query 2>&1 >/dev/null'
    sed -E 's/[0-9.]+ (ns|µs|ms|s)/TIME/g' got.out >timeless && mv timeless got.out
    gives 'a long load shows its progress on a terminal, and takes it away' 0 '1 record, 4 bytes, TIME\033[K\033[Kread 2 records, 4 bytes, in TIME\n2 entries in TIME\n' ''
fi

{ printf 'a\n' && sleep 0.7 && printf 'b\n'; } | run query
gives 'elsewhere it does not' 0 'a\nb\n' 'read 2 records, 4 bytes, in TIME\n2 entries in TIME\n'

# ---- readers

awk 'BEGIN { for (i = 0; i < 100000; i++) printf "%06d\tvalue\n", i }' >large
{ sheaf query -q large 2>got.err; echo $? >got.code; } | head -n 1 >got.out
gives 'a reader that goes away is no failure' 0 '000000\tvalue\n'

if [ -c /dev/full ]; then
    sheaf query -q large >/dev/full 2>got.err
    echo $? >got.code
    : >got.out
    gives 'an answer that cannot be written: exit code 2' 2 '' 'sheaf query: cannot write the answer: No space left on device\n'
fi

# ---- help

run --version
version=$(cut -d ' ' -f 2 got.out)
gives 'version' 0 "sheaf ${version:-none}\n"

run
cp got.err usage
echo 2 >got.code
: >got.err
run --help
same 'without arguments: the help, on standard error' usage got.out
[ "$(run; cat got.code)" = 2 ]
report $? 'and exit code 2'

for command in query collections advise; do
    run help $command
    mv got.out by-help
    run $command --help
    same "help $command is $command --help" by-help got.out
    run $command --limit 1 -h
done

# Every option of the help is one the command knows, and the other way round.
run query --help
grep -o -e '--[a-z][a-z-]*' got.out | sort -u >options
: >wrong
while read -r option; do
    sheaf query -q "$option" </dev/null 2>&1 | grep -q 'there is no option' && echo "$option" >>wrong
done <options
: >none
same 'all options of the help are known' none wrong

for option in after begins-with between bytes children count eq ge gt header help input json le limit lt no-header nth \
    partition partition-key pk quiet rank reverse sk sort-key text tsv value zero-terminated; do
    echo "--$option"
done >known
sort -u known >wanted
same 'and all that are known are in the help' wanted options

awk 'length > 80 && !/^    (sheaf|find)/' got.out >wide
same 'help fits a terminal, but for commands' none wide

run advise --help
grep -o -e '--[a-z][a-z-]*' got.out | sort -u >options
printf -- '--%s\n' fail-on header help input json no-header partition-key pk quiet sk sort-key text ttl zero-terminated >wanted
same 'the options of advise are in its help' wanted options
awk 'length > 80 && !/^    (sheaf|find)/' got.out >wide
same 'its help fits a terminal, but for commands' none wide

finish
