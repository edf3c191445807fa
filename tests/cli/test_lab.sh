#!/bin/sh
# test_lab.sh - sheaf lab from outside: what it prints, what it writes, what it refuses.
. "$(dirname "$0")/tap.sh"

usage='Try '\''sheaf lab --help'\''.\n'

mkdir plans
printf 's1\t9\tann\ns1\t10\tbob\ns1\t1500\tdan\ns2\t7\t<eve> & "co"\n' >scores.tsv
cat >plans/scores.json <<'PLAN'
{
  "title": "Scores & <seasons>",
  "records": { "file": "../scores.tsv",
               "fields": [ { "name": "season", "from": "1" }, { "name": "score", "from": "2", "type": "number" },
                           { "name": "player", "from": "3" } ] },
  "layouts": [ { "name": "padded", "layout": "pk = \"{season}\", sk = \"{score:pad(4)}#{player}\"", "note": "of four digits" },
               { "name": "unpadded", "layout": "pk = \"{season}\", sk = \"{score:raw}#{player}\"" } ],
  "patterns": [ { "name": "top", "where": { "season": { "each": [ "s1", "s2" ] } }, "order": [ { "descending": "score" } ],
                  "limit": 1 },
                { "name": "one player", "where": { "player": "bob" } } ]
}
PLAN

# ---- answers
# Items of dan: pk, sk, season, score, player are 21 bytes; s1 2, 1500#dan 8, s1 2, 1500 2, dan 3: 38. Of ann, unpadded: 2 + 5 + 2 + 2
# + 3 and 21: 35. Of eve: 2 + 17 + 2 + 2 + 12 + 21 = 56 padded, 3 less unpadded.

run lab plans/scores.json --reproducible
gives 'tables' 0 'Scores & <seasons>
4 records of ../scores.tsv

layout    entries  collections  pk bytes  sk bytes  depth  largest
padded          4            2       2.0      10.2      1   75.0 %%  "s1"
unpadded        4            2       2.0       8.2      1   75.0 %%  "s1"

top: where season = ?; by score descending; limit 1 (2 runs)
layout    answer  read  returned  bytes read  returned  units
padded    right    1.0       1.0        47.0      47.0    0.5
unpadded  WRONG    1.0       1.0        44.0      44.0    0.5
  unpadded: wrong in 1 of 2: season = "s1"; place 1 is score 9, player "ann"; should be score 1500, player
      "dan"

one player: where player = "bob" (1 run)
layout    answer  read  returned  bytes read  returned  units
padded    scan     4.0       1.0       170.0      38.0    0.5
unpadded  scan     4.0       1.0       162.0      36.0    0.5
  all: reads everything, filters by player: 75.0 %% of what is read is thrown away
  one query would do with an index: partition key player
'

