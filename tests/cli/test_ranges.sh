#!/bin/sh
# test_ranges.sh - which entries a range holds, in both directions and page by page.
. "$(dirname "$0")/tap.sh"

# In no order: the tree has to sort it.
printf '%s\t%s\n' root/photos/2026/sunset.jpg 198022 root/ 0 root/photos.txt 12 root/docs/cv.pdf 81920 root/photos/ 0 \
    root/photos/2026/ 0 root/docs/ 0 root/photos/2026/beach.jpg 240113 >drive.tsv
printf '%s\n' p1 p1a p2 p10 cat cata catb catc catd >keys

run query -q drive.tsv
gives 'all entries, in the order of bytes' 0 'root/\t0\nroot/docs/\t0\nroot/docs/cv.pdf\t81920\nroot/photos.txt\t12\nroot/photos/\t0\nroot/photos/2026/\t0\nroot/photos/2026/beach.jpg\t240113\nroot/photos/2026/sunset.jpg\t198022\n'

run query -q drive.tsv --reverse
gives 'the same backwards' 0 'root/photos/2026/sunset.jpg\t198022\nroot/photos/2026/beach.jpg\t240113\nroot/photos/2026/\t0\nroot/photos/\t0\nroot/photos.txt\t12\nroot/docs/cv.pdf\t81920\nroot/docs/\t0\nroot/\t0\n'

run query -q drive.tsv --begins-with root/photos/
gives 'begins-with: the subtree, without the file of like name' 0 'root/photos/\t0\nroot/photos/2026/\t0\nroot/photos/2026/beach.jpg\t240113\nroot/photos/2026/sunset.jpg\t198022\n'

run query -q drive.tsv --begins-with root/photos/ --reverse
gives 'begins-with, backwards' 0 'root/photos/2026/sunset.jpg\t198022\nroot/photos/2026/beach.jpg\t240113\nroot/photos/2026/\t0\nroot/photos/\t0\n'

run query -q keys --begins-with ''
gives 'begins-with nothing: every key' 0 'cat\ncata\ncatb\ncatc\ncatd\np1\np10\np1a\np2\n' ''

run query -q keys --begins-with nowhere
gives 'begins-with, no such key: no line, and success' 0 ''

run query -q keys --between cata catc
gives 'between: both ends included' 0 'cata\ncatb\ncatc\n'

run query -q keys --between cata catc --reverse
gives 'between, backwards' 0 'catc\ncatb\ncata\n'

run query -q --between=catb p1 keys
gives 'between, its first key behind an equals sign' 0 'catb\ncatc\ncatd\np1\n'

run query -q keys --between catb catb
gives 'between a key and itself' 0 'catb\n'

run query -q keys --lt cata
gives 'lt' 0 'cat\n'

run query -q keys --le cata
gives 'le' 0 'cat\ncata\n'

run query -q keys --gt p1
gives 'gt: longer keys that start with it are greater' 0 'p10\np1a\np2\n'

run query -q keys --ge p1
gives 'ge' 0 'p1\np10\np1a\np2\n'

run query -q keys --gt cata --le catc
gives 'a lower and an upper bound together' 0 'catb\ncatc\n'

run query -q keys --ge catb --lt catb
gives 'bounds that leave nothing' 0 ''

run query -q keys --lt cata --reverse
gives 'lt, backwards' 0 'cat\n'

run query -q keys --ge p1 --reverse
gives 'ge, backwards' 0 'p2\np1a\np10\np1\n'

run query -q keys --eq p1
gives 'eq: that one, not those that start with it' 0 'p1\n'

run query -q keys --eq p3
gives 'eq, not there: exit code 1' 1 '' 'sheaf query: there is no entry "p3"\n'

run query -q keys --limit 2
gives 'limit' 0 'cat\ncata\n'

run query -q keys --limit 2 --reverse
gives 'limit, backwards' 0 'p2\np1a\n'

run query -q keys --limit 100
gives 'a limit above the count' 0 'cat\ncata\ncatb\ncatc\ncatd\np1\np10\np1a\np2\n'

run query -q keys --limit 18446744073709551615 --begins-with p2
gives 'the largest limit' 0 'p2\n'

run query -q keys --begins-with cat --after catb
gives 'after: exclusive' 0 'catc\ncatd\n'

run query -q keys --begins-with cat --after catb --reverse
gives 'after, backwards: exclusive as well' 0 'cata\ncat\n'

run query -q keys --begins-with cat --after catbird
gives 'after a key that is not there' 0 'catc\ncatd\n'

run query -q keys --begins-with cat --after a
gives 'after a position below the range' 0 'cat\ncata\ncatb\ncatc\ncatd\n'

run query -q keys --begins-with cat --after z
gives 'after a position above the range' 0 ''

run query -q keys --begins-with cat --after ''
gives 'after nothing: from the beginning' 0 'cat\ncata\ncatb\ncatc\ncatd\n'

run query -q keys --begins-with cat --after '' --reverse
gives 'after nothing, backwards: from the end' 0 'catd\ncatc\ncatb\ncata\ncat\n'

# Pages of every size, chained through the last key, make the whole listing.
LC_ALL=C sort keys >forward
LC_ALL=C sort -r keys >backward
for direction in forward backward; do
    [ $direction = forward ] && reverse= || reverse=--reverse
    for size in 1 2 3 4 5 8 9 10; do
        : >pages
        after=
        while
            # shellcheck disable=SC2086 # an option or none
            run query -q keys --limit $size --after "$after" $reverse
            [ -s got.out ]
        do
            [ "$(wc -l <got.out)" -le $size ] && [ "$(wc -l <pages)" -lt 9 ] || break
            cat got.out >>pages
            after=$(tail -n 1 got.out)
        done
        same "pages of $size, $direction" $direction pages
    done
done

run query keys --limit 2
gives 'the summary says how to go on' 0 'cat\ncata\n' "read 9 records, 38 bytes, in TIME\n2 entries in TIME; more with --after 'cata'\n"

run query keys --limit 9
gives 'and says nothing where there is no more' 0 'cat\ncata\ncatb\ncatc\ncatd\np1\np10\np1a\np2\n' 'read 9 records, 38 bytes, in TIME\n9 entries in TIME\n'

printf 'p\377\001\np\377\377\nq\np\377\377\377\n' >high
run query -q high --begins-with "$(printf 'p\377')"
gives 'begins-with a byte of FF' 0 'p\377\001\np\377\377\np\377\377\377\n'

run query -q high --begins-with "$(printf 'p\377\377')" --reverse
gives 'begins-with FF FF, backwards' 0 'p\377\377\377\np\377\377\n'

finish
