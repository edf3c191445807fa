#include <sheaf/version.h>

const char *sheaf_version(void)
{
    return SHEAF_VERSION;
}
