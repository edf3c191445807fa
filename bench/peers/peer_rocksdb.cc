// peer_rocksdb.cc - RocksDB's memtable alone: its skip list in memory, from joined key to value.
//
// The write buffer is larger than any data of the bench, so nothing is ever flushed; no log, no compaction, no statistics, and
// what little it writes to files goes to its environment in memory. Writes in batches of a thousand, no second writer to be
// ready for; reads through one iterator per batch, which sees what was there when it was made. Threads write each key at once
// and concurrently, which its skip list allows.

#include <memory>
#include <string>
#include <string_view>

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/iterator.h>
#include <rocksdb/options.h>
#include <rocksdb/version.h>
#include <rocksdb/write_batch.h>

#include "bench/fatal.h"
#include "bench/peers/flat.h"
#include "bench/peers/peer.h"

namespace
{

struct Engine {
    std::unique_ptr<rocksdb::Env> environment;
    std::shared_ptr<rocksdb::DB> database;       // threads' handles have it too
    bool at_once = false;                        // a thread's handle: nothing is written in batches
    std::unique_ptr<rocksdb::Iterator> iterator; // none outside of a batch, and in one before its first query
    rocksdb::WriteBatch batch;
    rocksdb::PinnableSlice value; // of the last get
    rocksdb::ReadOptions read;
    rocksdb::WriteOptions write;
    struct flat_bounds bounds;
};

Engine *engine_of(void *opaque)
{
    return static_cast<Engine *>(opaque);
}

rocksdb::Slice slice(sheaf_bytes bytes)
{
    return { reinterpret_cast<const char *>(bytes.data), bytes.size };
}

sheaf_bytes bytes_of(const rocksdb::Slice &slice)
{
    return sheaf_bytes_of(slice.data(), slice.size());
}

void must(const rocksdb::Status &status, const char *what)
{
    if (!status.ok()) fatal("rocksdb: %s: %s", what, status.ToString().c_str());
}

const char *describe()
{
    static const std::string text = rocksdb::GetRocksVersionAsString() +
                                    ", memtable alone: no log, no flush, no compaction, batches of 1,000";
    return text.c_str();
}

void *open_engine(unsigned purposes)
{
    Engine *engine = new Engine();
    rocksdb::Options options;
    engine->environment.reset(rocksdb::NewMemEnv(rocksdb::Env::Default()));
    options.env = engine->environment.get();
    options.create_if_missing = true;
    options.write_buffer_size = size_t{ 64 } << 30; // a bound, not a reservation
    options.disable_auto_compactions = true;
    options.allow_concurrent_memtable_write = purposes & PEER_THREADS;
    options.avoid_flush_during_shutdown = true;
    options.stats_dump_period_sec = 0;
    options.stats_persist_period_sec = 0;
    options.info_log_level = rocksdb::FATAL_LEVEL;
    rocksdb::DB *database = nullptr;
    must(rocksdb::DB::Open(options, "/bench", &database), "open");
    engine->database.reset(database);
    engine->read.verify_checksums = false;
    engine->write.disableWAL = true;
    return engine;
}

void end(void *opaque)
{
    Engine *engine = engine_of(opaque);
    engine->iterator.reset();
    if (engine->batch.Count() == 0) return;
    must(engine->database->Write(engine->write, &engine->batch), "write");
    engine->batch.Clear();
}

void close_engine(void *opaque)
{
    end(opaque);
    Engine *engine = engine_of(opaque);
    engine->value.Reset();
    must(engine->database->Close(), "close");
    engine->database.reset(); // before its environment
    delete engine;
}

void put(void *engine, const struct bench_key *key, sheaf_bytes value)
{
    Engine *to = engine_of(engine);
    rocksdb::Slice joined = slice(bench_key_joined(key));
    must(to->at_once ? to->database->Put(to->write, joined, slice(value)) : to->batch.Put(joined, slice(value)), "put");
}

void *attach(void *engine)
{
    Engine *handle = new Engine();
    handle->database = engine_of(engine)->database;
    handle->at_once = true;
    handle->read = engine_of(engine)->read;
    handle->write = engine_of(engine)->write;
    return handle;
}

void detach(void *handle)
{
    delete engine_of(handle);
}

void delete_entry(void *engine, const struct bench_key *key)
{
    must(engine_of(engine)->batch.Delete(slice(bench_key_joined(key))), "delete");
}

void get(void *opaque, const struct bench_key *key, struct checksum *checksum)
{
    Engine *engine = engine_of(opaque);
    engine->value.Reset();
    rocksdb::Status status = engine->database->Get(engine->read, engine->database->DefaultColumnFamily(),
                                                   slice(bench_key_joined(key)), &engine->value);
    if (status.IsNotFound()) return;
    must(status, "get");
    checksum_visit(checksum, bench_key_sort(key), bytes_of(engine->value));
}

rocksdb::Iterator &iterator_of(void *opaque)
{
    Engine *engine = engine_of(opaque);
    if (!engine->iterator) engine->iterator.reset(engine->database->NewIterator(engine->read));
    return *engine->iterator;
}

bool below(const rocksdb::Slice &key, sheaf_bytes bound)
{
    return flat_below(key.data(), key.size(), bound);
}

void visit(const struct flat_bounds &bounds, const rocksdb::Iterator &at, struct checksum *checksum)
{
    rocksdb::Slice sort_key = at.key();
    sort_key.remove_prefix(bounds.sort_at);
    checksum_visit(checksum, bytes_of(sort_key), bytes_of(at.value()));
}

// Visits the keys between the bounds, or only counts them if there is no sum to add to.
uint64_t walk_forward(void *engine, uint64_t limit, struct checksum *checksum)
{
    const struct flat_bounds &bounds = engine_of(engine)->bounds;
    rocksdb::Iterator &at = iterator_of(engine);
    uint64_t walked = 0;
    for (at.Seek(slice(bounds.low)); at.Valid() && walked < limit && below(at.key(), bounds.beyond); at.Next(), walked++) {
        if (checksum) visit(bounds, at, checksum);
    }
    must(at.status(), "read forward");
    return walked;
}

// `beyond` is no key, so the last key at or below it is below it.
void walk_backward(void *engine, uint64_t limit, struct checksum *checksum)
{
    const struct flat_bounds &bounds = engine_of(engine)->bounds;
    rocksdb::Iterator &at = iterator_of(engine);
    for (at.SeekForPrev(slice(bounds.beyond)); at.Valid() && !below(at.key(), bounds.low); at.Prev()) {
        visit(bounds, at, checksum);
        if (--limit == 0) break;
    }
    must(at.status(), "read backward");
}

void query_range(void *engine, const struct bench_query *query, struct checksum *checksum)
{
    flat_bounds_of_query(&engine_of(engine)->bounds, query);
    if (engine_of(engine)->at_once) engine_of(engine)->iterator.reset(); // an older one would not see what others have put since
    if (query->direction == SHEAF_FORWARD) {
        walk_forward(engine, query->limit, checksum);
    } else {
        walk_backward(engine, query->limit, checksum);
    }
}

void scan(void *engine, sheaf_direction direction, struct checksum *checksum)
{
    rocksdb::Iterator &at = iterator_of(engine);
    auto visit_whole = [&at, checksum] {
        checksum_visit(checksum, flat_sort_key(at.key().data(), at.key().size()), bytes_of(at.value()));
    };
    if (direction == SHEAF_FORWARD) {
        for (at.SeekToFirst(); at.Valid(); at.Next()) visit_whole();
    } else {
        for (at.SeekToLast(); at.Valid(); at.Prev()) visit_whole();
    }
    must(at.status(), "scan");
}

uint64_t count(void *engine, const struct bench_query *query)
{
    flat_bounds_of_query(&engine_of(engine)->bounds, query);
    return walk_forward(engine, UINT64_MAX, nullptr);
}

uint64_t rank(void *engine, const struct bench_key *key)
{
    flat_bounds_above(&engine_of(engine)->bounds, key);
    return walk_forward(engine, UINT64_MAX, nullptr);
}

uint64_t held_bytes(void *engine)
{
    uint64_t bytes = 0;
    if (!engine_of(engine)->database->GetIntProperty(rocksdb::DB::Properties::kCurSizeAllMemTables, &bytes)) {
        fatal("rocksdb: cannot tell the size of its memtable");
    }
    return bytes;
}

} // namespace

const struct peer peer_rocksdb = {
    .name = "rocksdb",
    .describe = describe,
    .has_form = nullptr,
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
    .attach = attach,
    .detach = detach,
    .check = nullptr,
};
