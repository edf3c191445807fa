#include "engine/lab/plan.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "engine/base/bytes.h"
#include "engine/lab/json_place.h"
#include "engine/lab/plan_pattern.h"

size_t plan_find_field(const struct plan *plan, sheaf_bytes name)
{
    size_t index = 0;
    while (index < plan->field_count && !sheaf_bytes_equal(plan->fields[index].name, name)) index++;
    return index;
}

/* ---- fields ----------------------------------------------------------------------------------------------------------- */

static bool read_delimiter(const struct json_place *place, const json_t *value, struct plan_field *field)
{
    sheaf_bytes text = SHEAF_LIT("/");
    if (!json_read_text(place, value, "delimiter", false, &text)) return false;
    struct json_place member = json_place_of_member(place, "delimiter");
    if (text.size != 1) return json_complain(&member, "expected one byte, found %s", quote(text).text);
    if (json_object_get(value, "delimiter") && field->type != VALUE_PATH) {
        return json_complain(&member, "only a path has a delimiter");
    }
    field->delimiter = text.data[0];
    return true;
}

static bool read_input_field(const struct json_place *place, const json_t *value, struct plan_field *field)
{
    static const char *const names[] = { "name", "from", "type", "delimiter", "attribute", "derive", "of", NULL };
    sheaf_bytes type = SHEAF_LIT("text");
    if (!json_expect_object(place, value, names)) return false;
    if (json_object_get(value, "of")) {
        struct json_place member = json_place_of_member(place, "of");
        return json_complain(&member, "goes with \"derive\", which is missing");
    }
    field->from = field->name;
    field->attribute = true;
    if (!json_read_text(place, value, "from", false, &field->from)) return false;
    if (!json_read_text(place, value, "type", false, &type)) return false;
    if (!value_type_read(type, &field->type)) {
        struct json_place member = json_place_of_member(place, "type");
        return json_complain(&member, "expected %s, found %s", value_type_names(), quote(type).text);
    }
    return read_delimiter(place, value, field);
}

/* The field it is worked out from: one of those before. */
static bool read_source(const struct plan *plan, const struct json_place *place, const json_t *value, struct plan_field *field)
{
    sheaf_bytes of;
    struct json_place member = json_place_of_member(place, "of");
    if (!json_read_text(place, value, "of", true, &of)) return false;
    field->of = plan_find_field(plan, of);
    if (field->of == plan->field_count) {
        return json_complain(&member, "expected a field named further up, found %s", quote(of).text);
    }
    const struct plan_field *source = &plan->fields[field->of];
    enum value_type wanted = derivation_source_type(field->derivation);
    if (source->type != wanted) {
        return json_complain(&member, "expected a field of type %s, found %s, which is a %s", value_type_name(wanted),
                             quote(of).text, value_type_name(source->type));
    }
    field->delimiter = source->delimiter;
    return true;
}

static bool read_derived_field(const struct plan *plan, const struct json_place *place, const json_t *value,
                               struct plan_field *field)
{
    static const char *const names[] = { "name", "derive", "of", "attribute", NULL };
    static const char *const names_of_place[] = { "name", "derive", "attribute", NULL };
    sheaf_bytes derivation;
    if (!json_read_text(place, value, "derive", true, &derivation)) return false;
    if (!derivation_read(derivation, &field->derivation)) {
        struct json_place member = json_place_of_member(place, "derive");
        return json_complain(&member, "expected %s, found %s", derivation_names(), quote(derivation).text);
    }
    bool is_place = field->derivation == DERIVE_PLACE;
    if (!json_expect_object(place, value, is_place ? names_of_place : names)) return false;
    field->type = derivation_type(field->derivation);
    field->of = plan->field_count;
    return is_place || read_source(plan, place, value, field);
}

static bool read_field(struct plan *plan, const struct json_place *place, const json_t *value)
{
    struct plan_field field = { .delimiter = '/' };
    if (!json_is_object(value)) return json_complain_of(place, "an object", value);
    if (!json_read_text(place, value, "name", true, &field.name)) return false;
    if (plan_find_field(plan, field.name) < plan->field_count) {
        struct json_place member = json_place_of_member(place, "name");
        return json_complain(&member, "there is a field %s already", quote(field.name).text);
    }
    bool derived = json_object_get(value, "derive");
    if (!(derived ? read_derived_field(plan, place, value, &field) : read_input_field(place, value, &field))) return false;
    if (!json_read_flag(place, value, "attribute", &field.attribute)) return false;
    plan->fields[plan->field_count++] = field;
    return true;
}

