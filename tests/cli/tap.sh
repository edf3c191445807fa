# tap.sh - for sourcing: runs the command in a folder of its own, and prints a line of TAP for each expectation.
#
#   run ARGUMENT...                     runs sheaf, on this function's standard input
#   gives NAME CODE OUT [ERR]           its exit code and exact output, as formats of printf(1); times in ERR are TIME, memory is SIZE
#   same NAME WANTED GOT                two files are the same
#
# The script is called with --tap=- (so that its lines are counted) and the path of the command.

case $2 in
/*) sheaf=$2 ;;
*) sheaf=$PWD/$2 ;;
esac
tests=0
failures=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
PATH=$(dirname "$sheaf"):$PATH
unset COLUMNS POSIXLY_CORRECT
LC_ALL=C
export PATH LC_ALL

run() {
    "$sheaf" "$@" >got.out 2>got.err
    echo $? >got.code
}

report() {
    tests=$((tests + 1))
    if [ "$1" -eq 0 ]; then
        printf 'ok %d - %s\n' $tests "$2"
    else
        failures=$((failures + 1))
        printf 'not ok %d - %s\n' $tests "$2"
    fi
}

# What differs, as comments of TAP.
differs() {
    cmp -s "$1" "$2" && return 1
    diff -a "$1" "$2" | sed 's/^/# /'
}

without_times() {
    sed -E 's/[0-9]+(\.[0-9]+)? (ns|µs|ms|s)(;|$)/TIME\3/g; s/ in [0-9.]+ (bytes|kB|MB) of memory/ in SIZE of memory/' "$1"
}

# shellcheck disable=SC2059 # formats are wanted
gives() {
    bad=0
    printf '%s\n' "$2" >want.code
    printf "$3" >want.out
    printf "${4:-}" >want.err
    without_times got.err >got.err.timeless
    differs want.code got.code && bad=1
    differs want.out got.out && bad=1
    differs want.err got.err.timeless && bad=1
    report $bad "$1"
}

same() {
    bad=0
    differs "$2" "$3" && bad=1
    report $bad "$1"
}

# The last line of every script.
finish() {
    echo "1..$tests"
    [ $failures -eq 0 ]
}
