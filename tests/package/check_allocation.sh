#!/bin/sh
# check_allocation.sh ROOT - only the backends call an allocator by name. The command is a program and may, and so may what it is made of.
set -eu

found=$(find "$1/engine" -name '*.[ch]' ! -path '*/input/*' ! -path '*/lab/*' ! -path '*/cli/*' ! -name 'allocator_*.c' -exec \
    grep -nHE '\<(malloc|calloc|realloc|reallocarray|free|aligned_alloc|posix_memalign|strdup|strndup|asprintf|mmap)[[:space:]]*\(' {} + ||
    true)
[ -z "$found" ] || { echo "$found"; exit 1; }