/* ---- records ---------------------------------------------------------------------------------------------------------- */

static bool read_format(struct plan *plan, const struct json_place *place, const json_t *value)
{
    sheaf_bytes format = sheaf_bytes_of(NULL, 0);
    bool header = false;
    if (!json_read_text(place, value, "format", false, &format)) return false;
    if (!json_read_flag(place, value, "header", &header)) return false;
    plan->source.header = !json_object_get(value, "header") ? SOURCE_HEADER_USUAL
                          : header                          ? SOURCE_HEADER_FIRST_LINE
                                                            : SOURCE_HEADER_NONE;
    plan->source.format_given = format.size > 0;
    if (format.size == 0 || format_read(format, &plan->source.format)) return true;
    struct json_place member = json_place_of_member(place, "format");
    return json_complain(&member, "expected %s, found %s", format_names(), quote(format).text);
}

static bool read_file(struct plan *plan, const struct json_place *place, const json_t *value, const char *folder)
{
    sheaf_bytes file;
    if (!json_read_text(place, value, "file", true, &file)) return false;
    if (memchr(file.data, '\0', file.size)) {
        struct json_place member = json_place_of_member(place, "file");
        return json_complain(&member, "expected the name of a file, found %s", quote(file).text);
    }
    bool whole = file.data[0] == '/' || sheaf_bytes_equal(file, SHEAF_LIT("-"));
    size_t folder_size = whole ? 0 : strlen(folder);
    plan->file_as_written = sheaf_bytes_equal(file, SHEAF_LIT("-")) ? SHEAF_LIT("standard input") : file;
    plan->file = allocate_zeroed(folder_size + file.size + 1, 1);
    memcpy(plan->file, folder, folder_size);
    memcpy(plan->file + folder_size, file.data, file.size);
    return true;
}

static bool read_fields(struct plan *plan, const struct json_place *place, const json_t *value)
{
    if (!json_expect_array(place, value, 1, PLAN_FIELD_MAX, "fields")) return false;
    plan->fields = allocate_zeroed(json_array_size(value), sizeof *plan->fields);
    for (size_t i = 0; i < json_array_size(value); i++) {
        struct json_place element = json_place_of_element(place, i);
        if (!read_field(plan, &element, json_array_get(value, i))) return false;
    }
    return true;
}

static bool read_records(struct plan *plan, const struct json_place *place, const json_t *value, const char *folder)
{
    static const char *const names[] = { "file", "format", "header", "shuffle", "fields", NULL };
    if (!json_expect_object(place, value, names) || !read_file(plan, place, value, folder)) return false;
    if (!read_format(plan, place, value)) return false;
    plan->shuffled = json_object_get(value, "shuffle");
    if (!json_read_count(place, value, "shuffle", 0, UINT32_MAX, &plan->shuffle_seed)) return false;
    struct json_place member = json_place_of_member(place, "fields");
    return read_fields(plan, &member, json_object_get(value, "fields"));
}

/* ---- layouts ---------------------------------------------------------------------------------------------------------- */

static bool read_layout(struct plan *plan, const struct json_place *place, const json_t *value)
{
    static const char *const names[] = { "name", "layout", "note", NULL };
    struct plan_layout layout = { .name = sheaf_bytes_of(NULL, 0) };
    if (!json_expect_object(place, value, names)) return false;
    if (!json_read_text(place, value, "name", true, &layout.name)) return false;
    if (!json_read_text(place, value, "layout", true, &layout.text)) return false;
    if (!json_read_text(place, value, "note", false, &layout.note)) return false;
    for (size_t i = 0; i < plan->layout_count; i++) {
        if (!sheaf_bytes_equal(plan->layouts[i].name, layout.name)) continue;
        struct json_place member = json_place_of_member(place, "name");
        return json_complain(&member, "there is a layout %s already", quote(layout.name).text);
    }
    plan->layouts[plan->layout_count++] = layout;
    return true;
}

