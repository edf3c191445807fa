#!/bin/sh
# test_allocation.sh CHECK - the allocation check finds what it is for.
set -eu

check=$1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
failed=0

# expect (sound|faulty) FILE LINE
expect() {
    rm -rf "${root:?}/engine"
    mkdir -p "$root/$(dirname "$2")"
    echo "$3" >"$root/$2"
    verdict=sound
    sh "$check" "$root" >"$root/out" || verdict=faulty
    [ "$verdict" = "$1" ] || { echo "$2 with '$3': found $verdict, is $1"; failed=1; }
}

expect sound engine/base/allocator_libc.c 'block = malloc(size);'
expect sound engine/cli/main.c 'free(line);'
expect sound engine/input/buffer.c 'free(buffer->data);'
expect sound engine/tree/node.c 'sheaf_heap_free(heap, block, size);'
expect faulty engine/tree/node.c 'free(node);'
expect faulty engine/store/page.h 'return malloc (size);'
expect faulty engine/base/heap.c 'block = realloc(block, size);'
exit $failed
