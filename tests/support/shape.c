#include "tests/support/shape.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/expect.h"

const struct shape shapes[] = {
    { "two letters", KEYS_LETTERS, "ab", 2, 6, VALUES_SHORT, 60 },
    { "three letters", KEYS_LETTERS, "abc", 3, 12, VALUES_SHORT, 400 },
    { "edge bytes", KEYS_LETTERS, "\x00\xFF", 2, 9, VALUES_EMPTY, 300 },
    { "signed traps", KEYS_LETTERS, "\x7F\x80\x00\xFF" "a", 5, 7, VALUES_SHORT, 400 },
    { "few, mixed values", KEYS_LETTERS, "ab", 2, 5, VALUES_MIXED, 30 },
    { "paths", KEYS_PATHS, NULL, 0, 80, VALUES_SHORT, 500 },
    { "ascending", KEYS_ASCENDING, NULL, 0, 20, VALUES_SHORT, 600 },
    { "descending", KEYS_DESCENDING, NULL, 0, 20, VALUES_EMPTY, 600 },
    { "binary", KEYS_BINARY, NULL, 0, 40, VALUES_MIXED, 300 },
    { "stems to 100", KEYS_STEM, "xy", 2, 100, VALUES_SHORT, 300 },
    { "stems to 1024", KEYS_STEM, "x\xFF", 2, 1024, VALUES_MIXED, 120 },
    { "stems to 8192", KEYS_STEM, "x\xFF", 2, 8192, VALUES_MIXED, 40 },
    { "large values", KEYS_LETTERS, "abc", 3, 5, VALUES_LARGE, 60 },
};
const size_t shape_count = sizeof shapes / sizeof *shapes;

void shape_source_init(struct shape_source *source, const struct shape *shape, struct random *random)
{
    *source = (struct shape_source){ .shape = shape, .random = random, .number = 30000 };
    struct random filler = random_from_seed(1);
    for (size_t i = 0; i < sizeof source->value_bytes; i++) source->value_bytes[i] = (uint8_t)random_next(&filler);
}

/* Short keys as likely as long ones, so that all sizes meet. */
static uint32_t draw_letters(struct shape_source *source, uint8_t *buffer, uint32_t size_max)
{
    uint32_t size = random_below(source->random, size_max + 1);
    for (uint32_t i = 0; i < size; i++)
        buffer[i] = (uint8_t)source->shape->letters[random_below(source->random, source->shape->letter_count)];
    return size;
}

static uint32_t draw_stem(struct shape_source *source, uint8_t *buffer)
{
    uint32_t size_max = source->shape->key_size_max;
    uint32_t stem_size = size_max - 8;
    if (random_once_in(source->random, 4)) stem_size = random_below(source->random, size_max - 8);
    else if (random_once_in(source->random, 3)) stem_size = stem_size / 2;
    memset(buffer, source->shape->letters[0], stem_size);
    return stem_size + draw_letters(source, buffer + stem_size, 8);
}

static uint32_t draw_path(struct shape_source *source, uint8_t *buffer)
{
    static const char *const names[] = { "a", "b", "docs", "docs-old", "x.c", "x", "photos", "", "\xC3\xA9", "z" };
    uint32_t size = 0;
    uint32_t depth = random_below(source->random, 5);
    for (uint32_t i = 0; i <= depth; i++) {
        const char *name = names[random_below(source->random, sizeof names / sizeof *names)];
        memcpy(buffer + size, name, strlen(name));
        size += (uint32_t)strlen(name);
        if (i < depth || random_once_in(source->random, 5)) buffer[size++] = '/';
    }
    return size;
}

static uint32_t draw_number(struct shape_source *source, uint8_t *buffer, bool up)
{
    uint32_t number = source->number;
    if (random_once_in(source->random, 5)) number = random_between(source->random, 29900, 30100);
    else if (up) number = source->number++;
    else if (source->number > 0) number = source->number--;
    int size = snprintf((char *)buffer, 32, "%010u#p", number);
    EXPECT(size == 12, "ten digits and a tail");
    return (uint32_t)size;
}

