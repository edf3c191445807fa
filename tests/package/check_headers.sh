#!/bin/sh
# check_headers.sh (c11|c++11) INCLUDE GENERATED_INCLUDE COMPILER... - each public header compiles alone, and included twice.
set -eu

standard=$1
include=$2
generated=$3
shift 3
case $standard in
c11) language=c ;;
*) language=c++ ;;
esac

count=0
for header in "$include"/sheaf/*.h "$generated"/sheaf/version.h; do
    name=sheaf/$(basename "$header")
    printf '#include <%s>\n#include <%s>\nint main(void) { return 0; }\n' "$name" "$name" |
        "$@" -fsyntax-only -x "$language" "-std=$standard" -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror \
            -I"$include" -I"$generated" - || { echo "$name as $standard"; exit 1; }
    count=$((count + 1))
done
[ "$count" -ge 2 ]
