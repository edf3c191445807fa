/*
 * stress_views.c - one thread writes a store, others read views of it, without a lock. For ThreadSanitizer.
 *
 *     stress_views [VIEWS [SEED]]
 *
 * The writer keeps the state of the store as an array beside it. With each view it hands over a copy of that array, and goes on
 * writing; the readers compare the view with the copy, and when all have said that they are done, at some time, the writer
 * closes it. The only locks are those around handing over and handing back, so that a read that met what the writer writes
 * meanwhile, or frees, would be a race. Ends with 0 if all was right, else it aborts.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/expect.h"
#include "tests/thread/world.h"

enum {
    READER_COUNT = 2,
    OPEN_MAX = 4,         /* views at a time */
    CHANGES_PER_VIEW = 200,
    READS_PER_VIEW = 400, /* of each reader */
    VIEWS_PER_WHOLE = 8,  /* one in so many is compared to the last byte */
};

/* A view on its way to the readers and back. Its slot is free when view is NULL. */
struct handed {
    sheaf_view *view;
    uint64_t index; /* from 1, in the order of opening */
    unsigned readers_left;
    struct state *state;
};

/* What the threads share: guarded by the lock, apart from what a handed view leads to. */
struct stage {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct handed handed[OPEN_MAX];
    uint64_t opened;
    bool ended;
};

struct writer {
    struct stage *stage;
    sheaf_store *store;
    struct state state;
    uint32_t number;   /* of the last value written */
    uint64_t random;
    uint8_t buffer[VALUE_SIZE_MAX];
    uint8_t batch_buffers[4][VALUE_SIZE_MAX];
};

struct reader {
    pthread_t thread;
    struct stage *stage;
    uint64_t random;
    uint64_t read_until; /* the index of the last view read */
};

static uint32_t draw(uint64_t *random, uint32_t count)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*random >> 32) * count >> 32);
}

/* ---- readers ---------------------------------------------------------------------------------------------------------- */

/* The oldest view that this reader has not read; NULL if there is none at the moment. */
static struct handed *next_unread(const struct reader *reader)
{
    struct handed *next = NULL;
    for (int i = 0; i < OPEN_MAX; i++) {
        struct handed *handed = &reader->stage->handed[i];
        if (!handed->view || handed->index <= reader->read_until) continue;
        if (!next || handed->index < next->index) next = handed;
    }
    return next;
}

static struct handed *wait_for_view(struct reader *reader)
{
    struct stage *stage = reader->stage;
    pthread_mutex_lock(&stage->lock);
    struct handed *handed = next_unread(reader);
    for (; !handed && !stage->ended; handed = next_unread(reader)) pthread_cond_wait(&stage->changed, &stage->lock);
    if (handed) reader->read_until = handed->index;
    pthread_mutex_unlock(&stage->lock);
    return handed;
}

static void hand_back(struct stage *stage, struct handed *handed)
{
    pthread_mutex_lock(&stage->lock);
    handed->readers_left--;
    pthread_cond_broadcast(&stage->changed);
    pthread_mutex_unlock(&stage->lock);
}

static void *run_reader(void *argument)
{
    struct reader *reader = argument;
    struct handed *handed;
    while ((handed = wait_for_view(reader)) != NULL) {
        const sheaf_store *store = sheaf_view_store(handed->view);
        for (int i = 0; i < READS_PER_VIEW; i++) compare_some(store, handed->state, &reader->random);
        if (reader->read_until % VIEWS_PER_WHOLE == 0) compare_all(store, handed->state);
        hand_back(reader->stage, handed);
    }
    return NULL;
}

/* ---- the writer's changes --------------------------------------------------------------------------------------------- */

static void must(sheaf_status status, const char *what)
{
    EXPECT(status == SHEAF_OK, "%s: %s", what, sheaf_status_name(status));
}

static void put(struct writer *writer, uint32_t place)
{
    struct key_text partition_key = partition_key_of(collection_of(place)), key = sort_key_of(place);
    sheaf_bytes value = value_for(place, ++writer->number, writer->buffer);
    bool replaced;
    must(sheaf_store_put(writer->store, text_bytes(&partition_key), text_bytes(&key), value, &replaced, NULL), "put");
    EXPECT(replaced == (writer->state.numbers[place] != 0), "place %u", place);
    writer->state.numbers[place] = writer->number;
}

