/*
 * builder.c - builds a record from values in any order.
 *
 *     bytes      ... | head of a map | member | member | member |       what is in the one open innermost comes last
 *                                    ^ content
 *     pieces     ... | where each member begins and ends, and by what it sorts |
 *
 * When a container is closed its pieces are sorted and laid out in that order, its size and count are put in front, and it
 * becomes one piece of the container around it.
 *
 * B1  The pieces of the innermost container fill the bytes from its content to the end.
 */
#include "engine/item/builder.h"

#include <string.h>

#include "engine/base/backend.h"
#include "engine/base/heap.h"
#include "engine/base/utf8.h"
#include "engine/item/encoding.h"

struct room {
    uint8_t *data;
    size_t size;
    size_t capacity;
};

/* A member or element, by offsets into the bytes. */
struct piece {
    uint32_t begin, end;
    uint32_t by_begin, by_end; /* what it sorts by: its name, or itself in a set */
};

struct level {
    sheaf_type type;
    uint32_t head;        /* where the member begins that is this container */
    uint32_t name, name_end;
    uint32_t content;
    uint32_t first_piece;
};

struct sheaf_item_builder {
    struct sheaf_heap heap;
    struct room bytes;
    struct room scratch;
    struct room pieces; /* of struct piece */
    uint32_t depth;     /* levels open; the item itself is level 0 */
    struct level levels[SHEAF_ITEM_DEPTH_MAX + 1];
    sheaf_status status;
    sheaf_detail detail;
};

/* DynamoDB's sentences, where it has one. */
#define INVALID "One or more parameter values were invalid: "
#define TOO_DEEP "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

sheaf_status sheaf_item_builder_create(const sheaf_allocator *allocator, sheaf_item_builder **out_builder)
{
    sheaf_allocator hooks = allocator ? *allocator : sheaf_backend_hooks(NULL);
    struct sheaf_heap heap;
    sheaf_heap_init(&heap, &hooks);
    struct sheaf_item_builder *builder = sheaf_heap_allocate_zeroed(&heap, sizeof *builder);
    if (!builder) return SHEAF_NO_MEMORY;
    builder->heap = heap;
    sheaf_item_begin(builder);
    *out_builder = builder;
    return SHEAF_OK;
}

void sheaf_item_builder_destroy(sheaf_item_builder *builder)
{
    if (!builder) return;
    struct sheaf_heap heap = builder->heap;
    sheaf_heap_free(&heap, builder->pieces.data, builder->pieces.capacity);
    sheaf_heap_free(&heap, builder->scratch.data, builder->scratch.capacity);
    sheaf_heap_free(&heap, builder->bytes.data, builder->bytes.capacity);
    sheaf_heap_free(&heap, builder, sizeof *builder);
}

struct sheaf_heap *sheaf_item_builder_heap(sheaf_item_builder *builder)
{
    return &builder->heap;
}

bool sheaf_item_builder_has_refused(const sheaf_item_builder *builder)
{
    return builder->status != SHEAF_OK;
}

static void refuse(sheaf_item_builder *builder, sheaf_status status, sheaf_detail detail)
{
    if (builder->status != SHEAF_OK) return;
    builder->status = status;
    builder->detail = detail;
}

static void refuse_item(sheaf_item_builder *builder, const char *message)
{
    refuse(builder, SHEAF_ITEM_REFUSED, (sheaf_detail){ .field = SHEAF_FIELD_ITEM, .message = message });
}

/* Room for `more` bytes, with as much again. False, and the builder refuses all that follows, if there is none. */
static bool reserve(sheaf_item_builder *builder, struct room *room, size_t more)
{
    enum { LEAST = 512 };
    if (builder->status != SHEAF_OK) return false;
    if (room->capacity - room->size >= more) return true;
    size_t wanted = 2 * (room->size + more);
    if (wanted < LEAST) wanted = LEAST;
    uint8_t *data = sheaf_heap_allocate(&builder->heap, wanted);
    if (!data) {
        refuse(builder, SHEAF_NO_MEMORY, (sheaf_detail){ .field = SHEAF_FIELD_ITEM, .message = sheaf_status_message(SHEAF_NO_MEMORY) });
        return false;
    }
    if (room->size > 0) memcpy(data, room->data, room->size);
    sheaf_heap_free(&builder->heap, room->data, room->capacity);
    room->data = data;
    room->capacity = wanted;
    return true;
}

static void append(struct room *room, const void *data, size_t size)
{
    if (size > 0) memcpy(room->data + room->size, data, size);
    room->size += size;
}

static struct piece *pieces_of(const sheaf_item_builder *builder)
{
    return (struct piece *)(void *)builder->pieces.data; /* blocks are aligned for anything */
}

