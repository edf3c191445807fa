#!/bin/sh
# check_layers.sh ROOT - include lines point downward only.
#
#     cli          include/ and base, input, lab
#     lab          include/ and base, input
#     input        include/ and base
#     expr         include/, base, item
#     key          include/, base, item
#     item         include/, base
#     shared       include/, base, store
#     store        include/, base, cache, tree
#     tree         include/, base
#     cache        include/, base
#     base         include/
#     include/     itself
#     bench        include/, base, bench
#
# Every quoted include names its file by the full path from the root, so that the line alone tells the layer. Tests may include
# all of it.
set -eu

root=$1

# allowed FOLDER INCLUDE...: no file below the folder quotes anything else, given as prefixes of paths.
faults() {
    folder=$1
    shift
    [ -d "$root/$folder" ] || return 0
    pattern=$(printf '%s\n' "$@" | sed 's/.*/-e ^&/' | tr '\n' ' ')
    find "$root/$folder" -name '*.[ch]' -o -name '*.cc' -o -name '*.h.in' | sort | while read -r file; do
        # shellcheck disable=SC2086 # a list of options
        sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$file" | grep -v $pattern |
            sed "s|.*|${file#"$root"/} includes \"&\"|" || true
    done
    # Angle brackets are for the system and for <sheaf/...>: engine, bench and tests are not to be reached by them.
    grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*<(engine|bench|tests)/' "$root/$folder" || true
}

all_faults() {
    faults include none/
    faults engine/base engine/base/
    faults engine/tree engine/base/ engine/tree/
    faults engine/cache engine/base/ engine/cache/
    faults engine/store engine/base/ engine/cache/ engine/tree/ engine/store/
    faults engine/shared engine/base/ engine/store/ engine/shared/
    faults engine/item engine/base/ engine/item/
    faults engine/key engine/base/ engine/item/ engine/key/
    faults engine/expr engine/base/ engine/item/ engine/expr/
    faults engine/input engine/base/ engine/input/
    faults engine/lab engine/base/ engine/input/ engine/lab/
    faults engine/cli engine/base/ engine/input/ engine/lab/ engine/cli/
    faults bench engine/base/ bench/
    for folder in "$root"/engine/*/; do
        case $(basename "$folder") in
        base | cache | tree | store | shared | item | key | expr | input | lab | cli) ;;
        *) echo "engine/$(basename "$folder") is a layer this check does not know" ;;
        esac
    done
}

found=$(all_faults)
[ -z "$found" ] || { echo "$found"; exit 1; }