static void delete_one(struct writer *writer, uint32_t place)
{
    struct key_text partition_key = partition_key_of(collection_of(place)), key = sort_key_of(place);
    sheaf_status status = sheaf_store_delete(writer->store, text_bytes(&partition_key), text_bytes(&key), NULL);
    EXPECT(status == (writer->state.numbers[place] ? SHEAF_OK : SHEAF_NOT_FOUND), "place %u", place);
    writer->state.numbers[place] = 0;
}

static void delete_range(struct writer *writer, struct places places)
{
    struct key_text partition_key = partition_key_of(collection_of(places.begin));
    struct key_text low = sort_key_of(places.begin), high = sort_key_of(places.end - 1);
    sheaf_range range = sheaf_range_between(text_bytes(&low), text_bytes(&high));
    sheaf_totals deleted, expected = totals_in(&writer->state, places);
    must(sheaf_store_delete_range(writer->store, text_bytes(&partition_key), &range, &deleted, NULL), "delete range");
    EXPECT(deleted.count == expected.count && deleted.bytes == expected.bytes, "places %u to %u", places.begin, places.end);
    for (uint32_t place = places.begin; place < places.end; place++) writer->state.numbers[place] = 0;
}

static void drop(struct writer *writer, uint32_t collection)
{
    struct key_text partition_key = partition_key_of(collection);
    struct places places = places_of(collection);
    sheaf_status status = sheaf_collection_drop(writer->store, text_bytes(&partition_key), NULL);
    bool there = totals_in(&writer->state, places).count > 0;
    EXPECT(status == (there ? SHEAF_OK : SHEAF_NOT_FOUND), "collection %u", collection);
    for (uint32_t place = places.begin; place < places.end; place++) writer->state.numbers[place] = 0;
}

/* Puts to four collections and a deletion, as one. */
static void apply_batch(struct writer *writer)
{
    struct key_text partition_keys[5], keys[5];
    sheaf_batch_write writes[5];
    uint32_t places[5];
    for (int i = 0; i < 5; i++) {
        places[i] = draw(&writer->random, PLACE_COUNT);
        partition_keys[i] = partition_key_of(collection_of(places[i]));
        keys[i] = sort_key_of(places[i]);
    }
    writes[4] = sheaf_batch_delete(text_bytes(&partition_keys[4]), text_bytes(&keys[4]));
    for (int i = 0; i < 4; i++) {
        sheaf_bytes value = value_for(places[i], writer->number + 1 + (uint32_t)i, writer->batch_buffers[i]);
        writes[i] = sheaf_batch_put(text_bytes(&partition_keys[i]), text_bytes(&keys[i]), value);
    }
    must(sheaf_batch_apply(writer->store, writes, 5, NULL, NULL), "batch");
    for (int i = 0; i < 4; i++) writer->state.numbers[places[i]] = ++writer->number;
    writer->state.numbers[places[4]] = 0;
}

/* Many small collections begin or end, so that the directory grows and shrinks. */
static void wave(struct writer *writer, bool rising)
{
    uint32_t first = BIG_COUNT + draw(&writer->random, SMALL_COUNT), last = first + SMALL_COUNT / 3;
    for (uint32_t collection = first; collection < last && collection < COLLECTION_COUNT; collection++) {
        if (rising) put(writer, places_of(collection).begin);
        else drop(writer, collection);
    }
}

static void change(struct writer *writer)
{
    uint32_t place = draw(&writer->random, PLACE_COUNT);
    struct places onwards = { place, places_of(collection_of(place)).end };
    if (onwards.end - place > 100) onwards.end = place + 1 + draw(&writer->random, 100);
    uint32_t kind = draw(&writer->random, 1000);
    if (kind < 3) wave(writer, kind > 0);
    else if (kind < 4) drop(writer, draw(&writer->random, BIG_COUNT));
    else if (kind < 20) delete_range(writer, onwards);
    else if (kind < 60) apply_batch(writer);
    else if (kind < 300) delete_one(writer, place);
    else put(writer, place);
}

