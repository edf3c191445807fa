/*
 * json_none.c - what a library that was built without a JSON parser says when it is to read JSON.
 */
#include <sheaf/item_json.h>

#include <string.h>

sheaf_status sheaf_item_read_json(sheaf_item_builder *builder, sheaf_bytes text, sheaf_json_form form,
                                  sheaf_bytes *out_record_view, sheaf_json_fault *out_fault)
{
    static const char message[] = "This build of Sheaf reads no JSON";
    (void)text, (void)form, (void)out_record_view;
    sheaf_item_begin(builder);
    if (out_fault) {
        out_fault->offset = 0;
        memcpy(out_fault->message, message, sizeof message);
    }
    return SHEAF_INVALID_ARGUMENT;
}
