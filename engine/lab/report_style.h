/*
 * report_style.h - what the lab's page looks like.
 */
#ifndef SHEAF_LAB_REPORT_STYLE_H
#define SHEAF_LAB_REPORT_STYLE_H

/* CSS, in pieces, NULL behind the last. */
extern const char *const REPORT_STYLE[];

#endif
