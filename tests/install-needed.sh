#!/bin/sh
# install-needed.sh PURPOSE... - sees to it that what Sheaf needs is there: build, test, extra (clang and fuzzing), bench,
# peers (what the bench can run beside, SQLite apart), plot.
#
# On Debian as root the missing packages, and only those, are installed. Elsewhere it says what to install and ends with 2.
# This list is the one place where dependencies are named together with what each is for.
set -eu

# purposes | Debian package | how to see that it is there | what it is for
needed() {
    cat <<'LIST'
build       | gcc                | command -v cc                                  | compiler
build       | libc6-dev          | compiles_with stdio.h                          | C library headers
build       | binutils           | command -v objcopy                             | hides symbols in the static library
build       | meson              | command -v meson                               | build system
build       | ninja-build        | command -v ninja                               | runs the build
build       | pkg-config         | command -v pkg-config                          | finds libraries
build       | libjemalloc-dev    | compiles_with jemalloc/jemalloc.h              | allocator inside libsheaf
build       | libxxhash-dev      | compiles_with xxhash.h                         | hash of partition keys (header only)
build       | libjansson-dev     | compiles_with jansson.h                        | JSON lines in the command
build       | libyajl-dev        | compiles_with yajl/yajl_parse.h                | items from JSON
build       | zlib1g-dev         | compiles_with zlib.h                           | gzip in the command
test        | libcriterion-dev   | compiles_with criterion/criterion.h            | unit tests
test        | g++                | command -v c++                                 | checks the headers from C++
extra       | clang              | command -v clang                               | second compiler
extra       | libclang-rt-14-dev | clang_links_with -fsanitize=fuzzer,address     | clang's sanitizers and libFuzzer
bench       | libsqlite3-dev     | compiles_with sqlite3.h                        | SQLite, the peer that the bench runs beside; an example
bench       | valgrind           | command -v valgrind                            | counts instructions
peers       | liblmdb-dev        | compiles_with lmdb.h                           | LMDB, a peer of the bench
peers       | g++                | command -v c++                                 | compiles the peers below
peers       | libabsl-dev        | pkg-config --exists absl_btree                 | Abseil's btree_map, a peer of the bench
peers       | libtkrzw-dev       | pkg-config --exists tkrzw                      | tkrzw's BabyDBM, a peer of the bench
peers       | librocksdb-dev     | pkg-config --exists rocksdb                    | RocksDB's memtable, a peer of the bench
plot        | gnuplot-nox        | command -v gnuplot                             | draws what the bench has measured
LIST
}

compiles_with() {
    echo "#include <$1>" | cc -fsyntax-only -x c -
}

clang_links_with() {
    echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long s) { return d && s ? 0 : 0; }' |
        clang "$1" -x c - -o /dev/null
}

missing_for() {
    needed | sed 's/ *| */|/g' | while IFS='|' read -r purpose package check _; do
        [ "$purpose" = "$1" ] || continue
        eval "$check" >/dev/null 2>&1 || echo "$package"
    done
}

missing=$(for purpose in "$@"; do missing_for "$purpose"; done | tr '\n' ' ')
missing=${missing% }
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    echo "Installing $missing" >&2
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086 # one package a word
    apt-get update -qq >&2 && apt-get install -y -qq --no-install-recommends $missing >&2 && exit 0
fi
echo "Missing: $missing" >&2
echo "On Debian or Ubuntu: sudo apt-get update && sudo apt-get install -y --no-install-recommends $missing" >&2
exit 2