static uint32_t draw_binary(struct shape_source *source, uint8_t *buffer)
{
    uint32_t size = random_below(source->random, source->shape->key_size_max + 1);
    for (uint32_t i = 0; i < size; i++) buffer[i] = (uint8_t)random_below(source->random, 256);
    return size;
}

sheaf_bytes draw_key(struct shape_source *source, uint8_t *buffer)
{
    uint32_t size = 0;
    switch (source->shape->keys) {
    case KEYS_LETTERS: size = draw_letters(source, buffer, source->shape->key_size_max); break;
    case KEYS_STEM: size = draw_stem(source, buffer); break;
    case KEYS_PATHS: size = draw_path(source, buffer); break;
    case KEYS_ASCENDING: size = draw_number(source, buffer, true); break;
    case KEYS_DESCENDING: size = draw_number(source, buffer, false); break;
    case KEYS_BINARY: size = draw_binary(source, buffer); break;
    }
    EXPECT(size <= source->shape->key_size_max, "key of %u bytes", size);
    return sheaf_bytes_of(buffer, size);
}

sheaf_bytes draw_key_near(struct shape_source *source, const struct model *model, uint8_t *buffer)
{
    uint32_t choice = random_below(source->random, 8);
    if (model->count == 0 || choice < 2) return draw_key(source, buffer);
    uint32_t index = random_below(source->random, (uint32_t)model->count);
    sheaf_bytes key = model->entries[index].key;
    if (key.size > 0) memcpy(buffer, key.data, key.size);
    if (choice < 5) return sheaf_bytes_of(buffer, key.size);
    if (choice < 7) return sheaf_bytes_of(buffer, random_below(source->random, (uint32_t)key.size + 1));
    if (key.size >= source->shape->key_size_max) return sheaf_bytes_of(buffer, key.size);
    static const uint8_t tails[] = { 0x00, 0xFF, 'a', '/' };
    buffer[key.size] = tails[random_below(source->random, 4)];
    return sheaf_bytes_of(buffer, key.size + 1);
}

sheaf_bytes draw_value(struct shape_source *source)
{
    struct random *random = source->random;
    uint32_t size = 0;
    switch (source->shape->values) {
    case VALUES_EMPTY: size = random_once_in(random, 10) ? random_below(random, 4) : 0; break;
    case VALUES_SHORT: size = random_below(random, 20); break;
    case VALUES_MIXED: size = random_below(random, random_once_in(random, 4) ? 300 : 30); break;
    case VALUES_LARGE: size = random_below(random, random_once_in(random, 3) ? SHAPE_VALUE_SIZE_MAX + 1 : 40); break;
    }
    return sheaf_bytes_of(source->value_bytes + random_below(random, 256), size);
}

static sheaf_range draw_simple_range(struct shape_source *source, sheaf_bytes low, sheaf_bytes high)
{
    switch (random_below(source->random, 11)) {
    case 0: return sheaf_range_all();
    case 1: return sheaf_range_equal(low);
    case 2: return sheaf_range_less(low);
    case 3: return sheaf_range_at_most(low);
    case 4: return sheaf_range_at_least(low);
    case 5: return sheaf_range_greater(low);
    case 6: return sheaf_range_prefix(low);
    case 7: return sheaf_range_through_prefix(low);
    case 8: return sheaf_range_beyond_prefix(low);
    case 9: return sheaf_range_of(sheaf_cut_of(low, SHEAF_SIDE_AFTER), sheaf_cut_of(high, SHEAF_SIDE_BEFORE));
    default: return sheaf_range_between(low, high);
    }
}

sheaf_range draw_range(struct shape_source *source, const struct model *model, struct range_bytes *bytes)
{
    sheaf_bytes low = draw_key_near(source, model, bytes->lower);
    sheaf_bytes high = draw_key_near(source, model, bytes->upper);
    if (model_order(low, high) > 0) {
        sheaf_bytes other = low;
        low = high;
        high = other;
    }
    sheaf_range range = draw_simple_range(source, low, high);
    if (!random_once_in(source->random, 4)) return range;
    sheaf_bytes position = draw_key_near(source, model, bytes->position);
    return random_once_in(source->random, 2) ? sheaf_range_after(range, position) : sheaf_range_before(range, position);
}
