#!/bin/sh
# check_examples.sh README WORK COMMAND COMPILE... - runs what a README shows, as TAP.
#
#   ```c         a whole program: compiled with COMPILE... and run; what it prints stands in the ```text block that follows
#   ```console   lines that begin with "$ " are commands (a trailing \ goes on), what they print on standard output follows each
#   ```sh        commands that have to succeed, whatever they print; but for tests/run and bench/run, which run this
#
# Commands run in the README's folder, with the folder of COMMAND first in PATH. Other blocks are not looked at.
set -eu

readme=$1
work=$2
programs=$(dirname "$3")
shift 3

rm -rf "$work"
mkdir -p "$work"

# Cuts the README into work/NN.c + work/NN.want and work/NN.command + work/NN.want, NN being the line where it begins.
awk -v work="$work" '
    function name() { return sprintf("%s/%04d", work, NR) }
    /^```/ {
        kind = block == "" ? substr($0, 4) : ""
        block = kind
        if (kind == "c") { base = name(); program = base; printf "" > (base ".c"); printf "" > (base ".want") }
        if (kind == "text") base = program
        if (kind == "console") base = ""
        next
    }
    block == "c" { print > (base ".c") }
    block == "text" && base != "" { print > (base ".want") }
    block == "sh" && !/^(tests|bench)\/run/ { print > (name() ".command") }
    block == "console" && /^\$ / { base = name(); print substr($0, 3) > (base ".command"); printf "" > (base ".want"); more = /\\$/; next }
    block == "console" && more { print > (base ".command"); more = /\\$/; next }
    block == "console" { print > (base ".want") }
' "$readme"

# Libraries come last: compile BASE COMPILER OPTION...
compile() {
    program=$1
    shift
    "$@" "$program.c" -lsheaf -o "$program.program"
}

run_example() {
    base=$1
    shift
    if [ -f "$base.c" ]; then
        compile "$base" "$@" || return 1
        "$base.program"
    else
        (cd "$(dirname "$readme")" && PATH="$programs:$PATH" sh "$base.command" 2>"$base.errors")
    fi
}

count=0
failed=0
for source in "$work"/*.c "$work"/*.command; do
    base=${source%.*}
    count=$((count + 1))
    if run_example "$base" "$@" >"$base.got" && { [ ! -f "$base.want" ] || cmp -s "$base.want" "$base.got"; }; then
        echo "ok $count - line $(basename "$base")"
    else
        failed=1
        echo "not ok $count - line $(basename "$base")"
        if [ -f "$base.want" ]; then diff "$base.want" "$base.got" | sed 's/^/# /' || true; fi
        if [ -f "$base.errors" ]; then sed 's/^/# /' "$base.errors"; fi
    fi
done
echo "1..$count"
exit $failed
