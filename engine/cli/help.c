#include "engine/cli/help.h"

const char *const HELP_PROGRAM[] = {
    "Usage: sheaf COMMAND [OPTION]... [FILE]...\n"
    "       sheaf --help | --version\n"
    "\n"
    "Reads records into memory, as sorted collections, and answers questions about\n"
    "them: a subtree, the top ten, a rank, what lies between two keys. A record goes\n"
    "to the partition of its partition key and is sorted there, byte by byte, by its\n"
    "sort key: the model of DynamoDB, without the service.\n"
    "\n"
    "Commands:\n"
    "  query            read one slice of one partition, in either direction\n"
    "  collections      list the partitions, with the entries and bytes of each\n"
    "  advise           say what is wrong with keys, and which layout repairs it\n"
    "  lab              try key layouts on records: which answers rightly, at what cost\n"
    "  help COMMAND     explain a command; the same as COMMAND --help\n"
    "\n"
    "Examples:\n"
    "  Everything below a folder, in path order:\n"
    "    find /usr -xdev -printf '%p\\t%s\\n' | sheaf query --begins-with /usr/share/doc/\n"
    "\n"
    "  The children of a folder, with the entries and bytes below each; the largest:\n"
    "    find /usr -xdev -printf '%p\\t%s\\n' | sheaf query --begins-with /usr/ --children /\n"
    "    find /usr -xdev -printf '%p\\t%s\\n' | sheaf query --begins-with /usr/ --children / | sort -n | tail -n 3\n"
    "\n"
    "  The partitions that a layout makes of a file:\n"
    "    sheaf collections scores.tsv --pk 'SEASON#{1}' --sk '{3:pad(10)}#{2}'\n"
    "\n"
    "Exit status: 0 answered; 1 the entry, place or partition asked for is not there;\n"
    "2 wrong usage or input, said with file and line, and nothing was written.\n",
    NULL,
};

static const char RECORDS[] =
    "Records:\n"
    "  Lines of tab-separated columns, CSV, JSON objects one a line, or items of\n"
    "  DynamoDB as an export to S3 has them; packed by gzip or not. Without FILE, or\n"
    "  where FILE is -, standard input is read. Empty lines are passed over; when a\n"
    "  key comes again the later record replaces the earlier one.\n"
    "\n"
    "      --input FORMAT   tsv, csv, jsonl or dynamodb; otherwise a first line that\n"
    "                       is an item of DynamoDB shows that all are; files named\n"
    "                       *.csv, *.jsonl and *.ndjson (.gz or not) are what they\n"
    "                       are called, and all else is tab-separated\n"
    "      --header         the first tab-separated line names the columns\n"
    "      --no-header      that of CSV does not, as it otherwise does\n"
    "  -z, --zero-terminated   lines end with a NUL byte, in input and in TSV output:\n"
    "                       for file names with line feeds in them\n"
    "\n";

static const char KEYS[] =
    "      --pk TEMPLATE    partition key; otherwise all records are in one, 'all'\n"
    "      --sk TEMPLATE    sort key; otherwise '{1}' (JSON: must be given)\n"
    "      --partition-key NAME, --sort-key NAME   the field of that name, just so\n";

static const char KEYS_AND_VALUES[] =
    "Keys and values, built from each record by a template:\n";

static const char VALUE[] =
    "      --value TEMPLATE value; otherwise '{2-}' (JSON: '{}')\n";

static const char TEMPLATES[] =
    "\n"
    "    {2}            column 2                 {2-}   column 2 and all after it\n"
    "    {name}         the column with that name in the header\n"
    "    {user.id}      a member of JSON, by path; an attribute of an item, without\n"
    "                   its type: N is its text, B its bytes\n"
    "    {}             the whole line\n"
    "    {3:pad(10)}    a whole number with zeros before it, 10 digits in all: byte\n"
    "                   order is then the order of the numbers\n"
    "    {3:invert(10)} the same, the largest first: 9999999999 less the number\n"
    "    {{ and }}      braces as text; all other text stands for itself\n";

static const char OUTPUT[] =
    "Output:\n"
    "      --text, --tsv, --json   a table for reading; bytes as they are, between\n"
    "                       tabs; JSON lines, in which bytes that are not UTF-8 are\n"
    "                       {\"base64\":\"...\"}. Otherwise text on a terminal, else TSV\n"
    "  -q, --quiet          do not say on standard error what was read, and how fast\n"
    "  -h, --help           this text\n";

