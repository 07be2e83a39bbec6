/* Pages of results made by hand, with a stand-in for Plotly.js. Include report_case.h before. */
#ifndef ARC_TESTS_PAGE_CASE_H
#define ARC_TESTS_PAGE_CASE_H

#include "arcfit/page.h"
#include "arcfit/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What users may write: markup, quotes, an end of a script, a right-to-left override and letters, a
 * line end of JavaScript, an emoji, control characters, and what is no UTF-8. */
#define PAGE_HOSTILE                                                                               \
    "<script>alert(1)</script>\"'&amp;--><!--\xe2\x80\xae\xd7\x90\xd7\x91\xe2\x80\xa8\xf0\x9f\x98" \
    "\x80\x01\x7f\xff%s`x`"

#define PAGE_LIBRARY "/* Plotly, MIT */ var a = \"</script>\", b = \"<!-- c\", d = \"</SCRIPT>\";\n"

static char page_library[64];

static inline int page_case_begin(void **state)
{
    (void)state;
    strcpy(page_library, "/tmp/arcfit-page-XXXXXX");
    int file = mkstemp(page_library);
    if (file < 0)
        return -1;
    bool is_written = write(file, PAGE_LIBRARY, strlen(PAGE_LIBRARY)) > 0;
    close(file);
    return is_written ? 0 : -1;
}

static inline int page_case_end(void **state)
{
    (void)state;
    return unlink(page_library);
}

static inline char *page_case_text(int n, const ArcPageItem *items, ArcUnits units)
{
    ArcError err = {ARC_OK, ""};
    char *text = NULL;
    const ArcPageSettings settings = {.units = units, .library = page_library};
    if (arc_page_text(n, items, &settings, &text, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return text;
}

static inline int page_case_count(const char *text, const char *word)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += strlen(word))
        n++;
    return n;
}

static inline void page_case_has(const char *text, const char *word)
{
    if (strstr(text, word) == NULL)
        fail_msg("not on the page: %s", word);
}

static inline void page_case_lacks(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    if (at != NULL)
        fail_msg("on the page: %.100s", at);
}

#endif
