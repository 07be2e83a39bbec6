/* The text of Plotly.js, which draws the page's figures: where it is, and how it goes into a page.
 *
 * Within a script nothing may look like its end, nor like the comment in which an end does not
 * count (WHATWG HTML, 4.12.1.3). In a string or a regular expression of JavaScript, where alone
 * such texts can be, a backslash before '/' or '!' changes nothing.
 */
#include "base/file.h"
#include "page/parts.h"
#include "page/places.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_BYTES = 64 << 20 };

static void append_script(ArcText *page, const char *text, size_t size)
{
    size_t done = 0;
    for (size_t i = 0; i + 4 <= size; i++) {
        bool is_end = size - i >= 8 && strncasecmp(text + i, "</script", 8) == 0;
        bool is_comment = memcmp(text + i, "<!--", 4) == 0;
        if (!is_end && !is_comment)
            continue;
        arc_text_append_bytes(page, text + done, i + 1 - done);
        arc_text_append(page, "\\");
        done = i + 1;
    }
    arc_text_append_bytes(page, text + done, size - done);
}

/* What is no Plotly.js would make a page that shows nothing. */
static ArcStatus append_file(const char *path, ArcText *page, ArcError *err)
{
    char *bytes = NULL;
    size_t size = 0;
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = arc_file_read(path, (ArcPlace){0}, MOST_BYTES, arena, &bytes, &size, err);
    if (status == ARC_OK && memmem(bytes, size, "Plotly", 6) == NULL)
        status = arc_error_set_at(err, ARC_INPUT, (ArcPlace){path, 1, 1}, "no Plotly.js");
    if (status == ARC_OK)
        append_script(page, bytes, size);
    arc_arena_free(arena);
    return status;
}

/* A file that somebody names is meant: no other takes its place. */
static ArcStatus append_named(const char *path, ArcText *page, ArcError *err)
{
    ArcError why;
    ArcStatus status = append_file(path, page, &why);
    if (status == ARC_OK || status == ARC_MEMORY)
        return status == ARC_OK ? ARC_OK : arc_error_no_memory(err);
    return arc_error_set(err, ARC_SYSTEM,
                         "%s; this must be plotly-gl3d.min.js, which draws the page and which "
                         "scripts/deps fetches (ARCFIT_PLOTLY may name it)",
                         why.text);
}

ArcStatus arc_page_library(const char *given, ArcText *page, ArcError *err)
{
    static const char *const places[] = {ARC_LIBRARY_INSTALLED, ARC_LIBRARY_FETCHED};
    const char *named = given != NULL ? given : getenv("ARCFIT_PLOTLY");
    if (named != NULL && *named != '\0')
        return append_named(named, page, err);
    for (int i = 0; i < 2; i++) {
        ArcStatus status = append_file(places[i], page, NULL);
        if (status == ARC_OK || status == ARC_MEMORY)
            return status == ARC_OK ? ARC_OK : arc_error_no_memory(err);
    }
    return arc_error_set(
        err, ARC_SYSTEM,
        "error: no Plotly.js, which draws the page: neither %s nor %s; run scripts/deps, "
        "which fetches it, or name its file plotly-gl3d.min.js in ARCFIT_PLOTLY",
        places[0], places[1]);
}
