/*
 * showcase - two real data sets in memory, and what can be asked of them.
 *
 * A source tree is one item collection with the path as sort key; the towns of the world are one collection per country with
 * the padded population first in the sort key. Each question is printed as DynamoDB would have it, as the command `sheaf query`
 * has it, with its answer and the time that took. Uses nothing but <sheaf/sheaf.h>.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/sheaf.h>

#include "bench/dataset.h"
#include "bench/fatal.h"
#include "bench/measure.h"

#define REPOSITORY "REPO#git"

enum question_kind {
    ASK_ENTRIES,  /* read a range */
    ASK_CHILDREN, /* direct children of a folder */
    ASK_RANK,     /* the place of a key, from the top */
    ASK_TOTALS,   /* count and bytes of a range */
    ASK_PAGE      /* one page of a range, after a position */
};

struct question {
    const char *title;
    const char *query[3]; /* as one writes it for DynamoDB */
    const char *shell[2]; /* arguments of sheaf query */
    enum question_kind kind;
    const char *partition;
    const char *prefix; /* NULL: low and high; those NULL: all */
    const char *low;
    const char *high;
    sheaf_direction direction;
    uint64_t limit;    /* 0: none */
    const char *after; /* ASK_PAGE: the position it follows */
    bool numbered;     /* print the place before each entry */
};

#define FILES_SHELL "bench/data/git-tree.tsv --pk 'REPO#git' --sk '{1}' --value '{2}'"
#define CITIES_SHELL "bench/data/cities.tsv --pk 'COUNTRY#{1}' --sk '{2}#{3}'"

/* clang-format off */
static const struct question questions[] = {
    { .title = "A subtree: everything below one folder",
      .query = { "PK = \"REPO#git\" AND begins_with(SK, \"contrib/subtree/\")" },
      .shell = { FILES_SHELL, "--begins-with contrib/subtree/" },
      .kind = ASK_ENTRIES, .partition = REPOSITORY, .prefix = "contrib/subtree/" },
    { .title = "A folder's direct children, with what lies below each",
      .query = { "(DynamoDB has none: read all of begins_with(SK, \"contrib/\") and group)" },
      .shell = { FILES_SHELL, "--begins-with contrib/ --children /" },
      .kind = ASK_CHILDREN, .partition = REPOSITORY, .prefix = "contrib/" },
    { .title = "How much lies below a folder, without reading it",
      .query = { "PK = \"REPO#git\" AND begins_with(SK, \"t/\")", "Select=COUNT" },
      .shell = { FILES_SHELL, "--begins-with t/ --count --bytes" },
      .kind = ASK_TOTALS, .partition = REPOSITORY, .prefix = "t/" },
    { .title = "The top 10: the largest towns of a country",
      .query = { "PK = \"COUNTRY#JP\"", "ScanIndexForward=false, Limit=10" },
      .shell = { CITIES_SHELL, "--partition COUNTRY#JP --reverse --limit 10" },
      .kind = ASK_ENTRIES, .partition = "COUNTRY#JP", .direction = SHEAF_REVERSE, .limit = 10, .numbered = true },
    { .title = "A place on the leaderboard: how far up is Kyoto?",
      .query = { "PK = \"COUNTRY#JP\" AND SK > \"0001459640#Kyoto\"", "Select=COUNT" },
      .shell = { CITIES_SHELL, "--partition COUNTRY#JP --reverse --rank '0001459640#Kyoto'" },
      .kind = ASK_RANK, .partition = "COUNTRY#JP", .low = "0001459640#Kyoto" },
    { .title = "Between: towns of one to two million",
      .query = { "PK = \"COUNTRY#JP\" AND SK BETWEEN \"0001000000\" AND \"0002000000\"" },
      .shell = { CITIES_SHELL, "--partition COUNTRY#JP --between 0001000000 0002000000" },
      .kind = ASK_ENTRIES, .partition = "COUNTRY#JP", .low = "0001000000", .high = "0002000000" },
    { .title = "The same read backwards",
      .query = { "PK = \"COUNTRY#JP\" AND SK BETWEEN \"0001000000\" AND \"0002000000\"", "ScanIndexForward=false" },
      .shell = { CITIES_SHELL, "--partition COUNTRY#JP --between 0001000000 0002000000 --reverse" },
      .kind = ASK_ENTRIES, .partition = "COUNTRY#JP", .low = "0001000000", .high = "0002000000",
      .direction = SHEAF_REVERSE },
    { .title = "One page",
      .query = { "PK = \"REPO#git\" AND begins_with(SK, \"xdiff/\")", "Limit=5" },
      .shell = { FILES_SHELL, "--begins-with xdiff/ --limit 5" },
      .kind = ASK_PAGE, .partition = REPOSITORY, .prefix = "xdiff/", .limit = 5 },
    { .title = "The next page",
      .query = { "PK = \"REPO#git\" AND begins_with(SK, \"xdiff/\")",
                 "Limit=5, ExclusiveStartKey={PK: \"REPO#git\", SK: \"xdiff/xemit.c\"}" },
      .shell = { FILES_SHELL, "--begins-with xdiff/ --limit 5 --after xdiff/xemit.c" },
      .kind = ASK_PAGE, .partition = REPOSITORY, .prefix = "xdiff/", .limit = 5, .after = "xdiff/xemit.c" },
};
/* clang-format on */

