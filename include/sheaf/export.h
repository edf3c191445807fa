/*
 * export.h - what is public, and how C++ sees it.
 *
 * libsheaf is built with hidden visibility: a symbol leaves it only when its declaration in include/sheaf/ bears SHEAF_API.
 */
#ifndef SHEAF_EXPORT_H
#define SHEAF_EXPORT_H

#if defined(__GNUC__) || defined(__clang__)
#define SHEAF_API __attribute__((visibility("default")))
#else
#define SHEAF_API
#endif

#ifdef __cplusplus
#define SHEAF_BEGIN_DECLARATIONS extern "C" {
#define SHEAF_END_DECLARATIONS }
#else
#define SHEAF_BEGIN_DECLARATIONS
#define SHEAF_END_DECLARATIONS
#endif

#endif