run lab plans/scores.json --reproducible --json
gives 'JSON lines' 0 '{"kind":"lab","title":"Scores & <seasons>","file":"../scores.tsv","records":4,"seed":0}
{"kind":"layout","layout":"padded","text":"pk = \\"{season}\\", sk = \\"{score:pad(4)}#{player}\\"","entries":4,"collections":2,"partition_key_bytes":8,"sort_key_bytes":41,"sort_key_size_max":17,"depth":1,"largest":"s1","largest_entries":3,"refused":0,"replaced":0}
{"kind":"layout","layout":"unpadded","text":"pk = \\"{season}\\", sk = \\"{score:raw}#{player}\\"","entries":4,"collections":2,"partition_key_bytes":8,"sort_key_bytes":33,"sort_key_size_max":14,"depth":1,"largest":"s1","largest_entries":3,"refused":0,"replaced":0}
{"kind":"answer","layout":"padded","pattern":"top","way":"query","right":true,"runs":2,"wrong_runs":0,"read_entries":2,"read_bytes":94,"returned_entries":2,"returned_bytes":94,"units":1,"query":"pk = \\"s1\\", reverse, limit 1"}
{"kind":"answer","layout":"unpadded","pattern":"top","way":"query","right":false,"runs":2,"wrong_runs":1,"read_entries":2,"read_bytes":88,"returned_entries":2,"returned_bytes":88,"units":1,"query":"pk = \\"s1\\", reverse, limit 1","wrong":"wrong in 1 of 2: season = \\"s1\\"; place 1 is score 9, player \\"ann\\"; should be score 1500, player \\"dan\\"","wrong_run":1,"wrong_kind":"misplaced","wrong_place":1,"expected":{"season":"s1","score":"1500","player":"dan"},"found":{"season":"s1","score":"9","player":"ann"}}
{"kind":"answer","layout":"padded","pattern":"one player","way":"scan","right":true,"runs":1,"wrong_runs":0,"read_entries":4,"read_bytes":170,"returned_entries":1,"returned_bytes":38,"units":0.5,"need":"reads everything, filters by player: 75.0 %% of what is read is thrown away"}
{"kind":"answer","layout":"unpadded","pattern":"one player","way":"scan","right":true,"runs":1,"wrong_runs":0,"read_entries":4,"read_bytes":162,"returned_entries":1,"returned_bytes":36,"units":0.5,"need":"reads everything, filters by player: 75.0 %% of what is read is thrown away"}
'

run lab plans/scores.json --reproducible --json
mv got.out json.file
sed 's#"../scores.tsv"#"-"#' plans/scores.json >plans/input.json
run lab plans/input.json --reproducible --json <scores.tsv
sed 's#"../scores.tsv"#"standard input"#' json.file >json.wanted
same 'records from standard input are the same' json.wanted got.out
run lab - --reproducible --json <plans/scores.json
gives 'a plan on standard input is seen from here' 2 '' '<stdin>: cannot open ../scores.tsv: No such file or directory\n'

run lab plans/scores.json --json
grep -c '"p50_ns":[0-9]*,"p99_ns":[0-9]*' got.out >times
grep -c '"memory_bytes":[0-9]*' got.out >>times
printf '4\n2\n' >times.wanted
same 'times of each answer and memory of each layout are measured' times.wanted times
grep -v '"kind":"layout"' got.out | sed 's/,"p50_ns":[0-9]*,"p99_ns":[0-9]*//' >answers
grep -v '"kind":"layout"' json.file >answers.wanted
same 'all else is as without' answers.wanted answers

# ---- other formats

gzip >export.json.gz <<'LINES'
{"Item":{"season":{"S":"s1"},"score":{"N":"9"},"player":{"S":"ann"}}}
{"Item":{"season":{"S":"s1"},"score":{"N":"10"},"player":{"S":"bob"}}}
{"Item":{"season":{"S":"s1"},"score":{"N":"1500"},"player":{"S":"dan"}}}
{"Item":{"season":{"S":"s2"},"score":{"N":"007"},"player":{"S":"<eve> & \"co\""}}}
LINES
sed 's#../scores.tsv#../export.json.gz#; s/, "from": "[0-9]"//g' plans/scores.json >plans/export.json
run lab plans/export.json --reproducible --json
sed 's#"../scores.tsv"#"../export.json.gz"#' json.file >json.wanted
same 'an export of DynamoDB, packed, is the same' json.wanted got.out

{ echo 'player,score,season' && printf 'ann,9,s1\nbob,10,s1\ndan,1500,s1\n"<eve> & ""co""",7,s2\n'; } >scores.csv
sed 's#../scores.tsv#../scores.csv#; s/, "from": "[0-9]"//g' plans/scores.json >plans/csv.json
run lab plans/csv.json --reproducible --json
sed 's#"../scores.tsv"#"../scores.csv"#' json.file >json.wanted
same 'CSV with a header is the same' json.wanted got.out

# ---- progress

# On a terminal, which script makes, and after half a second.
if command -v script >/dev/null; then
    script -q -c '{ cat scores.tsv; sleep 0.7; } | sheaf lab plans/input.json --reproducible >slow.out' progress >script.out \
        2>&1 </dev/null
    grep -q '[0-9] of 8: "unpadded", "one player"' progress && ! grep -q ' of 8:' slow.out
    report $? 'a run that takes long says on the terminal how far it is'
fi

# ---- sampling

cat >plans/sampled.json <<'PLAN'
{ "records": { "file": "../scores.tsv", "fields": [ { "name": "season", "from": "1" }, { "name": "player", "from": "3" } ] },
  "layouts": [ { "name": "l", "layout": "pk = \"{season}\", sk = \"{player}\"" } ],
  "patterns": [ { "name": "p", "where": { "season": { "sample": true } } } ] }
PLAN
run lab plans/sampled.json --json --reproducible
grep -o '"runs":[0-9]*' got.out >runs
run lab plans/sampled.json --json --reproducible --samples 3 --seed 9
grep -o '"runs":[0-9]*\|"seed":[0-9]*' got.out >>runs
printf '"runs":25\n"seed":9\n"runs":3\n' >runs.wanted
same 'samples and seed from the command line' runs.wanted runs

# ---- pages

run lab plans/scores.json --html page.html --gnuplot plot.gp -q
[ "$(cat got.code)" = 0 ] && [ -s page.html ] && [ -s plot.gp ] && [ ! -s got.err ]
report $? 'a page and a script are written beside the tables'

# Well formed: every element that is opened is closed, in order; what is never closed is known. Nothing is fetched, nothing runs.
cat >check.py <<'PYTHON'
import html.parser, re, sys
class Page(html.parser.HTMLParser):
    void = {'meta', 'br', 'line', 'rect', 'circle'}
    open, text, ids, links = [], [], set(), []
    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        assert len(names) == len(set(names)), (tag, names)
        assert tag not in ('script', 'link', 'img', 'iframe', 'object', 'embed', 'base', 'form'), tag
        for name, value in attributes:
            assert not name.startswith('on') and name not in ('src', 'srcset', 'background', 'xlink:href'), (tag, name)
            if name == 'id': assert value not in self.ids; self.ids.add(value)
            if name == 'href': assert value.startswith('#'), value; self.links.append(value[1:])
        if tag not in self.void: self.open.append(tag)
    def handle_startendtag(self, tag, attributes):
        assert tag in ('line', 'rect', 'circle'), tag
        self.handle_starttag(tag, attributes)
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, (tag, self.getpos())
    def handle_data(self, data):
        self.text.append(data)
page = Page(convert_charrefs=True)
source = open(sys.argv[1], encoding='utf-8').read()
page.feed(source); page.close()
assert not page.open, page.open
assert set(page.links) <= page.ids, page.links
assert not re.search(r'url\(|@import|https?:|javascript:', source)
text = ''.join(page.text)
for wanted in sys.argv[2:]: assert wanted in text, wanted
assert source.count('<svg') == source.count('</svg>') == 2 + 2 * 2, source.count('<svg')
assert 'prefers-color-scheme:dark' in source
PYTHON
python3 check.py page.html 'Scores & <seasons>' 'of four digits' 'season = "s1"; place 1 is score 9, player "ann"; should be score 1500' \
    'pk = "s1", reverse, limit 1' 'one query would do with an index: partition key player' 2>check.err
code=$?
[ $code -eq 0 ] || sed 's/^/# /' check.err
report $code 'the page is well formed, says it all, fetches nothing and runs nothing'

if command -v gnuplot >/dev/null; then
    gnuplot -e 'output_file="plot.svg"' plot.gp 2>gnuplot.err && grep -q '</svg>' plot.svg && [ ! -s gnuplot.err ]
    code=$?
    [ $code -eq 0 ] || sed 's/^/# /' gnuplot.err
    report $code 'gnuplot draws the script'
fi

# ---- what is refused: nothing is written

refuses() {
    gives "$1" 2 '' "$2"
    [ ! -e no.html ] && [ ! -e no.gp ] && [ -z "$(ls | grep '^no\.')" ]
    report $? "$1: no file is written"
}
bad() {
    run lab "$@" --html no.html --gnuplot no.gp
}

run lab
gives 'no plan' 2 '' "sheaf lab: expected a plan\n$usage"
run lab a b
gives 'two plans' 2 '' "sheaf lab: expected one plan\n$usage"
run lab plans/scores.json --frob
gives 'no such option' 2 '' "sheaf lab: there is no option --frob\n$usage"
run lab plans/scores.json --samples 0
gives 'no samples' 2 '' "sheaf lab: --samples: expected a whole number from 1 to 10000, found \"0\"\n$usage"
run lab plans/scores.json --seed x
gives 'no seed' 2 '' "sheaf lab: --seed: expected a whole number from 0 to 4294967295, found \"x\"\n$usage"
run lab plans/scores.json --html
gives 'no file' 2 '' "sheaf lab: --html: expected an argument\n$usage"
bad missing.json
refuses 'a plan that is not there' 'sheaf lab: cannot open missing.json: No such file or directory\n'
echo '{' >plans/half.json
bad plans/half.json
refuses 'half a plan' "plans/half.json: line 2, column 0: expected JSON: string or '}' expected near end of file\n"
sed 's/"season", "from"/"saison", "from"/' plans/scores.json >plans/bad.json
bad plans/bad.json
refuses 'a pattern of no field' 'plans/bad.json: patterns[0].where: there is no field "season"\n'
sed 's/{score:pad(4)}/{skore:pad(4)}/' plans/scores.json >plans/bad.json
bad plans/bad.json
refuses 'a layout of no field' 'plans/bad.json: layouts[0].layout: there is no field "skore" among those of the records\n'
sed 's#../scores.tsv#gone.tsv#' plans/scores.json >plans/bad.json
bad plans/bad.json
refuses 'records that are not there' 'plans/bad.json: cannot open plans/gone.tsv: No such file or directory\n'
sed 's#"from": "2"#"from": "3"#' plans/scores.json >plans/bad.json
bad plans/bad.json
refuses 'records that do not fit' 'plans/bad.json: plans/../scores.tsv:1: expected a number such as 1500 or -2.5, found "ann" (field "score")\n'
run lab plans/scores.json --html /nowhere/page.html
gives 'a page that cannot be written' 2 '' 'sheaf lab: cannot write /nowhere/page.html: No such file or directory\n'
mkdir folder
run lab plans/scores.json --html folder
gives 'a page where a folder is' 2 '' 'sheaf lab: cannot write folder: Is a directory\n'
[ -z "$(ls | grep '^folder\.')" ]
report $? 'nothing is left beside it'

finish
