#!/bin/sh
# link_static.sh OUTPUT HEADERS ARCHIVE... - makes a static library in which only what is public can be seen.
#
# All archives become one object, whose symbols are made local but for those declared SHEAF_API in the headers. So the library
# neither fills the host's namespace nor, with jemalloc inside, replaces its malloc.
set -eu

output=$1
headers=$2
shift 2
directory=$output.parts

mkdir -p "$directory"
sed -n 's/^SHEAF_API [^(]*[ *]\(sheaf_[a-z0-9_]*\)(.*/\1/p' "$headers"/*.h "$headers"/*.h.in | sort -u >"$directory/public"
ld -r -o "$directory/sheaf.o" --whole-archive "$@"
objcopy --keep-global-symbols="$directory/public" "$directory/sheaf.o"
rm -f "$output"
ar crs "$output" "$directory/sheaf.o"
