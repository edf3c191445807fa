/*
 * jemalloc_config.c - how the jemalloc inside libsheaf is set up. Linked with it into one object (hide_jemalloc.sh), where
 * jemalloc finds it by this name; seen by nobody else.
 *
 * Few automatic arenas: a store of any size gets its own, and small ones gain nothing from many.
 */
extern const char *malloc_conf;

const char *malloc_conf = "narenas:4";
