/* The text of Plotly.js, which draws the page's figures: where it is, and how it goes into a page.
 *
 * Within a script nothing may look like its end, nor like the comment in which an end does not
 * count (WHATWG HTML, 4.12.1.3). In a string or a regular expression of JavaScript, where alone
 * such texts can be, a backslash before '/' or '!' changes nothing.
 */
#include "base/file.h"
#include "page/parts.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 64 << 20 };

static void append_script(ArcText *page, const char *text, size_t size)
{
    size_t done = 0;
    for (size_t i = 0; i + 4 < size; i++) {
        bool is_end = text[i] == '<' && size - i >= 8 && strncasecmp(text + i, "</script", 8) == 0;
        bool is_comment = memcmp(text + i, "<!--", 4) == 0;
        if (!is_end && !is_comment)
            continue;
        arc_text_append_bytes(page, text + done, i + 1 - done);
        arc_text_append(page, "\\");
        done = i + 1;
    }
    arc_text_append_bytes(page, text + done, size - done);
}

ArcStatus arc_page_library(const char *given, ArcText *page, ArcError *err)
{
    const char *path = given != NULL ? given : getenv("ARCFIT_PLOTLY");
    char *bytes;
    size_t size;
    if (path == NULL || *path == '\0')
        return arc_error_set(err, ARC_SYSTEM,
                             "error: no Plotly.js for the page; run scripts/deps, or give its file "
                             "in ARCFIT_PLOTLY");
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = arc_file_read(path, (ArcPlace){0}, MOST_BYTES, arena, &bytes, &size, err);
    if (status == ARC_OK)
        append_script(page, bytes, size);
    else if (status == ARC_INPUT)
        status = arc_error_set(err, ARC_SYSTEM,
                               "error: no Plotly.js at %s, which the page is drawn by; run "
                               "scripts/deps, or give its file in ARCFIT_PLOTLY",
                               path);
    arc_arena_free(arena);
    return status;
}
