#!/bin/sh
# check_top_level.sh ROOT - the repository's top level holds what was agreed, and nothing else.
set -eu

cd "$1"
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || exit 77
[ "$(git rev-parse --show-toplevel)" = "$(pwd -P)" ] || exit 77

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sort >"$work/agreed" <<'LIST'
.ci
.clang-format
.clang-tidy
.editorconfig
.gitignore
LICENSE
README.md
bench
engine
include
meson.build
meson_options.txt
tests
LIST
git ls-files | cut -d/ -f1 | sort -u >"$work/tracked"
diff -u "$work/agreed" "$work/tracked" || { echo "agreed (-) and tracked (+) differ"; exit 1; }