/* ---- answers ---------------------------------------------------------------------------------------------------------- */

/* What is done with each part of an answer: printed, or only looked at while the time is taken. */
struct sink {
    void (*entry)(struct sink *sink, sheaf_bytes key, sheaf_bytes value);
    void (*child)(struct sink *sink, const struct sheaf_child *child);
    const struct question *question;
    uint64_t count;
    uint64_t sum;        /* of bytes looked at, so that no read is in vain */
    sheaf_totals totals; /* ASK_TOTALS */
    uint64_t rank;       /* ASK_RANK: how many are above; `count`: of how many */
    bool more;           /* ASK_PAGE */
};

static void must(sheaf_status status, const char *what)
{
    if (status != SHEAF_OK) fatal("%s: %s", what, sheaf_status_message(status));
}

static sheaf_bytes bytes_of_text(const char *text)
{
    return sheaf_bytes_of(text, text ? strlen(text) : 0);
}

static sheaf_range range_of(const struct question *question)
{
    if (question->prefix) return sheaf_range_prefix(bytes_of_text(question->prefix));
    if (question->high) return sheaf_range_between(bytes_of_text(question->low), bytes_of_text(question->high));
    return sheaf_range_all();
}

static void read_entries(const sheaf_store *store, const struct question *question, struct sink *sink)
{
    sheaf_range range = range_of(question);
    sheaf_cursor cursor;
    bool forward = question->direction == SHEAF_FORWARD;
    must(sheaf_cursor_open(&cursor, store, bytes_of_text(question->partition), &range, NULL), "cursor");
    bool on = forward ? sheaf_cursor_first(&cursor) : sheaf_cursor_last(&cursor);
    while (on) {
        sink->count++;
        sink->entry(sink, cursor.key, cursor.value);
        if (sink->count == question->limit) break;
        on = forward ? sheaf_cursor_next(&cursor) : sheaf_cursor_previous(&cursor);
    }
}

static void read_children(const sheaf_store *store, const struct question *question, struct sink *sink)
{
    sheaf_children children;
    sheaf_child child;
    must(sheaf_children_open(&children, store, bytes_of_text(question->partition), bytes_of_text(question->prefix),
                             SHEAF_LIT("/"), SHEAF_FORWARD, NULL),
         "children");
    while (sheaf_children_next(&children, &child)) {
        sink->count++;
        sink->child(sink, &child);
    }
}

static void read_page(const sheaf_store *store, const struct question *question, struct sink *sink)
{
    sheaf_page page;
    sheaf_page_request request = {
        .range = range_of(question),
        .limit = question->limit,
        .anchor = question->after ? SHEAF_ANCHOR_AFTER : SHEAF_ANCHOR_START,
        .position = bytes_of_text(question->after),
    };
    must(sheaf_page_read(store, bytes_of_text(question->partition), &request, &page, NULL), "page");
    for (size_t i = 0; i < page.count; i++) {
        sink->count++;
        sink->entry(sink, page.entries[i].key, page.entries[i].value);
    }
    sink->more = page.more_after;
    sheaf_page_release(&page);
}

