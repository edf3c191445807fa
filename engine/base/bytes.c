#include "engine/base/bytes.h"

int sheaf_bytes_compare(sheaf_bytes left, sheaf_bytes right)
{
    return sheaf_bytes_order(left, right);
}