/* ---- the writer's views ----------------------------------------------------------------------------------------------- */

/* Closes views whose readers are done: a random one of them first, so that they close in any order. How many are open then. */
static int close_done(struct writer *writer)
{
    struct stage *stage = writer->stage;
    sheaf_view *done[OPEN_MAX] = { NULL };
    int done_count = 0, open_count = 0;
    pthread_mutex_lock(&stage->lock);
    int first = (int)draw(&writer->random, OPEN_MAX);
    for (int i = 0; i < OPEN_MAX; i++) {
        struct handed *handed = &stage->handed[(first + i) % OPEN_MAX];
        if (!handed->view) continue;
        open_count++;
        if (handed->readers_left > 0) continue;
        done[done_count++] = handed->view;
        handed->view = NULL;
    }
    pthread_mutex_unlock(&stage->lock);
    for (int i = 0; i < done_count; i++) sheaf_view_close(done[i]);
    return open_count - done_count;
}

/* In a free slot, which only the writer fills. */
static void hand_over(struct writer *writer)
{
    struct stage *stage = writer->stage;
    struct handed *handed = stage->handed;
    sheaf_view *view;
    must(sheaf_view_open(writer->store, &view, NULL), "open view");
    while (handed->view) handed++;
    *handed->state = writer->state;
    pthread_mutex_lock(&stage->lock);
    handed->view = view;
    handed->index = ++stage->opened;
    handed->readers_left = READER_COUNT;
    pthread_cond_broadcast(&stage->changed);
    pthread_mutex_unlock(&stage->lock);
}

static void write_all(struct writer *writer, uint64_t view_count)
{
    for (uint32_t place = 0; place < PLACE_COUNT; place += 2) put(writer, place);
    while (writer->stage->opened < view_count) {
        for (int i = 0; i < CHANGES_PER_VIEW; i++) change(writer);
        if (close_done(writer) < OPEN_MAX) hand_over(writer);
    }
    while (close_done(writer) > 0) change(writer);
}

/* ---- all -------------------------------------------------------------------------------------------------------------- */

static void run(uint64_t view_count, uint64_t seed)
{
    static struct writer writer;
    struct stage stage = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };
    struct reader readers[READER_COUNT];
    writer = (struct writer){ .stage = &stage, .random = seed };
    must(sheaf_store_create(NULL, &writer.store, NULL), "create");
    for (int i = 0; i < OPEN_MAX; i++) {
        stage.handed[i].state = malloc(sizeof *stage.handed[i].state);
        EXPECT(stage.handed[i].state, "no memory");
    }
    for (unsigned i = 0; i < READER_COUNT; i++) {
        readers[i] = (struct reader){ .stage = &stage, .random = seed + i };
        EXPECT(pthread_create(&readers[i].thread, NULL, run_reader, &readers[i]) == 0, "no thread");
    }
    write_all(&writer, view_count);
    pthread_mutex_lock(&stage.lock);
    stage.ended = true;
    pthread_cond_broadcast(&stage.changed);
    pthread_mutex_unlock(&stage.lock);
    for (unsigned i = 0; i < READER_COUNT; i++) pthread_join(readers[i].thread, NULL);
    compare_all(writer.store, &writer.state);
    EXPECT(sheaf_store_total(writer.store).view_count == 0, "a view is open");
    EXPECT(sheaf_store_total(writer.store).retained_bytes == 0, "views that are closed retain memory");
    sheaf_store_destroy(writer.store);
    for (int i = 0; i < OPEN_MAX; i++) free(stage.handed[i].state);
}

int main(int argument_count, char **arguments)
{
    uint64_t view_count = argument_count > 1 ? strtoull(arguments[1], NULL, 10) : 40;
    uint64_t seed = argument_count > 2 ? strtoull(arguments[2], NULL, 10) : 1;
    expect_scene.name = "stress_views";
    expect_scene.seed = seed;
    run(view_count, seed);
    printf("stress_views: %ju views compared by %d threads, seed %ju\n", (uintmax_t)view_count, READER_COUNT,
           (uintmax_t)seed);
    return 0;
}
