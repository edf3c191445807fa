/*
 * sheaf.h - everything libsheaf offers, in one include.
 */
#ifndef SHEAF_SHEAF_H
#define SHEAF_SHEAF_H

#include <sheaf/advice.h>
#include <sheaf/allocator.h>
#include <sheaf/batch.h>
#include <sheaf/bytes.h>
#include <sheaf/cache.h>
#include <sheaf/events.h>
#include <sheaf/expiry.h>
#include <sheaf/export.h>
#include <sheaf/expression.h>
#include <sheaf/item.h>
#include <sheaf/item_json.h>
#include <sheaf/key.h>
#include <sheaf/layout.h>
#include <sheaf/limits.h>
#include <sheaf/number.h>
#include <sheaf/path.h>
#include <sheaf/range.h>
#include <sheaf/scan.h>
#include <sheaf/segment.h>
#include <sheaf/shared.h>
#include <sheaf/status.h>
#include <sheaf/store.h>
#include <sheaf/version.h>
#include <sheaf/view.h>

#endif
