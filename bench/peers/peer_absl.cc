// peer_absl.cc - Abseil's btree_map from joined key to value, both strings.
//
// What a C++ program takes that needs an ordered map: many entries in a node, keys and values in blocks of their own. Looks keys
// up without making a string of them; a put is one search, then an insertion at the place found. Bulk build inserts at the end.

#include <string>

#include <absl/base/config.h>
#include <absl/container/btree_map.h>
#include <absl/strings/string_view.h>

#include "bench/measure.h"
#include "bench/operations.h"
#include "bench/peers/flat.h"
#include "bench/peers/peer.h"
#include "bench/workload.h"

namespace
{

using Map = absl::btree_map<std::string, std::string>;

struct Engine {
    uint64_t used_before; // by malloc, before there was a map
    Map map;
    struct flat_bounds bounds;
};

Engine *engine_of(void *opaque)
{
    return static_cast<Engine *>(opaque);
}

absl::string_view view(sheaf_bytes bytes)
{
    return { reinterpret_cast<const char *>(bytes.data), bytes.size };
}

sheaf_bytes slice(const std::string &text, size_t from = 0)
{
    return sheaf_bytes_of(text.data() + from, text.size() - from);
}

const char *describe()
{
    static const std::string text = std::to_string(ABSL_LTS_RELEASE_VERSION) +
                                    ", btree_map<string, string>, memory from libc's malloc";
    return text.c_str();
}

// One set of bounds for the engine: threads cannot scan beside one another.
bool has_form(const struct operation *operation, enum shape)
{
    return operation->kind != OPERATION_MIX || operation->target == 0;
}

void *open_engine(unsigned)
{
    uint64_t used_before = malloc_used_bytes();
    Engine *engine = new Engine();
    engine->used_before = used_before;
    return engine;
}

void close_engine(void *engine)
{
    delete engine_of(engine);
}

void put(void *engine, const struct bench_key *key, sheaf_bytes value)
{
    Map &map = engine_of(engine)->map;
    absl::string_view joined = view(bench_key_joined(key));
    Map::iterator place = map.lower_bound(joined);
    if (place != map.end() && place->first == joined) {
        place->second.assign(view(value).data(), value.size);
    } else {
        map.emplace_hint(place, joined, view(value));
    }
}

void delete_entry(void *engine, const struct bench_key *key)
{
    Map &map = engine_of(engine)->map;
    map.erase(map.find(view(bench_key_joined(key))));
}

void get(void *engine, const struct bench_key *key, struct checksum *checksum)
{
    const Map &map = engine_of(engine)->map;
    Map::const_iterator found = map.find(view(bench_key_joined(key)));
    if (found != map.end()) checksum_visit(checksum, bench_key_sort(key), slice(found->second));
}

void build(void *engine, const struct tape *sorted, uint8_t *value, size_t value_size)
{
    Map &map = engine_of(engine)->map;
    const uint8_t *at = sorted->bytes;
    for (uint64_t i = 0; i < sorted->count; i++) {
        struct bench_key key;
        at = tape_read_key(at, &key);
        map.emplace_hint(map.end(), view(bench_key_joined(&key)), view(value_of(value, value_size, key.number, 0)));
    }
}

void visit(const struct flat_bounds &bounds, const Map::value_type &entry, struct checksum *checksum)
{
    checksum_visit(checksum, slice(entry.first, bounds.sort_at), slice(entry.second));
}

void query_range(void *engine, const struct bench_query *query, struct checksum *checksum)
{
    const Map &map = engine_of(engine)->map;
    struct flat_bounds &bounds = engine_of(engine)->bounds;
    flat_bounds_of_query(&bounds, query);
    uint64_t left = query->limit;
    if (query->direction == SHEAF_FORWARD) {
        absl::string_view beyond = view(bounds.beyond);
        for (auto at = map.lower_bound(view(bounds.low)); at != map.end() && at->first < beyond && left > 0; ++at, --left) {
            visit(bounds, *at, checksum);
        }
    } else {
        absl::string_view low = view(bounds.low);
        for (auto at = map.lower_bound(view(bounds.beyond)); at != map.begin() && left > 0; --left) {
            --at;
            if (at->first < low) break;
            visit(bounds, *at, checksum);
        }
    }
}

void scan(void *engine, sheaf_direction direction, struct checksum *checksum)
{
    const Map &map = engine_of(engine)->map;
    auto visit_whole = [checksum](const Map::value_type &entry) {
        checksum_visit(checksum, flat_sort_key(entry.first.data(), entry.first.size()), slice(entry.second));
    };
    if (direction == SHEAF_FORWARD) {
        for (auto at = map.begin(); at != map.end(); ++at) visit_whole(*at);
    } else {
        for (auto at = map.rbegin(); at != map.rend(); ++at) visit_whole(*at);
    }
}

// The map keeps no counts: from one bound to the other, without looking at what lies between.
uint64_t entries_within(const Map &map, const struct flat_bounds &bounds)
{
    auto beyond = map.lower_bound(view(bounds.beyond));
    uint64_t walked = 0;
    for (auto at = map.lower_bound(view(bounds.low)); at != beyond; ++at) walked++;
    return walked;
}

uint64_t count(void *engine, const struct bench_query *query)
{
    struct flat_bounds &bounds = engine_of(engine)->bounds;
    flat_bounds_of_query(&bounds, query);
    return entries_within(engine_of(engine)->map, bounds);
}

uint64_t rank(void *engine, const struct bench_key *key)
{
    struct flat_bounds &bounds = engine_of(engine)->bounds;
    flat_bounds_above(&bounds, key);
    return entries_within(engine_of(engine)->map, bounds);
}

uint64_t held_bytes(void *engine)
{
    return malloc_used_bytes() - engine_of(engine)->used_before;
}

} // namespace

const struct peer peer_absl = {
    .name = "absl",
    .describe = describe,
    .has_form = has_form,
    .open = open_engine,
    .close = close_engine,
    .begin = nullptr,
    .end = nullptr,
    .put = put,
    .delete_entry = delete_entry,
    .get = get,
    .get_many = nullptr,
    .query = query_range,
    .scan = scan,
    .count = count,
    .rank = rank,
    .build = build,
    .held_bytes = held_bytes,
    .threads = THREADS_READ_TOGETHER,
    .attach = nullptr,
    .detach = nullptr,
    .check = nullptr,
};
