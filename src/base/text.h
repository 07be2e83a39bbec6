/* A text that grows while it is written: tables, CSV, messages.
 *
 * Start from ArcText text = {0}; append as needed, one check at the end: exhaustion is remembered.
 */
#ifndef ARC_BASE_TEXT_H
#define ARC_BASE_TEXT_H

#include "arcfit/error.h"
#include "arcfit/text.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ArcText {
    char *bytes; /* '\0' behind the last byte; NULL while empty */
    size_t size;
    size_t capacity;
    bool failed;
} ArcText;

/* printf at the end. */
void arc_text_append(ArcText *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

void arc_text_append_bytes(ArcText *text, const char *bytes, size_t size);

/* Each line of a comment behind "# ". */
void arc_text_append_comment(ArcText *text, const char *comment);

/* Bytes of the well-formed UTF-8 character at the start of text[0..size), size > 0; 0 where there
 * is none (Unicode 15.0, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF). */
size_t arc_text_character_length(const char *text, size_t size);

/* Hands the bytes over (never NULL: "" when empty); on exhaustion frees them, gives ARC_MEMORY. */
ArcStatus arc_text_finish(ArcText *text, char **bytes, ArcError *err);

#endif