static uint32_t piece_count(const sheaf_item_builder *builder)
{
    return (uint32_t)(builder->pieces.size / sizeof(struct piece));
}

/* ---- sorted ----------------------------------------------------------------------------------------------------------- */

static int order_of(const sheaf_item_builder *builder, const struct piece *left, const struct piece *right)
{
    const uint8_t *bytes = builder->bytes.data;
    return sheaf_bytes_order(sheaf_bytes_of(bytes + left->by_begin, left->by_end - left->by_begin),
                             sheaf_bytes_of(bytes + right->by_begin, right->by_end - right->by_begin));
}

static void sift_down(const sheaf_item_builder *builder, struct piece *pieces, uint32_t at, uint32_t count)
{
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && order_of(builder, &pieces[child], &pieces[child + 1]) < 0) child++;
        if (order_of(builder, &pieces[at], &pieces[child]) >= 0) return;
        struct piece moved = pieces[at];
        pieces[at] = pieces[child];
        pieces[child] = moved;
    }
}

/* In place, and never slower than n log n, whoever chose the names. */
static void heap_sort(const sheaf_item_builder *builder, struct piece *pieces, uint32_t count)
{
    for (uint32_t at = count / 2; at-- > 0;) sift_down(builder, pieces, at, count);
    for (uint32_t left = count; left-- > 1;) {
        struct piece last = pieces[left];
        pieces[left] = pieces[0];
        pieces[0] = last;
        sift_down(builder, pieces, 0, left);
    }
}

static bool is_sorted(const sheaf_item_builder *builder, const struct piece *pieces, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (order_of(builder, &pieces[i - 1], &pieces[i]) >= 0) return false;
    return true;
}

/* Lays the pieces out in their order, from where the first of them began. */
static void lay_out(sheaf_item_builder *builder, const struct piece *pieces, uint32_t count, uint32_t content)
{
    size_t size = builder->bytes.size - content;
    builder->scratch.size = 0;
    if (!reserve(builder, &builder->scratch, size)) return;
    for (uint32_t i = 0; i < count; i++)
        append(&builder->scratch, builder->bytes.data + pieces[i].begin, pieces[i].end - pieces[i].begin);
    memcpy(builder->bytes.data + content, builder->scratch.data, size);
}

static const char *twice(sheaf_type type)
{
    return type == SHEAF_TYPE_MAP ? "A map has the same name twice" : INVALID "Input collection contains duplicates.";
}

/* The pieces of a map or set in order, none of them twice. */
static void arrange(sheaf_item_builder *builder, const struct level *level)
{
    uint32_t count = piece_count(builder) - level->first_piece;
    if (count < 2 || level->type == SHEAF_TYPE_LIST) return;
    struct piece *pieces = pieces_of(builder) + level->first_piece;
    if (is_sorted(builder, pieces, count)) return;
    heap_sort(builder, pieces, count);
    if (!is_sorted(builder, pieces, count)) {
        refuse(builder, SHEAF_EXISTS, (sheaf_detail){ .field = SHEAF_FIELD_ITEM, .message = twice(level->type) });
        return;
    }
    lay_out(builder, pieces, count, level->content);
}

/* ---- values ----------------------------------------------------------------------------------------------------------- */

void sheaf_item_begin(sheaf_item_builder *builder)
{
    builder->bytes.size = builder->pieces.size = 0;
    builder->depth = 0;
    builder->status = SHEAF_OK;
    builder->levels[0] = (struct level){ .type = SHEAF_TYPE_MAP };
}

/* Whether the value may stand where it is to be added. */
static bool may_stand(sheaf_item_builder *builder, const struct level *level, sheaf_bytes name, sheaf_type type)
{
    if (builder->status != SHEAF_OK) return false;
    if (builder->depth == SHEAF_ITEM_DEPTH_MAX) refuse_item(builder, TOO_DEEP);
    if (sheaf_type_is_set(level->type) && sheaf_type_of_member(level->type) != type)
        refuse_item(builder, "A set has members of its own type only");
    if (level->type != SHEAF_TYPE_MAP && name.size > 0) refuse_item(builder, "Elements of lists and sets have no names");
    if (name.size > SHEAF_ATTRIBUTE_NAME_SIZE_MAX) refuse_item(builder, "The name of an attribute is longer than 65535 bytes");
    if (!sheaf_utf8_is_valid(name)) {
        refuse(builder, SHEAF_TEXT_MALFORMED,
               (sheaf_detail){ SHEAF_FIELD_ATTRIBUTE, sheaf_utf8_valid_size(name), 0, "The name of an attribute is not UTF-8" });
    }
    return builder->status == SHEAF_OK;
}

