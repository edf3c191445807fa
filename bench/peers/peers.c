#include "bench/peers/peer.h"

const struct peer *const peers[] = {
    &peer_sheaf,
#ifdef PEER_SQLITE
    &peer_sqlite,
#endif
#ifdef PEER_LMDB
    &peer_lmdb,
#endif
};

const unsigned peer_count = sizeof peers / sizeof *peers;

_Static_assert(sizeof peers / sizeof *peers <= PEER_COUNT_MAX, "arrays of peers hold them all");
