#!/bin/sh
# hide_jemalloc.sh OUTPUT CONFIG.c CC... - makes an archive of jemalloc in which only its explicit calls are visible.
#
# jemalloc's archive also defines malloc, free and their kin. Linked as it is, it would replace the host program's malloc. So
# what we call is linked into one object and every other symbol in it made local.
set -eu

output=$1
config=$2
shift 2
directory=$output.parts
calls="mallocx rallocx sdallocx nallocx mallctl mallctlnametomib mallctlbymib"

mkdir -p "$directory"
archive=$("$@" -print-file-name=libjemalloc_pic.a)
keep=
wanted=
for call in $calls; do
    keep="$keep --keep-global-symbol=$call"
    wanted="$wanted -Wl,-u,$call"
done
"$@" -O2 -fPIC -c -o "$directory/config.o" "$config"
# shellcheck disable=SC2086 # lists of words
"$@" -r -nostdlib -o "$directory/jemalloc.o" $wanted "$directory/config.o" "$archive"
# shellcheck disable=SC2086
objcopy $keep "$directory/jemalloc.o"
rm -f "$output"
ar crs "$output" "$directory/jemalloc.o"