/* The kind and the name; a set needs neither. There is room. */
static void write_head(struct room *bytes, const struct level *level, sheaf_bytes name, uint8_t kind)
{
    if (sheaf_type_is_set(level->type)) return;
    size_t short_size = name.size < NAME_SIZE_FOLLOWS ? name.size : NAME_SIZE_FOLLOWS;
    bytes->data[bytes->size++] = (uint8_t)((size_t)kind << 4 | short_size);
    if (short_size == NAME_SIZE_FOLLOWS) bytes->size += sheaf_size_encode(bytes->data + bytes->size, name.size);
    append(bytes, name.data, name.size);
}

/* What was written from `begin` on is a piece of the innermost container. There is room. */
static void add_piece(sheaf_item_builder *builder, struct piece piece)
{
    append(&builder->pieces, &piece, sizeof piece);
}

enum { HEAD_SIZE_MAX = 1 + SIZE_ENCODED_MAX };

static bool fits(sheaf_item_builder *builder, size_t more)
{
    if (builder->bytes.size + more + SIZE_ENCODED_MAX * 2 < SIZE_LIMIT) return true;
    refuse(builder, SHEAF_VALUE_TOO_LARGE, (sheaf_detail){ SHEAF_FIELD_ITEM, builder->bytes.size + more, SIZE_LIMIT,
                                                           sheaf_status_message(SHEAF_VALUE_TOO_LARGE) });
    return false;
}

static bool make_room(sheaf_item_builder *builder, size_t size)
{
    return builder->status == SHEAF_OK && fits(builder, size) && reserve(builder, &builder->bytes, size) &&
           reserve(builder, &builder->pieces, sizeof(struct piece));
}

static void add_value(sheaf_item_builder *builder, sheaf_bytes name, sheaf_value value)
{
    const struct level *level = &builder->levels[builder->depth];
    if (!may_stand(builder, level, name, value.type)) return;
    bool has_size = value.type != SHEAF_TYPE_NUMBER && value.type != SHEAF_TYPE_BOOL && value.type != SHEAF_TYPE_NULL;
    if (!make_room(builder, HEAD_SIZE_MAX + name.size + SIZE_ENCODED_MAX + value.bytes.size)) return;
    struct room *bytes = &builder->bytes;
    struct piece piece = { .begin = (uint32_t)bytes->size };
    write_head(bytes, level, name, sheaf_value_kind(value));
    piece.by_begin = (uint32_t)(bytes->size - name.size);
    piece.by_end = (uint32_t)bytes->size;
    if (has_size) bytes->size += sheaf_size_encode(bytes->data + bytes->size, value.bytes.size);
    append(bytes, value.bytes.data, value.bytes.size);
    piece.end = (uint32_t)bytes->size;
    if (sheaf_type_is_set(level->type)) { /* sorts by itself */
        piece.by_begin = piece.end - (uint32_t)value.bytes.size;
        piece.by_end = piece.end;
    }
    add_piece(builder, piece);
}

static uint32_t levels_in(sheaf_value value)
{
    uint32_t deepest = 0;
    if (value.type != SHEAF_TYPE_MAP && value.type != SHEAF_TYPE_LIST) return sheaf_type_is_set(value.type) ? 2 : 1;
    sheaf_value_cursor cursor = sheaf_value_begin(value);
    for (sheaf_value within; sheaf_value_next(&cursor, NULL, &within);) {
        uint32_t levels = levels_in(within);
        if (levels > deepest) deepest = levels;
    }
    return deepest + 1;
}

/* A scalar may come from anywhere. */
static bool check_scalar(sheaf_item_builder *builder, sheaf_value value)
{
    sheaf_number number;
    size_t size;
    if (value.type == SHEAF_TYPE_STRING && !sheaf_utf8_is_valid(value.bytes)) {
        refuse(builder, SHEAF_TEXT_MALFORMED, (sheaf_detail){ SHEAF_FIELD_VALUE, sheaf_utf8_valid_size(value.bytes), 0,
                                                              sheaf_status_message(SHEAF_TEXT_MALFORMED) });
    }
    if (value.type == SHEAF_TYPE_NUMBER &&
        (sheaf_number_from_key(value.bytes, &number, &size) != SHEAF_OK || size != value.bytes.size)) {
        refuse_item(builder, "The bytes are no key of a number");
    }
    return builder->status == SHEAF_OK;
}

void sheaf_item_add(sheaf_item_builder *builder, sheaf_bytes name, sheaf_value value)
{
    if (builder->status != SHEAF_OK) return;
    if (sheaf_type_is_container(value.type)) {
        if (builder->depth + levels_in(value) > SHEAF_ITEM_DEPTH_MAX) refuse_item(builder, TOO_DEEP);
    } else if (!check_scalar(builder, value)) {
        return;
    }
    if (value.type == SHEAF_TYPE_BOOL || value.type == SHEAF_TYPE_NULL) value.bytes = sheaf_bytes_of(NULL, 0);
    add_value(builder, name, value);
}