static void read_rank(const sheaf_store *store, const struct question *question, struct sink *sink)
{
    sheaf_bytes partition = bytes_of_text(question->partition);
    must(sheaf_rank(store, partition, bytes_of_text(question->low), SHEAF_REVERSE, &sink->rank, NULL, NULL), "rank");
    must(sheaf_collection_total(store, partition, &sink->totals), "total");
}

static void answer(const sheaf_store *store, const struct question *question, struct sink *sink)
{
    sheaf_range range = range_of(question);
    switch (question->kind) {
    case ASK_ENTRIES: read_entries(store, question, sink); break;
    case ASK_CHILDREN: read_children(store, question, sink); break;
    case ASK_PAGE: read_page(store, question, sink); break;
    case ASK_RANK: read_rank(store, question, sink); break;
    case ASK_TOTALS:
        must(sheaf_range_total(store, bytes_of_text(question->partition), &range, &sink->totals, NULL), "totals");
        break;
    }
}

/* ---- time ------------------------------------------------------------------------------------------------------------- */

#define SAMPLES 51
#define SAMPLE_NS 20000 /* each sample repeats the question until the clock's own cost is nothing */

static void look_at_entry(struct sink *sink, sheaf_bytes key, sheaf_bytes value)
{
    sink->sum += key.data[0] + key.size + value.size + (value.size > 0 ? value.data[0] : 0);
}

static void look_at_child(struct sink *sink, const struct sheaf_child *child)
{
    sink->sum += child->key.size + child->totals.count + child->totals.bytes;
}

static uint64_t time_repeated(const sheaf_store *store, const struct question *question, unsigned repeats)
{
    uint64_t start_ns = wall_ns();
    for (unsigned i = 0; i < repeats; i++) {
        struct sink sink = { .entry = look_at_entry, .child = look_at_child, .question = question };
        answer(store, question, &sink);
        __asm__ volatile("" : : "r"(sink.sum)); /* the sum is wanted, so the reads that make it stay */
    }
    return wall_ns() - start_ns;
}

/* The median time of one answer. */
static double time_answer(const sheaf_store *store, const struct question *question)
{
    double samples[SAMPLES];
    unsigned repeats = 1;
    while (time_repeated(store, question, repeats) < SAMPLE_NS) repeats *= 2;
    for (int i = 0; i < SAMPLES; i++) samples[i] = (double)time_repeated(store, question, repeats) / repeats;
    return median_of(samples, SAMPLES);
}

/* ---- printing --------------------------------------------------------------------------------------------------------- */

#define MARGIN "           "

static void print_entry(struct sink *sink, sheaf_bytes key, sheaf_bytes value)
{
    if (sink->question->numbered) {
        printf(MARGIN "%2" PRIu64 "  %.*s\n", sink->count, (int)key.size, key.data);
    } else if (value.size > 0) {
        printf(MARGIN "%-36.*s %8.*s\n", (int)key.size, key.data, (int)value.size, value.data);
    } else {
        printf(MARGIN "%.*s\n", (int)key.size, key.data);
    }
}

static void print_child(struct sink *sink, const struct sheaf_child *child)
{
    if (sink->count == 1) printf(MARGIN "%-36s %8s %8s\n", "", "entries", "stored");
    printf(MARGIN "%-36.*s %8" PRIu64 " %8" PRIu64 "\n", (int)child->key.size, child->key.data, child->totals.count,
           child->totals.bytes);
}

static void print_time(double ns)
{
    if (ns < 1000) {
        printf(" in %.0f ns\n", ns);
    } else if (ns < 1e6) {
        printf(" in %.1f µs\n", ns / 1e3);
    } else {
        printf(" in %.1f ms\n", ns / 1e6);
    }
}

static void print_question(size_t number, const struct question *question)
{
    printf("\n%zu. %s\n\n", number, question->title);
    for (int i = 0; i < 3 && question->query[i]; i++) printf("   %-7s %s\n", i == 0 ? "query" : "", question->query[i]);
    printf("   %-7s sheaf query %s \\\n", "shell", question->shell[0]);
    printf("   %-7s     %s\n\n", "", question->shell[1]);
}

