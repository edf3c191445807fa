#include <sheaf/path.h>

#include "engine/base/utf8.h"
#include "engine/key/segment.h"

/* Where the last part begins: behind the last delimiter that is not the end. */
static size_t last_part(sheaf_bytes path, uint8_t delimiter)
{
    size_t at = path.size == 0 ? 0 : path.size - 1;
    while (at > 0 && path.data[at - 1] != delimiter) at--;
    return at;
}

sheaf_status sheaf_path_validate(sheaf_bytes path, uint8_t delimiter, sheaf_detail *out_detail)
{
    if (path.size == 0) return sheaf_segment_refuse(out_detail, SHEAF_SEGMENT_REFUSED, 0, 0, "The path is empty");
    size_t valid = sheaf_utf8_valid_size(path);
    if (valid < path.size) return sheaf_segment_refuse(out_detail, SHEAF_TEXT_MALFORMED, valid, 0, "The text is not UTF-8");
    for (size_t i = 1; i < path.size; i++)
        if (path.data[i] == delimiter && path.data[i - 1] == delimiter)
            return sheaf_segment_refuse(out_detail, SHEAF_SEGMENT_REFUSED, i, 0, "The path has an empty part");
    return SHEAF_OK;
}

bool sheaf_path_is_folder(sheaf_bytes path, uint8_t delimiter)
{
    return path.size > 0 && path.data[path.size - 1] == delimiter;
}

sheaf_bytes sheaf_path_parent_view(sheaf_bytes path, uint8_t delimiter)
{
    return sheaf_bytes_of(path.data, last_part(path, delimiter));
}

sheaf_bytes sheaf_path_name_view(sheaf_bytes path, uint8_t delimiter)
{
    sheaf_bytes name = sheaf_bytes_skip(path, last_part(path, delimiter));
    if (sheaf_path_is_folder(name, delimiter)) name.size--;
    return name;
}

sheaf_bytes sheaf_path_root_view(sheaf_bytes path, uint8_t delimiter)
{
    size_t size = 0;
    while (size < path.size && path.data[size] != delimiter) size++;
    return sheaf_bytes_of(path.data, size < path.size ? size + 1 : size);
}

size_t sheaf_path_depth(sheaf_bytes path, uint8_t delimiter)
{
    size_t depth = 0;
    for (size_t i = 0; i + 1 < path.size; i++) depth += path.data[i] == delimiter;
    return depth;
}
