/* The growing text, and the nearest name to a mistyped word. */
#include "base/text.h"

#include "base/arena.h"
#include "base/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_FIRST_BYTES = 1024, NEAREST_MAX_LENGTH = 63 };

void arc_text_free(char *text)
{
    free(text);
}

size_t arc_text_character_length(const char *text, size_t size)
{
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] < 0x80)
        return 1;
    size_t length = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    unsigned char low = c[0] == 0xe0 ? 0xa0 : c[0] == 0xf0 ? 0x90 : 0x80;
    unsigned char high = c[0] == 0xed ? 0x9f : c[0] == 0xf4 ? 0x8f : 0xbf;
    if (c[0] < 0xc2 || c[0] > 0xf4 || size < length || c[1] < low || c[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    }
    return length;
}

static bool text_reserve(ArcText *text, size_t more)
{
    if (text->failed)
        return false;
    size_t needed = text->size + more + 1;
    if (needed <= text->capacity)
        return true;
    size_t capacity = text->capacity == 0 ? TEXT_FIRST_BYTES : text->capacity;
    while (capacity < needed)
        capacity *= 2;
    char *bytes = arc_memory_allows(capacity) ? realloc(text->bytes, capacity) : NULL;
    if (bytes == NULL) {
        text->failed = true;
        return false;
    }
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

void arc_text_append_bytes(ArcText *text, const char *bytes, size_t size)
{
    if (!text_reserve(text, size))
        return;
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = '\0';
}

void arc_text_append(ArcText *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || !text_reserve(text, (size_t)length))
        return;
    va_start(arguments, format);
    vsnprintf(text->bytes + text->size, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->size += (size_t)length;
}

void arc_text_append_comment(ArcText *text, const char *comment)
{
    while (*comment != '\0') {
        size_t length = strcspn(comment, "\r\n");
        arc_text_append(text, "# %.*s\n", (int)length, comment);
        comment += length;
        comment += comment[0] == '\r' && comment[1] == '\n' ? 2 : comment[0] != '\0';
    }
}

ArcStatus arc_text_finish(ArcText *text, char **bytes, ArcError *err)
{
    arc_text_append_bytes(text, "", 0);
    if (text->failed) {
        free(text->bytes);
        *text = (ArcText){0};
        return arc_error_no_memory(err);
    }
    *bytes = text->bytes;
    *text = (ArcText){0};
    return ARC_OK;
}

ArcStatus arc_text_save(const char *text, const char *path, ArcError *err)
{
    return arc_file_replace(path, text, strlen(text), err);
}

static int smallest(int a, int b, int c)
{
    int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* Levenshtein distance; both words at most NEAREST_MAX_LENGTH long. */
static int edit_distance(const char *a, const char *b)
{
    int row[NEAREST_MAX_LENGTH + 1];
    int n = (int)strlen(b);
    for (int j = 0; j <= n; j++)
        row[j] = j;
    for (int i = 1; a[i - 1] != '\0'; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int above = row[j];
            int change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = smallest(above + 1, row[j - 1] + 1, change);
            diagonal = above;
        }
    }
    return row[n];
}

const char *arc_text_nearest(const char *word, int n, const char *const *names)
{
    size_t length = strlen(word);
    if (length > NEAREST_MAX_LENGTH)
        return NULL;
    int limit = smallest((int)(length + 2) / 3, 3, 3);
    const char *nearest = NULL;
    for (int i = 0; i < n; i++) {
        if (strlen(names[i]) > NEAREST_MAX_LENGTH)
            continue;
        int distance = edit_distance(word, names[i]);
        if (distance <= limit) {
            limit = distance - 1;
            nearest = names[i];
        }
    }
    return nearest;
}
