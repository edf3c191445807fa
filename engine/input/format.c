#include "engine/input/format.h"

#include <string.h>

#include "engine/base/bytes.h"
#include "engine/input/dynamodb_record.h"
#include "engine/input/json_record.h"

static const struct {
    const char *name;
    const char *title;
} FORMATS[] = {
    [RECORD_TSV] = { "tsv", "tab-separated lines" },
    [RECORD_CSV] = { "csv", "CSV" },
    [RECORD_JSON_LINES] = { "jsonl", "JSON lines" },
    [RECORD_DYNAMODB] = { "dynamodb", "DynamoDB JSON" },
};

bool format_read(sheaf_bytes name, enum record_format *out_format)
{
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++) {
        if (!sheaf_bytes_equal(name, sheaf_bytes_of(FORMATS[i].name, strlen(FORMATS[i].name)))) continue;
        *out_format = (enum record_format)i;
        return true;
    }
    return false;
}

const char *format_names(void)
{
    return "tsv, csv, jsonl or dynamodb";
}

const char *format_title(enum record_format format)
{
    return FORMATS[format].title;
}

static bool ends_with(sheaf_bytes text, sheaf_bytes end)
{
    return text.size >= end.size && sheaf_bytes_same(text.data + text.size - end.size, end.data, end.size);
}

enum record_format format_of_name(const char *file)
{
    sheaf_bytes name = sheaf_bytes_of(file, strlen(file));
    if (ends_with(name, SHEAF_LIT(".gz"))) name.size -= 3;
    if (ends_with(name, SHEAF_LIT(".csv"))) return RECORD_CSV;
    if (ends_with(name, SHEAF_LIT(".jsonl")) || ends_with(name, SHEAF_LIT(".ndjson"))) return RECORD_JSON_LINES;
    return RECORD_TSV;
}

bool format_is_dynamodb(sheaf_bytes first_line)
{
    size_t at = 0;
    while (at < first_line.size && (first_line.data[at] == ' ' || first_line.data[at] == '\t')) at++;
    if (at == first_line.size || first_line.data[at] != '{') return false; /* cheaper than asking the parser */
    struct buffer scratch = { 0 };
    struct complaint complaint;
    struct json_t *object = json_record_parse(first_line, &scratch, &complaint);
    bool is_item = object && dynamodb_shows(object);
    json_record_release(object);
    buffer_release(&scratch);
    return is_item;
}
