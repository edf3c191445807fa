/*
 * advice_rules.c - the rules in words.
 */
#include <sheaf/advice.h>

static const sheaf_rule_info rules[] = {
    [SHEAF_RULE_MIXED_WIDTHS] = { "mixed-widths",
        "Numbers are padded to different widths in one place, so a wider one sorts below a narrower one. Pad all to the width of the "
        "largest there will ever be; changing it means writing the keys anew" },
    [SHEAF_RULE_UNPADDED_NUMBERS] = { "unpadded-numbers",
        "Text compares digit by digit: \"10\" sorts before \"9\". Pad every number to one width, also in the tie-breaker" },
    [SHEAF_RULE_NUMBER_FORMS] = { "number-forms",
        "Signs, points and exponents do not sort by value as text: \"-2\" comes behind \"-1\". Add a constant to be rid of the sign, "
        "and give every number the same digits around the point" },
    [SHEAF_RULE_NARROW_NUMBERS] = { "narrow-numbers",
        "Some numbers fill nine tenths of what their width holds; the first with one more digit sorts below all of them. Widen the "
        "padding while there are few keys" },
    [SHEAF_RULE_MIXED_TIMES] = { "mixed-times",
        "Times sort by their bytes only in one format: one zone (UTC, with a Z), one number of fraction digits, every part with its "
        "zero" },
    [SHEAF_RULE_MIXED_CASE] = { "mixed-case",
        "Upper case sorts before lower case, and two spellings are two keys. Fold the case in the key and keep the spelling in an "
        "attribute" },
    [SHEAF_RULE_SEGMENT_COUNT] = { "segment-count",
        "Keys of one entity have different numbers of segments: the delimiter stands within one, or one is missing. Refuse the "
        "delimiter in values, or escape it" },
    [SHEAF_RULE_EMPTY_SEGMENT] = { "empty-segment",
        "Nothing stands between two delimiters: mostly a value that was missing when the key was built" },
    [SHEAF_RULE_FOLDER_DELIMITER] = { "folder-delimiter",
        "A folder is stored without its delimiter at the end, so it is not told from a file of the same name and does not lie with "
        "its children. Let folders end in the delimiter" },
    [SHEAF_RULE_SIBLING_PREFIX] = { "sibling-prefix",
        "A query for all that begins with a folder's name takes its neighbours too: /team takes /team_x. End the prefix in the "
        "delimiter" },
    [SHEAF_RULE_OPEN_RANGE] = { "open-range",
        "Item collections hold several kinds of items: a range with one bound runs on into the next kind. Use begins_with, or give "
        "both bounds" },
    [SHEAF_RULE_UTF16_ORDER] = { "utf16-order",
        "Strings of UTF-16 (JavaScript, Java, C#) compare otherwise than these keys sort: characters above U+FFFF come before U+E000 "
        "there. Do not merge or page by comparing there" },
    [SHEAF_RULE_BLANKS] = { "blanks",
        "A blank around a segment, or a control character in it, makes another key than the one people look for. Trim before "
        "building keys" },
    [SHEAF_RULE_NOT_UTF8] = { "not-utf8", "Keys of type S are UTF-8. Bytes of any kind want type B" },
    [SHEAF_RULE_LONG_KEY] = { "long-key",
        "DynamoDB takes partition keys of up to 2048 bytes and sort keys of up to 1024, in bytes of UTF-8" },
    [SHEAF_RULE_EXPIRY_MILLISECONDS] = { "expiry-milliseconds",
        "A time to live counts seconds since 1970. In milliseconds it lies thousands of years ahead, and nothing ever expires" },
    [SHEAF_RULE_LARGE_COLLECTION] = { "large-collection",
        "One partition key holds much of all there is. It shares 1,000 write and 3,000 read units a second, and with a local index "
        "10 GB. Spread it over several keys" },
    [SHEAF_RULE_HOT_COLLECTION] = { "hot-collection",
        "One partition key gets much of all reads. It shares 3,000 read units a second. Spread it, or keep a copy for reading" },
};

_Static_assert(sizeof rules / sizeof *rules == SHEAF_ADVICE_RULE_COUNT, "every rule has its words");

const sheaf_rule_info *sheaf_rule_describe(sheaf_rule rule)
{
    return &rules[rule];
}

const char *sheaf_severity_name(sheaf_severity severity)
{
    switch (severity) {
    case SHEAF_NOTE: return "note";
    case SHEAF_WARNING: return "warning";
    case SHEAF_ERROR: return "error";
    }
    return "?";
}
