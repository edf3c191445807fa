// peer_tkrzw.cc - tkrzw's BabyDBM, a B+ tree on memory, from joined key to value.
//
// Records are looked at where they lie, through its processors, instead of as copies. Iterators belong to one batch of reads.

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include <tkrzw_dbm_baby.h>
#include <tkrzw_lib_common.h>

#include "bench/fatal.h"
#include "bench/measure.h"
#include "bench/operations.h"
#include "bench/peers/flat.h"
#include "bench/peers/peer.h"

namespace
{

using Record = tkrzw::DBM::RecordProcessor;

struct Engine {
    uint64_t used_before;                           // by malloc, before there was a database
    tkrzw::BabyDBM database;                        // never opened: it would only be to load a file
    std::unique_ptr<tkrzw::DBM::Iterator> iterator; // none outside of a batch, and in one before its first query
    struct flat_bounds bounds;
};

Engine *engine_of(void *opaque)
{
    return static_cast<Engine *>(opaque);
}

std::string_view view(sheaf_bytes bytes)
{
    return { reinterpret_cast<const char *>(bytes.data), bytes.size };
}

sheaf_bytes slice(std::string_view text)
{
    return sheaf_bytes_of(text.data(), text.size());
}

void must(const tkrzw::Status &status, const char *what)
{
    if (status != tkrzw::Status::SUCCESS) fatal("tkrzw: %s: %s", what, tkrzw::ToString(status).c_str());
}

const char *describe()
{
    static const std::string text = std::string(tkrzw::PACKAGE_VERSION) +
                                    ", BabyDBM, records read in place, memory from libc's malloc";
    return text.c_str();
}

// One iterator and one set of bounds for the engine: threads cannot scan beside one another.
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

void end(void *engine)
{
    engine_of(engine)->iterator.reset();
}

void close_engine(void *engine)
{
    end(engine);
    delete engine_of(engine);
}

void put(void *engine, const struct bench_key *key, sheaf_bytes value)
{
    must(engine_of(engine)->database.Set(view(bench_key_joined(key)), view(value)), "set");
}

void delete_entry(void *engine, const struct bench_key *key)
{
    must(engine_of(engine)->database.Remove(view(bench_key_joined(key))), "remove");
}

// Visits a record whose key is not below `low` and is below `beyond`. Says whether it did. Without a sum it only looks at the key.
class RangeVisitor final : public Record
{
  public:
    RangeVisitor(const struct flat_bounds &bounds, struct checksum *checksum)
        : low_(view(bounds.low)), beyond_(view(bounds.beyond)), sort_at_(bounds.sort_at), checksum_(checksum)
    {
    }
    std::string_view ProcessFull(std::string_view key, std::string_view value) override
    {
        visited = key >= low_ && key < beyond_;
        if (visited && checksum_) checksum_visit(checksum_, slice(key.substr(sort_at_)), slice(value));
        return NOOP;
    }
    bool visited = false;

  private:
    std::string_view low_, beyond_;
    size_t sort_at_;
    struct checksum *checksum_;
};

class GetVisitor final : public Record
{
  public:
    GetVisitor(sheaf_bytes sort_key, struct checksum *checksum) : sort_key_(sort_key), checksum_(checksum)
    {
    }
    std::string_view ProcessFull(std::string_view, std::string_view value) override
    {
        checksum_visit(checksum_, sort_key_, slice(value));
        return NOOP;
    }

  private:
    sheaf_bytes sort_key_;
    struct checksum *checksum_;
};

class ScanVisitor final : public Record
{
  public:
    explicit ScanVisitor(struct checksum *checksum) : checksum_(checksum)
    {
    }
    std::string_view ProcessFull(std::string_view key, std::string_view value) override
    {
        checksum_visit(checksum_, flat_sort_key(key.data(), key.size()), slice(value));
        return NOOP;
    }

  private:
    struct checksum *checksum_;
};

void get(void *engine, const struct bench_key *key, struct checksum *checksum)
{
    GetVisitor visitor(bench_key_sort(key), checksum);
    must(engine_of(engine)->database.Process(view(bench_key_joined(key)), &visitor, false), "get");
}

tkrzw::DBM::Iterator &iterator_of(void *engine)
{
    std::unique_ptr<tkrzw::DBM::Iterator> &iterator = engine_of(engine)->iterator;
    if (!iterator) iterator = engine_of(engine)->database.MakeIterator();
    return *iterator;
}

// The record the iterator is at; false if it is beyond the first or the last one.
bool process(tkrzw::DBM::Iterator &iterator, Record &record)
{
    tkrzw::Status status = iterator.Process(&record, false);
    if (status == tkrzw::Status::NOT_FOUND_ERROR) return false;
    must(status, "read record");
    return true;
}

uint64_t walk(void *engine, sheaf_direction direction, uint64_t limit, struct checksum *checksum)
{
    const struct flat_bounds &bounds = engine_of(engine)->bounds;
    tkrzw::DBM::Iterator &iterator = iterator_of(engine);
    bool forward = direction == SHEAF_FORWARD;
    RangeVisitor visitor(bounds, checksum);
    uint64_t walked = 0;
    must(forward ? iterator.Jump(view(bounds.low)) : iterator.JumpLower(view(bounds.beyond)), "jump");
    while (walked < limit && process(iterator, visitor) && visitor.visited) {
        walked++;
        if (walked < limit) must(forward ? iterator.Next() : iterator.Previous(), "step");
    }
    return walked;
}

void query_range(void *engine, const struct bench_query *query, struct checksum *checksum)
{
    flat_bounds_of_query(&engine_of(engine)->bounds, query);
    walk(engine, query->direction, query->limit, checksum);
}

void scan(void *engine, sheaf_direction direction, struct checksum *checksum)
{
    ScanVisitor visitor(checksum);
    if (direction == SHEAF_FORWARD) {
        must(engine_of(engine)->database.ProcessEach(&visitor, false), "scan"); // its fastest way, and in order
        return;
    }
    tkrzw::DBM::Iterator &iterator = iterator_of(engine);
    must(iterator.Last(), "last");
    while (process(iterator, visitor)) must(iterator.Previous(), "step");
}

uint64_t count(void *engine, const struct bench_query *query)
{
    flat_bounds_of_query(&engine_of(engine)->bounds, query);
    return walk(engine, SHEAF_FORWARD, UINT64_MAX, nullptr);
}

uint64_t rank(void *engine, const struct bench_key *key)
{
    flat_bounds_above(&engine_of(engine)->bounds, key);
    return walk(engine, SHEAF_FORWARD, UINT64_MAX, nullptr);
}

uint64_t held_bytes(void *engine)
{
    return malloc_used_bytes() - engine_of(engine)->used_before;
}

} // namespace

const struct peer peer_tkrzw = {
    .name = "tkrzw",
    .describe = describe,
    .has_form = has_form,
    .open = open_engine,
    .close = close_engine,
    .begin = nullptr,
    .end = end,
    .put = put,
    .delete_entry = delete_entry,
    .get = get,
    .get_many = nullptr,
    .query = query_range,
    .scan = scan,
    .count = count,
    .rank = rank,
    .build = nullptr,
    .held_bytes = held_bytes,
    .threads = THREADS_SAFE,
    .attach = nullptr,
    .detach = nullptr,
    .check = nullptr,
};