void sheaf_item_add_number(sheaf_item_builder *builder, sheaf_bytes name, sheaf_number number)
{
    uint8_t key[SHEAF_NUMBER_KEY_SIZE_MAX];
    size_t size = sheaf_number_to_key(number, key);
    add_value(builder, name, sheaf_value_of_bytes(SHEAF_TYPE_NUMBER, sheaf_bytes_of(key, size)));
}

void sheaf_item_add_bool(sheaf_item_builder *builder, sheaf_bytes name, bool boolean)
{
    sheaf_value value = { SHEAF_TYPE_BOOL, boolean, { NULL, 0 } };
    add_value(builder, name, value);
}

void sheaf_item_add_null(sheaf_item_builder *builder, sheaf_bytes name)
{
    add_value(builder, name, sheaf_value_of_bytes(SHEAF_TYPE_NULL, sheaf_bytes_of(NULL, 0)));
}

/* ---- containers ------------------------------------------------------------------------------------------------------- */

void sheaf_item_open(sheaf_item_builder *builder, sheaf_bytes name, sheaf_type type)
{
    const struct level *around = &builder->levels[builder->depth];
    if (!sheaf_type_is_container(type)) refuse_item(builder, "Only maps, lists and sets are opened");
    if (!may_stand(builder, around, name, type)) return;
    if (!make_room(builder, HEAD_SIZE_MAX + name.size)) return;
    struct room *bytes = &builder->bytes;
    struct level level = { .type = type, .head = (uint32_t)bytes->size };
    write_head(bytes, around, name, sheaf_value_kind(sheaf_value_of_bytes(type, sheaf_bytes_of(NULL, 0))));
    level.name = (uint32_t)(bytes->size - name.size);
    level.name_end = level.content = (uint32_t)bytes->size;
    level.first_piece = piece_count(builder);
    builder->levels[++builder->depth] = level;
}

/* `front` before what is from `content` on. */
static void put_before(sheaf_item_builder *builder, uint32_t content, const uint8_t *front, size_t size)
{
    if (!fits(builder, size) || !reserve(builder, &builder->bytes, size)) return;
    memmove(builder->bytes.data + content + size, builder->bytes.data + content, builder->bytes.size - content);
    memcpy(builder->bytes.data + content, front, size);
    builder->bytes.size += size;
}

static const char *empty_set(sheaf_type type)
{
    if (type == SHEAF_TYPE_STRING_SET) return INVALID "An string set  may not be empty";
    return type == SHEAF_TYPE_NUMBER_SET ? INVALID "An number set  may not be empty" : INVALID "Binary sets should not be empty";
}

void sheaf_item_close(sheaf_item_builder *builder)
{
    if (builder->status != SHEAF_OK) return;
    if (builder->depth == 0) {
        refuse_item(builder, "Something was closed that is not open");
        return;
    }
    const struct level *level = &builder->levels[builder->depth];
    uint32_t count = piece_count(builder) - level->first_piece;
    if (sheaf_type_is_set(level->type) && count == 0) refuse_item(builder, empty_set(level->type));
    arrange(builder, level);
    uint8_t front[2 * SIZE_ENCODED_MAX];
    size_t body_size = sheaf_size_encoded_size(count) + builder->bytes.size - level->content;
    size_t front_size = sheaf_size_encode(front, body_size);
    front_size += sheaf_size_encode(front + front_size, count);
    put_before(builder, level->content, front, front_size);
    builder->pieces.size = level->first_piece * sizeof(struct piece);
    builder->depth--;
    if (!reserve(builder, &builder->pieces, sizeof(struct piece))) return;
    add_piece(builder, (struct piece){ level->head, (uint32_t)builder->bytes.size, level->name, level->name_end });
}

sheaf_status sheaf_item_end(sheaf_item_builder *builder, sheaf_bytes *out_record_view, sheaf_detail *out_detail)
{
    if (builder->status == SHEAF_OK && builder->depth > 0) refuse_item(builder, "Something is still open");
    if (builder->status == SHEAF_OK) arrange(builder, &builder->levels[0]);
    uint8_t front[1 + SIZE_ENCODED_MAX] = { ITEM_VERSION };
    size_t front_size = 1 + sheaf_size_encode(front + 1, piece_count(builder));
    if (builder->status == SHEAF_OK) put_before(builder, 0, front, front_size);
    if (builder->status != SHEAF_OK) {
        if (out_detail) *out_detail = builder->detail;
        return builder->status;
    }
    *out_record_view = sheaf_bytes_of(builder->bytes.data, builder->bytes.size);
    sheaf_assert_slow(sheaf_item_check(*out_record_view, NULL) == SHEAF_OK);
    return SHEAF_OK;
}
