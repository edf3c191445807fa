#!/bin/sh
# test_install.sh BUILD HOST.c BACKEND CC... - what is installed can be compiled against, linked in every way, and run.
set -eu

build=$1
host=$2
backend=$3
shift 3
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

meson install -C "$build" --no-rebuild --quiet --destdir "$root"
PKG_CONFIG_SYSROOT_DIR=$root
PKG_CONFIG_LIBDIR=$(dirname "$(find "$root" -name sheaf.pc)")
export PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_LIBDIR
library_path=$(dirname "$PKG_CONFIG_LIBDIR")

# build_and_run NAME BACKEND FLAGS...
build_and_run() {
    name=$1
    expected=$2
    shift 2
    "$@" -o "$root/$name" || { echo "$name does not link"; exit 1; }
    LD_LIBRARY_PATH=$library_path "$root/$name" "$expected" || { echo "$name does not run"; exit 1; }
}

# shellcheck disable=SC2046 # lists of flags
{
    build_and_run shared "$backend" "$@" "$host" $(pkg-config --cflags --libs sheaf)
    build_and_run archive "$backend" "$@" "$host" $(pkg-config --cflags sheaf) "$library_path/libsheaf.a" \
        $(pkg-config --static --libs-only-l sheaf | sed 's/-lsheaf//') -pthread
    build_and_run static "$backend" "$@" -static "$host" $(pkg-config --static --cflags --libs sheaf) 2>"$root/warnings"
    if pkg-config --exists sheaf-plain; then
        build_and_run plain libc "$@" "$host" $(pkg-config --cflags --libs sheaf-plain)
        build_and_run plain_archive libc "$@" "$host" $(pkg-config --cflags sheaf-plain) "$library_path/libsheaf-plain.a"
    fi
}
# The shared program finds the library it was linked with, by the name that carries the interface's number.
readelf -d "$root/shared" | grep -q 'NEEDED.*libsheaf\.so\.0' || { echo "soname"; exit 1; }
for header in allocator bytes export limits range scan shared sheaf status store version; do
    [ -f "$(pkg-config --variable=includedir sheaf)/sheaf/$header.h" ] || { echo "$header.h is not installed"; exit 1; }
done
