/*
 * path.h - paths as sort keys: folders end in the delimiter, files do not.
 *
 *     root/                      folder                      parent: none        depth 0   name "root"
 *     root/photos                file                        parent: root/       depth 1   name "photos"
 *     root/photos/               folder, another key         parent: root/       depth 1   name "photos"
 *     root/photos/beach.jpg      file in it                  parent: root/photos/  depth 2
 *
 * So a folder sorts before all that is in it, and everything below it is what starts with its path: `/team/` does not take
 * `/team_x`. A path may begin with the delimiter, which then is the name of its root folder. No part is empty.
 *
 * The functions borrow: what they return lies in the path they are given. The delimiter is any ASCII byte.
 *
 * Thread rule: these functions look at their arguments only: any thread, any time. Cost: O(size).
 */
#ifndef SHEAF_PATH_H
#define SHEAF_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/bytes.h>
#include <sheaf/export.h>
#include <sheaf/status.h>

SHEAF_BEGIN_DECLARATIONS

/**
 * Whether @p path is one: not empty, no empty part, UTF-8. The other functions take those, and say something of any bytes.
 *
 * @retval SHEAF_OK
 * @retval SHEAF_SEGMENT_REFUSED  Empty, or two delimiters in a row: `size` tells where the second is, from 0.
 * @retval SHEAF_TEXT_MALFORMED   Not UTF-8: `size` tells where.
 */
SHEAF_API sheaf_status sheaf_path_validate(sheaf_bytes path, uint8_t delimiter, sheaf_detail *out_detail);

/** Whether it ends in the delimiter. */
SHEAF_API bool sheaf_path_is_folder(sheaf_bytes path, uint8_t delimiter);

/** The folder it is in, up to and with the delimiter; empty if it is in none. */
SHEAF_API sheaf_bytes sheaf_path_parent_view(sheaf_bytes path, uint8_t delimiter);

/** Its last part, without the delimiter; empty of the path that is a delimiter and nothing else. */
SHEAF_API sheaf_bytes sheaf_path_name_view(sheaf_bytes path, uint8_t delimiter);

/** The outermost folder: `root/`, or the delimiter that the path begins with; a file that is in no folder is its own. */
SHEAF_API sheaf_bytes sheaf_path_root_view(sheaf_bytes path, uint8_t delimiter);

/** In how many folders it is. */
SHEAF_API size_t sheaf_path_depth(sheaf_bytes path, uint8_t delimiter);

SHEAF_END_DECLARATIONS

#endif