static void print_answer(const struct sink *sink, double ns)
{
    if (sink->question->kind != ASK_RANK && sink->question->kind != ASK_TOTALS) putchar('\n');
    printf("   %-7s ", "answer");
    switch (sink->question->kind) {
    case ASK_ENTRIES: printf("%" PRIu64 " entries", sink->count); break;
    case ASK_CHILDREN: printf("%" PRIu64 " children", sink->count); break;
    case ASK_PAGE: printf("%" PRIu64 " entries, %s", sink->count, sink->more ? "and more follow," : "the last ones,"); break;
    case ASK_RANK: printf("number %" PRIu64 " of %" PRIu64, sink->rank + 1, sink->totals.count); break;
    case ASK_TOTALS: printf("%" PRIu64 " entries, %" PRIu64 " bytes", sink->totals.count, sink->totals.bytes); break;
    }
    print_time(ns);
}

static void show(const sheaf_store *store, size_t number, const struct question *question)
{
    struct sink sink = { .entry = print_entry, .child = print_child, .question = question };
    print_question(number, question);
    double ns = time_answer(store, question);
    answer(store, question, &sink);
    print_answer(&sink, ns);
}

/* ---- loading ---------------------------------------------------------------------------------------------------------- */

static void put(sheaf_store *store, sheaf_bytes partition, sheaf_bytes key, sheaf_bytes value)
{
    sheaf_detail detail;
    if (sheaf_store_put(store, partition, key, value, NULL, &detail) != SHEAF_OK) fatal("put: %s", detail.message);
}

/* Path and size. */
static size_t load_files(sheaf_store *store, const char *folder)
{
    struct dataset files;
    dataset_load(&files, folder, "git-tree.tsv", 2);
    for (size_t row = 0; row < files.row_count; row++) {
        put(store, SHEAF_LIT(REPOSITORY), dataset_field(&files, row, 0), dataset_field(&files, row, 1));
    }
    size_t count = files.row_count;
    dataset_release(&files);
    return count;
}

/* Country, padded population, name. */
static size_t load_cities(sheaf_store *store, const char *folder)
{
    struct dataset cities;
    dataset_load(&cities, folder, "cities.tsv", 3);
    for (size_t row = 0; row < cities.row_count; row++) {
        char partition[32], key[256];
        sheaf_bytes country = dataset_field(&cities, row, 0), population = dataset_field(&cities, row, 1);
        sheaf_bytes name = dataset_field(&cities, row, 2);
        int partition_size = snprintf(partition, sizeof partition, "COUNTRY#%.*s", (int)country.size, country.data);
        int key_size = snprintf(key, sizeof key, "%.*s#%.*s", (int)population.size, population.data, (int)name.size, name.data);
        if (key_size >= (int)sizeof key) fatal("cities.tsv:%zu: a name of %zu bytes", row + 1, name.size);
        put(store, sheaf_bytes_of(partition, (size_t)partition_size), sheaf_bytes_of(key, (size_t)key_size),
            sheaf_bytes_of(NULL, 0));
    }
    size_t count = cities.row_count;
    dataset_release(&cities);
    return count;
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : BENCH_DATA_FOLDER;
    sheaf_store *store;
    must(sheaf_store_create(NULL, &store, NULL), "create");
    printf("Sheaf: a real source tree and the towns of the world in memory\n\n");
    uint64_t start_ns = wall_ns();
    size_t files = load_files(store, folder);
    printf("   %6zu files and folders of Git's source tree, by path, read and put", files);
    print_time((double)(wall_ns() - start_ns));
    start_ns = wall_ns();
    size_t cities = load_cities(store, folder);
    sheaf_store_totals totals = sheaf_store_total(store);
    printf("   %6zu towns of %" PRIu64 " countries, by population (GeoNames), read and put", cities,
           totals.collection_count - 1);
    print_time((double)(wall_ns() - start_ns));
    printf("   %6.2f MB of keys and values, for which the store holds %.2f MB\n", (double)totals.logical_bytes / 1e6,
           (double)totals.charged_bytes / 1e6);
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) show(store, i + 1, &questions[i]);
    printf("\nTimes are medians of repeated runs, every key and value of the answer looked at.\n");
    sheaf_store_destroy(store);
    return 0;
}
