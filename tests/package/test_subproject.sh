#!/bin/sh
# test_subproject.sh SOURCE HOST.c BACKEND - another meson project builds Sheaf as its subproject and runs with it.
set -eu

source=$1
host=$2
backend=$3
case $backend in
jemalloc) jemalloc=enabled ;;
*) jemalloc=disabled ;;
esac
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

mkdir -p "$root/subprojects/sheaf"
for part in engine include bench tests meson.build meson_options.txt; do
    ln -s "$source/$part" "$root/subprojects/sheaf/$part"
done
cp "$host" "$root/host.c"
cat >"$root/meson.build" <<'END'
project('host', 'c', default_options: ['buildtype=debug'])
sheaf_dep = dependency('sheaf', fallback: 'sheaf', default_options: ['werror=true'])
executable('host', 'host.c', dependencies: [sheaf_dep, meson.get_compiler('c').find_library('dl', required: false)])
END
cd "$root"
for library in shared static; do
    meson setup "$library" --wrap-mode=forcefallback -Ddefault_library=$library -Dsheaf:jemalloc="$jemalloc" >log 2>&1 || { cat log; exit 1; }
    ninja -C "$library" host >log 2>&1 || { cat log; exit 1; }
    "$library/host" "$backend" || { echo "$library does not run"; exit 1; }
done