const char *const HELP_QUERY[] = {
    "Usage: sheaf query [OPTION]... [FILE]...\n"
    "\n"
    "Reads records, and answers one question about one partition: by default the\n"
    "entries of a range of sort keys, in order.\n"
    "\n",
    RECORDS,
    KEYS_AND_VALUES,
    KEYS,
    VALUE,
    TEMPLATES,
    "\n"
    "Which entries (all, unless said; keys compare byte by byte):\n"
    "      --partition KEY        the partition, where the records make several\n"
    "      --begins-with PREFIX   keys that start with PREFIX\n"
    "      --between LOW HIGH     from LOW to HIGH, both included\n"
    "      --lt KEY, --le KEY     less than, at most KEY  } one of each may\n"
    "      --gt KEY, --ge KEY     greater, at least KEY   } be combined\n"
    "      --eq KEY               just that one\n"
    "\n"
    "How they are listed:\n"
    "      --reverse        from the highest key to the lowest\n"
    "      --limit N        at most N\n"
    "      --after KEY      go on behind KEY, in the direction of the listing; KEY\n"
    "                       need not exist, and an empty one is the beginning\n"
    "\n"
    "What is asked, instead of listing (none of it reads the entries):\n"
    "      --count          how many there are\n"
    "      --bytes          how many bytes their sort keys and values have\n"
    "      --rank KEY       KEY's place among them, from 1; in reverse from the top\n"
    "      --nth N          the entry in place N, from 1\n"
    "      --children DELIMITER   each next part of the key after the prefix once, up\n"
    "                       to DELIMITER, with the count and bytes of all below it\n"
    "\n",
    OUTPUT,
    "\n"
    "Examples:\n"
    "  A subtree, one page of it, and the next page:\n"
    "    find /usr -xdev -printf '%p\\t%s\\n' >files.tsv\n"
    "    sheaf query files.tsv --begins-with /usr/share/doc/\n"
    "    sheaf query files.tsv --begins-with /usr/bin/ --limit 5\n"
    "    sheaf query files.tsv --begins-with /usr/bin/ --limit 5 --after /usr/bin/awk\n"
    "\n"
    "  The direct children of a folder, and all that lies below it:\n"
    "    sheaf query files.tsv --begins-with /usr/ --children /\n"
    "    sheaf query files.tsv --begins-with /usr/ --count --bytes\n"
    "\n"
    "  A leaderboard. scores.tsv has season, player and score. Padded, scores sort by\n"
    "  value; the player behind makes each key its own. Top three, and a rank:\n"
    "    sheaf query scores.tsv --pk 'SEASON#{1}' --sk '{3:pad(10)}#{2}' --partition 'SEASON#26' --reverse --limit 3\n"
    "    sheaf query scores.tsv --pk 'SEASON#{1}' --sk '{3:pad(10)}#{2}' --partition 'SEASON#26' --reverse --rank "
    "'0000001500#p_8842'\n"
    "\n"
    "  The same of a CSV file with a header, packed by gzip:\n"
    "    sheaf query scores.csv.gz --pk 'SEASON#{season}' --sk '{score:pad(10)}#{player}' --partition 'SEASON#26' --reverse "
    "--limit 3\n"
    "\n"
    "  An export of a DynamoDB table to S3:\n"
    "    sheaf query export.json.gz --partition-key pk --sort-key sk --partition 'USER#7' --value '{name}'\n"
    "\n"
    "  JSON lines, half a year of them, as JSON:\n"
    "    sheaf query orders.jsonl --pk 'CUSTOMER#{customer.id}' --sk '{date}#{number}' --partition 'CUSTOMER#7' "
    "--ge 2026-01 --lt 2026-07 --json\n"
    "\n"
    "Exit status: 0 answered, be it with nothing in the range; 1 the one entry, place\n"
    "or partition asked for (--eq, --rank, --nth, --partition) is not there; 2 wrong\n"
    "usage or input.\n",
    NULL,
};

const char *const HELP_COLLECTIONS[] = {
    "Usage: sheaf collections [OPTION]... [FILE]...\n"
    "\n"
    "Reads records, and lists the partitions they make, in the order of their keys:\n"
    "how many entries each has, and how many bytes their sort keys and values.\n"
    "\n",
    RECORDS,
    KEYS_AND_VALUES,
    KEYS,
    VALUE,
    TEMPLATES,
    "\n",
    OUTPUT,
    "\n"
    "Examples:\n"
    "  How evenly does a layout spread the entries?\n"
    "    sheaf collections scores.tsv --pk 'SEASON#{1}' --sk '{2}'\n"
    "    sheaf collections orders.jsonl --pk 'CUSTOMER#{customer.id}' --sk '{date}' | sort -n\n"
    "    sheaf collections export.json.gz --partition-key pk --sort-key sk\n"
    "\n"
    "Exit status: 0 listed; 2 wrong usage or input.\n",
    NULL,
};

const char *const HELP_ADVISE[] = {
    "Usage: sheaf advise [OPTION]... [FILE]...\n"
    "\n"
    "Reads keys, and says what is wrong with them or will be: numbers that do not\n"
    "sort by value, widths that are mixed or nearly used up, delimiters inside a\n"
    "part, folders without their trailing slash, times in several forms, keys near\n"
    "the limits of DynamoDB, partitions that outgrow the rest. Each finding comes\n"
    "with two keys that show it and the layout that repairs it.\n"
    "\n",
    RECORDS,
    "Keys, built from each record by a template:\n",
    KEYS,
    "      --ttl NAME       the field that says when an item expires\n",
    TEMPLATES,
    "\n"
    "Output:\n"
    "      --text, --json   a report for reading; JSON lines, one for each finding\n"
    "      --fail-on SEVERITY   note, warning or error (the default): the exit status\n"
    "                       is 1 if something as severe as that, or more, was found\n"
    "  -q, --quiet          do not say on standard error what was read\n"
    "  -h, --help           this text\n"
    "\n"
    "Examples:\n"
    "  Will the scores sort, and will they still when they grow?\n"
    "    sheaf advise scores.tsv --pk 'SEASON#{1}' --sk '{3:pad(10)}#{2}'\n"
    "\n"
    "  A table that was exported to S3, in a build that must not pass with a warning:\n"
    "    sheaf advise export.json.gz --partition-key pk --sort-key sk --ttl expires --fail-on warning\n"
    "\n"
    "Exit status: 0 nothing as severe as --fail-on was found; 1 something was;\n"
    "2 wrong usage or input.\n",
    NULL,
};

bool help_print(const char *const *help, FILE *file)
{
    for (; *help; help++)
        if (fputs(*help, file) == EOF) return false;
    return fflush(file) != EOF;
}
