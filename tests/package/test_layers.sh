#!/bin/sh
# test_layers.sh CHECK - the layer check lets downward includes pass and finds every kind of fault.
set -eu

check=$1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
failed=0

# expect (sound|faulty) FILE LINE: what the check says of a tree with that one line in it
expect() {
    rm -rf "${root:?}"/*
    mkdir -p "$root/engine/base" "$root/engine/tree" "$root/engine/store" "$root/engine/cli" "$root/include/sheaf" "$root/bench"
    mkdir -p "$root/$(dirname "$2")"
    printf '#include <string.h>\n%s\n' "$3" >"$root/$2"
    verdict=sound
    sh "$check" "$root" >"$root/out" || verdict=faulty
    if [ "$verdict" != "$1" ]; then
        echo "$2 with '$3': found $verdict, is $1"
        failed=1
    fi
}

expect sound engine/tree/node.c '#include "engine/base/bytes.h"'
expect sound engine/store/store.c '#include "engine/tree/tree.h"'
expect sound engine/cli/main.c '#include "engine/base/bytes.h"'
expect sound bench/bench_load.c '#include "bench/random.h"'
expect sound engine/base/bytes.c '#include <sheaf/bytes.h>'
expect faulty engine/base/bytes.c '#include "engine/tree/node.h"'
expect faulty engine/base/bytes.h '#  include "engine/store/store.h"'
expect faulty engine/tree/node.c '#include "engine/store/store.h"'
expect faulty engine/tree/node.c '#include "tests/support/model.h"'
expect faulty engine/store/store.c '#include "engine/cli/options.h"'
expect faulty engine/cli/main.c '#include "engine/tree/tree.h"'
expect faulty bench/bench_load.c '#include "engine/store/store.h"'
expect faulty include/sheaf/bytes.h '#include "engine/base/bytes.h"'
expect faulty engine/tree/node.c '#include "node.h"'
expect faulty engine/tree/node.c '#include "../store/store.h"'
expect faulty engine/tree/node.c '#include <engine/store/store.h>'
expect faulty engine/attic/old.c '#include "engine/base/bytes.h"'
exit $failed
