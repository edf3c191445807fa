#!/bin/sh
# check_thread_rules.sh HEADERS - every public function says from which threads it may be called.
#
# It does so in its own comment, or by the rule in the comment that opens its header.
set -eu

found=$(for header in "$1"/*.h "$1"/*.h.in; do
    awk -v header="$(basename "$header")" '
        /^\/\*/ { comment = "" }
        { comment = comment tolower($0) "\n" }
        /^#ifndef/ && opening == "" { opening = comment }
        /^SHEAF_API / && opening !~ /thread rule/ && comment !~ /thread rule/ { print header ": " $0 }
    ' "$header"
done)
[ -z "$found" ] || { echo "without a thread rule:"; echo "$found"; exit 1; }