static bool read_layouts(struct plan *plan, const struct json_place *place, const json_t *value)
{
    if (!json_expect_array(place, value, 1, PLAN_LAYOUT_MAX, "layouts")) return false;
    plan->layouts = allocate_zeroed(json_array_size(value), sizeof *plan->layouts);
    for (size_t i = 0; i < json_array_size(value); i++) {
        struct json_place element = json_place_of_element(place, i);
        if (!read_layout(plan, &element, json_array_get(value, i))) return false;
    }
    return true;
}

/* ---- patterns --------------------------------------------------------------------------------------------------------- */

static bool is_new_name(const struct plan *plan, const struct json_place *place, sheaf_bytes name)
{
    for (size_t i = 0; i + 1 < plan->pattern_count; i++) {
        if (!sheaf_bytes_equal(plan->patterns[i].name, name)) continue;
        struct json_place member = json_place_of_member(place, "name");
        return json_complain(&member, "there is a pattern %s already", quote(name).text);
    }
    return true;
}

static bool read_patterns(struct plan *plan, const struct json_place *place, const json_t *value)
{
    if (!json_expect_array(place, value, 1, PLAN_PATTERN_MAX, "patterns")) return false;
    plan->patterns = allocate_zeroed(json_array_size(value), sizeof *plan->patterns);
    for (size_t i = 0; i < json_array_size(value); i++) {
        struct json_place element = json_place_of_element(place, i);
        struct pattern *pattern = &plan->patterns[plan->pattern_count++];
        if (!pattern_read(plan, &element, json_array_get(value, i), pattern)) return false;
        if (!is_new_name(plan, &element, pattern->name)) return false;
    }
    return true;
}

/* ---- all -------------------------------------------------------------------------------------------------------------- */

static bool read_settings(struct plan *plan, const struct json_place *place, const struct plan_overrides *overrides)
{
    plan->title = SHEAF_LIT("Layouts compared");
    plan->run_count = PLAN_RUN_USUAL;
    if (!json_read_text(place, plan->document, "title", false, &plan->title)) return false;
    if (!json_read_count(place, plan->document, "seed", 0, UINT32_MAX, &plan->seed)) return false;
    if (!json_read_count(place, plan->document, "samples", 1, PLAN_RUN_MAX, &plan->run_count)) return false;
    if (overrides->seed_given) plan->seed = overrides->seed;
    if (overrides->run_count > 0) plan->run_count = overrides->run_count;
    return true;
}

static bool read_document(struct plan *plan, const char *folder, const struct plan_overrides *overrides,
                          struct complaint *complaint)
{
    static const char *const names[] = { "title", "records", "layouts", "patterns", "samples", "seed", NULL };
    const json_t *document = plan->document;
    struct json_place place = { .complaint = complaint };
    struct json_place records = json_place_of_member(&place, "records");
    struct json_place layouts = json_place_of_member(&place, "layouts");
    struct json_place patterns = json_place_of_member(&place, "patterns");
    return json_expect_object(&place, document, names) && read_settings(plan, &place, overrides) &&
           read_records(plan, &records, json_object_get(document, "records"), folder) &&
           read_layouts(plan, &layouts, json_object_get(document, "layouts")) &&
           read_patterns(plan, &patterns, json_object_get(document, "patterns"));
}

bool plan_read(sheaf_bytes text, const char *folder, const struct plan_overrides *overrides, struct plan *out_plan,
               struct complaint *complaint)
{
    static const struct plan_overrides none = { .seed_given = false };
    struct plan plan = { .document = NULL };
    json_error_t error;
    const char *data = text.size > 0 ? (const char *)text.data : "";
    plan.document = json_loadb(data, text.size, JSON_REJECT_DUPLICATES, &error);
    if (!plan.document) {
        if (json_error_code(&error) == json_error_out_of_memory) end_without_memory();
        return complain(complaint, "line %d, column %d: expected JSON: %s", error.line, error.column, error.text);
    }
    if (!read_document(&plan, folder, overrides ? overrides : &none, complaint)) {
        plan_release(&plan);
        return false;
    }
    *out_plan = plan;
    return true;
}

void plan_release(struct plan *plan)
{
    for (size_t i = 0; i < plan->pattern_count; i++) pattern_release(&plan->patterns[i]);
    free(plan->patterns);
    free(plan->layouts);
    free(plan->fields);
    free(plan->file);
    arena_release(&plan->arena);
    json_decref(plan->document);
    *plan = (struct plan){ .document = NULL };
}
