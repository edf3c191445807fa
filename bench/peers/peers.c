#include "bench/peers/peer.h"

const struct peer *const peers[] = {
    &peer_shared,
    &peer_sheaf,
#ifdef PEER_SQLITE
    &peer_sqlite,
#endif
#ifdef PEER_LMDB
    &peer_lmdb,
#endif
#ifdef PEER_ABSL
    &peer_absl,
#endif
#ifdef PEER_TKRZW
    &peer_tkrzw,
#endif
#ifdef PEER_ROCKSDB
    &peer_rocksdb,
#endif
#ifdef PEER_SQLITE
    &peer_relational,
#endif
};

const unsigned peer_count = sizeof peers / sizeof *peers;

_Static_assert(sizeof peers / sizeof *peers <= PEER_COUNT_MAX, "arrays of peers hold them all");
