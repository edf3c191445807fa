#include "tests/thread/history.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/expect.h"

struct moments {
    _Atomic uint32_t started;
    _Atomic uint32_t finished;
};

static struct moments histories[KEYS];

/* ---- names -------------------------------------------------------------------------------------------------------------- */

struct name collection_name(uint32_t collection)
{
    struct name name;
    name.size = (size_t)sprintf(name.text, "SHELF#%03u", collection);
    return name;
}

struct name folder_name(uint32_t writer)
{
    struct name name;
    name.size = (size_t)sprintf(name.text, "w%u/", writer);
    return name;
}

struct name key_name(uint32_t key)
{
    struct name name;
    name.size = (size_t)sprintf(name.text, "w%u/%04u", writer_of(key), key % KEYS_EACH);
    return name;
}

sheaf_bytes name_bytes(const struct name *name)
{
    return sheaf_bytes_of(name->text, name->size);
}

uint32_t collection_of(uint32_t key)
{
    return key / KEYS_EACH;
}

bool is_whole(uint32_t collection)
{
    return collection % 8 == 7;
}

uint32_t writer_of(uint32_t key)
{
    uint32_t collection = collection_of(key);
    return is_whole(collection) ? collection / 8 % WRITERS : key % KEYS_EACH * WRITERS / KEYS_EACH;
}

uint32_t key_named(uint32_t collection, sheaf_bytes sort_key)
{
    uint32_t number = 0;
    EXPECT(sort_key.size == 7, "a key of %zu bytes", sort_key.size);
    for (size_t i = 3; i < 7; i++) number = number * 10 + (sort_key.data[i] - (uint32_t)'0');
    EXPECT(number < KEYS_EACH, "a key of number %u", number);
    uint32_t key = collection * KEYS_EACH + number;
    struct name name = key_name(key);
    EXPECT(memcmp(name.text, sort_key.data, 7) == 0, "a key of another writer");
    return key;
}

/* ---- values ------------------------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t number)
{
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9u;
    number = (number ^ (number >> 27)) * 0x94D049BB133111EBu;
    return number ^ (number >> 31);
}

static size_t size_for(uint32_t key, uint32_t version)
{
    uint64_t mixed = mix((uint64_t)key << 32 | version);
    return mixed % 40 == 0 ? VALUE_MAX : 8 + mixed % 90;
}

sheaf_bytes value_for(uint32_t key, uint32_t version, uint8_t *buffer)
{
    size_t size = size_for(key, version);
    uint32_t head[] = { key, version };
    memcpy(buffer, head, sizeof head);
    for (size_t i = sizeof head; i < size; i++) buffer[i] = (uint8_t)(key + version * 31 + i);
    return sheaf_bytes_of(buffer, size);
}

uint32_t version_in(uint32_t key, sheaf_bytes value)
{
    uint32_t head[2];
    EXPECT(value.size >= sizeof head, "a value of %zu bytes", value.size);
    memcpy(head, value.data, sizeof head);
    EXPECT(head[0] == key, "key %u has a value of key %u", key, head[0]);
    EXPECT(value.size == size_for(key, head[1]), "key %u, version %u: %zu bytes", key, head[1], value.size);
    for (size_t i = sizeof head; i < value.size; i++)
        EXPECT(value.data[i] == (uint8_t)(key + head[1] * 31 + i), "key %u, version %u: byte %zu", key, head[1], i);
    return head[1];
}

/* ---- moments ------------------------------------------------------------------------------------------------------------ */

uint32_t history_now(uint32_t key)
{
    return atomic_load(&histories[key].finished);
}

uint32_t history_next(uint32_t key, bool absent)
{
    uint32_t next = history_now(key) + 1;
    while (is_absent(next) != absent) next++;
    return next;
}

void history_start(uint32_t key, uint32_t version)
{
    atomic_store(&histories[key].started, version);
}

void history_finish(uint32_t key, uint32_t version)
{
    atomic_store(&histories[key].finished, version);
}

uint32_t history_earliest(uint32_t key)
{
    return atomic_load(&histories[key].finished);
}

uint32_t history_latest(uint32_t key)
{
    return atomic_load(&histories[key].started);
}

void history_expect(uint32_t key, uint32_t version, uint32_t earliest, uint32_t latest, bool lossy)
{
    if (version != ABSENT) {
        EXPECT(!is_absent(version), "key %u: a value of version %u, which never was", key, version);
        EXPECT(version >= earliest, "key %u: version %u is older than %u, which was there before", key, version, earliest);
        EXPECT(version <= latest, "key %u: version %u is newer than %u, the last one begun", key, version, latest);
        return;
    }
    bool was_absent = latest / 4 * 4 >= earliest;
    EXPECT(was_absent || lossy, "key %u was there from version %u to %u, and was not found", key, earliest, latest);
}
