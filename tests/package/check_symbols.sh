#!/bin/sh
# check_symbols.sh HEADERS (shared|static) LIBRARY - the library gives out exactly what the headers mark SHEAF_API.
set -eu

headers=$1
kind=$2
library=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

grep -h '^SHEAF_API ' "$headers"/*.h "$headers"/*.h.in | grep -o 'sheaf_[a-z0-9_]*(' | tr -d '(' | sort >"$work/declared"
case $kind in
shared) nm -D --defined-only "$library" ;;
static) nm -g --defined-only "$library" ;;
esac | awk 'NF == 3 { print $3 }' | sort >"$work/exported"

[ -s "$work/declared" ] || { echo "no declarations found in $headers"; exit 1; }
diff -u "$work/declared" "$work/exported" || { echo "declared (-) and exported (+) by $library differ"; exit 1; }
