#!/bin/sh
# test_answers.sh - counts, bytes, ranks, places, children, partitions.
. "$(dirname "$0")/tap.sh"

printf '%s\t%s\n' root/ 0 root/docs/ 0 root/docs/cv.pdf 81920 root/photos.txt 12 root/photos/ 0 root/photos/2026/ 0 \
    root/photos/2026/beach.jpg 240113 root/photos/2026/sunset.jpg 198022 >drive.tsv
printf '%s\t%s\t%s\n' 26 p_8842 1500 26 p_17 9 26 p_3 240 26 p_5 10 25 p_17 77 26 p_9 240 >scores.tsv
set -- --pk 'SEASON#{1}' --sk '{3:pad(10)}#{2}' --value '{2}' scores.tsv

run query -q "$@" --partition 'SEASON#26' --reverse --limit 3
gives 'the top three' 0 '0000001500#p_8842\tp_8842\n0000000240#p_9\tp_9\n0000000240#p_3\tp_3\n'

run query -q "$@" --partition 'SEASON#26'
gives 'padded numbers sort by value' 0 '0000000009#p_17\tp_17\n0000000010#p_5\tp_5\n0000000240#p_3\tp_3\n0000000240#p_9\tp_9\n0000001500#p_8842\tp_8842\n'

run query -q scores.tsv --pk '{1}' --sk '{3:invert(10)}' --value '{3}' --partition 26
gives 'inverted numbers sort the largest first; the same key again replaces' 0 '9999998499\t1500\n9999999759\t240\n9999999989\t10\n9999999990\t9\n'

run query -q "$@" --partition 'SEASON#26' --rank '0000000240#p_9'
gives 'rank, from the lowest' 0 '4\n'

run query -q "$@" --partition 'SEASON#26' --rank '0000000240#p_9' --reverse
gives 'rank, from the highest' 0 '2\n'

run query -q "$@" --partition 'SEASON#26' --rank '0000001500#p_8842' --reverse --json
gives 'rank, as JSON' 0 '{"rank":1,"of":5,"sk":"0000001500#p_8842"}\n'

run query -q "$@" --partition 'SEASON#26' --rank '0000000240#p_9' --begins-with 0000000240
gives 'rank within a range' 0 '2\n'

run query -q "$@" --partition 'SEASON#26' --rank 0000000100
gives 'rank of a key that is not there: exit code 1, and where it would be' 1 '' 'sheaf query: there is no entry "0000000100"; it would be number 3 of 6\n'

run query -q "$@" --partition 'SEASON#26' --rank 0000000100 --reverse
gives 'the same, from the highest' 1 '' 'sheaf query: there is no entry "0000000100"; it would be number 4 of 6\n'

run query -q "$@" --partition 'SEASON#26' --rank '0000000009#p_17' --ge 0000000010
gives 'rank of an entry outside the range' 1 '' 'sheaf query: there is no entry "0000000009#p_17"; it would be number 1 of 5\n'

run query -q "$@" --partition 'SEASON#26' --nth 1
gives 'the first' 0 '0000000009#p_17\tp_17\n'

run query -q "$@" --partition 'SEASON#26' --nth 1 --reverse
gives 'the last' 0 '0000001500#p_8842\tp_8842\n'

run query -q "$@" --partition 'SEASON#26' --nth 2 --gt 0000000010
gives 'the second of a range' 0 '0000000240#p_3\tp_3\n'

run query -q "$@" --partition 'SEASON#26' --nth 5
gives 'the place that is the count' 0 '0000001500#p_8842\tp_8842\n'

run query -q "$@" --partition 'SEASON#26' --nth 6
gives 'one beyond: exit code 1' 1 '' 'sheaf query: there is no entry number 6 of 5\n'

run query -q "$@" --partition 'SEASON#26' --count
gives 'count' 0 '5\n'

run query -q "$@" --partition 'SEASON#26' --count --ge 0000000240
gives 'count of a range' 0 '3\n'

run query -q "$@" --partition 'SEASON#26' --count --after 0000000240
gives 'count from a position on' 0 '3\n'

run query -q "$@" --partition 'SEASON#26' --count --after 0000000240 --reverse
gives 'count from a position on, downwards' 0 '2\n'

# Keys of 15, 14, 14, 14 and 17 bytes, values of 4, 3, 3, 3 and 6.
run query -q "$@" --partition 'SEASON#26' --bytes
gives 'bytes of keys and values' 0 '93\n'

run query -q "$@" --partition 'SEASON#26' --bytes --count --begins-with 0000000240
gives 'count and bytes of a range' 0 '2\t34\n'

