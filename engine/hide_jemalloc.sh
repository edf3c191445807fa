#!/bin/sh
# hide_jemalloc.sh OUTPUT ARCHIVE CC... - makes an archive of jemalloc in which only the calls we make are visible.
#
# jemalloc's own archive also defines malloc, free and their kin: linked as it is, it would replace the host program's. So what
# our calls need of it is linked into one object, and every other symbol in that made local.
set -eu

output=$1
archive=$2
shift 2
directory=$output.parts

wanted=
keep=
for call in mallocx rallocx sdallocx nallocx mallctl; do
    wanted="$wanted -Wl,-u,$call"
    keep="$keep --keep-global-symbol=$call"
done
mkdir -p "$directory"
# shellcheck disable=SC2086 # lists of words
"$@" -r -nostdlib -o "$directory/jemalloc.o" $wanted "$archive"
# shellcheck disable=SC2086
objcopy $keep "$directory/jemalloc.o"
rm -f "$output"
ar crs "$output" "$directory/jemalloc.o"
