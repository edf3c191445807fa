/*
 * fuzz_advice.c - any bytes as keys: findings are well formed, whatever the keys.
 *
 *     partition key NUL sort key NUL partition key ...
 */
#include <sheaf/advice.h>

#include <string.h>

#include "tests/support/expect.h"

static sheaf_bytes take(sheaf_bytes *rest)
{
    const uint8_t *end = rest->size > 0 ? memchr(rest->data, 0, rest->size) : NULL;
    sheaf_bytes piece = sheaf_bytes_of(rest->data, end ? (size_t)(end - rest->data) : rest->size);
    *rest = end ? sheaf_bytes_of(end + 1, rest->size - piece.size - 1) : sheaf_bytes_of(NULL, 0);
    return piece;
}

static void expect_sound(const sheaf_finding *finding, uint64_t key_count)
{
    EXPECT((unsigned)finding->rule < SHEAF_ADVICE_RULE_COUNT && (unsigned)finding->severity <= SHEAF_ERROR, "rule %d", (int)finding->rule);
    EXPECT(finding->key_count > 0 && finding->message && finding->message[0], "a finding about nothing");
    EXPECT(finding->rule == SHEAF_RULE_LARGE_COLLECTION || finding->rule == SHEAF_RULE_HOT_COLLECTION ||
               finding->key_count <= 2 * key_count, "more keys than there are");
    EXPECT(finding->example_count <= 2, "%zu examples", finding->example_count);
    for (size_t i = 0; i < finding->example_count; i++)
        EXPECT(finding->examples[i].size <= SHEAF_ADVICE_EXAMPLE_SIZE_MAX, "%zu bytes", finding->examples[i].size);
    EXPECT(finding->example_count < 2 || sheaf_bytes_compare(finding->examples[0], finding->examples[1]) <= 0, "the higher one first");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sheaf_adviser *adviser;
    const sheaf_finding *findings;
    size_t count;
    uint64_t keys = 0;
    EXPECT(sheaf_adviser_create(NULL, &adviser) == SHEAF_OK, "an adviser");
    for (sheaf_bytes rest = sheaf_bytes_of(data, size); rest.size > 0; keys++) {
        sheaf_advice_key key = { .size = rest.size, .reads = keys, .expiry = (int64_t)rest.size };
        key.partition_key = take(&rest);
        key.sort_key = take(&rest);
        EXPECT(sheaf_adviser_add(adviser, &key) == SHEAF_OK, "a key");
    }
    EXPECT(sheaf_adviser_findings(adviser, &findings, &count) == SHEAF_OK, "findings");
    for (size_t i = 0; i < count; i++) expect_sound(&findings[i], keys);
    sheaf_adviser_destroy(adviser);
    return 0;
}