run query -q "$@" --partition 'SEASON#26' --bytes --count --json
gives 'count and bytes, as JSON' 0 '{"count":5,"bytes":93}\n'

run query -q "$@" --partition 'SEASON#26' --bytes --json
gives 'bytes alone, as JSON' 0 '{"bytes":93}\n'

run query -q "$@" --partition 'SEASON#26' --count --begins-with 1
gives 'count of an empty range' 0 '0\n'

# Below root/: docs/ holds 10+1 and 16+5 bytes, photos.txt 15+2, photos/ 12+1, 17+1, 26+6 and 27+6.
run query -q drive.tsv --begins-with root/ --children /
gives 'children with counts and bytes; the folder is no child of itself' 0 '2\t32\troot/docs/\n1\t17\troot/photos.txt\n4\t96\troot/photos/\n'

run query -q drive.tsv --begins-with root/ --children / --reverse
gives 'children, backwards' 0 '4\t96\troot/photos/\n1\t17\troot/photos.txt\n2\t32\troot/docs/\n'

run query -q drive.tsv --children /
gives 'children of all' 0 '8\t151\troot/\n'

run query -q drive.tsv --begins-with root/ --children / --limit 1
gives 'children, one page' 0 '2\t32\troot/docs/\n'

run query -q drive.tsv --begins-with root/ --children / --after root/docs/
gives 'children, the pages after' 0 '1\t17\troot/photos.txt\n4\t96\troot/photos/\n'

run query -q drive.tsv --begins-with root/ --children / --after root/photos.txt --reverse
gives 'children, the pages after, backwards' 0 '2\t32\troot/docs/\n'

run query drive.tsv --begins-with root/ --children / --limit 2
gives 'the summary says how to go on with children' 0 '2\t32\troot/docs/\n1\t17\troot/photos.txt\n' "read 8 records, 167 bytes, in TIME\n2 children in TIME; more with --after 'root/photos.txt'\n"

run query -q drive.tsv --begins-with root/ --children / --json
gives 'children, as JSON' 0 '{"count":2,"bytes":32,"key":"root/docs/","folder":true}\n{"count":1,"bytes":17,"key":"root/photos.txt","folder":false}\n{"count":4,"bytes":96,"key":"root/photos/","folder":true}\n'

run query -q drive.tsv --begins-with root/photos/2026/ --children .jp
gives 'children, a delimiter of several bytes' 0 '1\t32\troot/photos/2026/beach.jp\n1\t33\troot/photos/2026/sunset.jp\n'

run collections -q "$@"
gives 'collections' 0 '1\t19\tSEASON#25\n5\t93\tSEASON#26\n'

run collections -q "$@" --json
gives 'collections, as JSON' 0 '{"count":1,"bytes":19,"pk":"SEASON#25"}\n{"count":5,"bytes":93,"pk":"SEASON#26"}\n'

run collections drive.tsv
gives 'one collection, if no template says otherwise' 0 '8\t151\tall\n' 'read 8 records, 167 bytes, in TIME\n1 partition, 8 entries, 154 bytes of keys and values in SIZE of memory\n'

printf '%s\n' 3 1 2 10 | run collections -q --pk '{1}'
gives 'collections, in the order of their keys' 0 '1\t1\t1\n1\t2\t10\n1\t1\t2\n1\t1\t3\n'

: >nothing
run collections -q nothing
gives 'no collection at all' 0 ''

run query -q "$@"
gives 'several partitions and none chosen: exit code 2, and some of them' 2 '' "sheaf query: the records make 2 partitions; choose one with --partition KEY\n  'SEASON#25'  1 entry\n  'SEASON#26'  5 entries\n"

run query -q "$@" --partition 26
gives 'a partition that is not there: exit code 1, and some that are' 1 '' "sheaf query: there is no partition \"26\" among 2 partitions\n  'SEASON#25'  1 entry\n  'SEASON#26'  5 entries\n"

printf '%s\n' g f e d c b a | run query -q --pk '{1}'
gives 'of many partitions a few are named' 2 '' "sheaf query: the records make 7 partitions; choose one with --partition KEY\n  'a'  1 entry\n  'b'  1 entry\n  'c'  1 entry\n  'd'  1 entry\n  'e'  1 entry\n  and 2 more: 'sheaf collections' lists them all\n"

run query -q nothing --count --bytes
gives 'without records a count is 0' 0 '0\t0\n'

run query -q nothing
gives 'without records there is nothing to list' 0 ''

run query -q nothing --nth 1
gives 'without records there is no first' 1 '' 'sheaf query: there is no entry number 1 of 0\n'

run query nothing
gives 'the summary of nothing' 0 '' 'read 0 records, 0 bytes, in TIME\n0 entries in TIME\n'

finish
