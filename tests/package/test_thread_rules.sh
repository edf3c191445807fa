#!/bin/sh
# test_thread_rules.sh CHECK - the check of thread rules lets by what has one, and nothing else.
set -eu

check=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
opening='/*
 * one.h - a header.
 */'
rule='/*
 * two.h - a header.
 *
 * Thread rule: any thread.
 */'
guard='#ifndef GUARD
#define GUARD'
function='SHEAF_API int sheaf_do(void);'

# expect STATUS TEXT...: what the check says of a header of these lines.
expect() {
    expected=$1
    shift
    printf '%s\n' "$@" >"$work/one.h"
    status=0
    sh "$check" "$work" >"$work/said" || status=$?
    [ "$status" -eq "$expected" ] || { printf 'expected %s of:\n' "$expected"; cat "$work/one.h"; exit 1; }
}

cp "$(dirname "$check")/check_thread_rules.sh" "$work/none.h.in" # no function in it
expect 0 "$rule" "$guard" '/** Does it. */' "$function"
expect 0 "$opening" "$guard" '/** Does it. Thread rule: as a write. */' "$function"
expect 1 "$opening" "$guard" '/** Does it. */' "$function"
expect 1 "$opening" "$guard" '/** Does it. Thread rule: any. */' "$function" '/** Does that. */' 'SHEAF_API int sheaf_do_that(void);'
expect 0 "$opening" "$guard" '/** A type. */' 'typedef int sheaf_number;'
