#!/bin/sh
# check_prefix.sh ARCHIVE - every name the engine's objects link by starts with sheaf_: a static library shares its namespace.
set -eu

names=$(nm -g --defined-only "$1" | awk 'NF == 3 { print $3 }')
[ -n "$names" ] || { echo "no symbols in $1"; exit 1; }
# What sanitizers and coverage add to every object starts with two underscores.
if echo "$names" | grep -v -e '^sheaf_' -e '^__'; then
    echo "the names above do not start with sheaf_"
    exit 1
fi
