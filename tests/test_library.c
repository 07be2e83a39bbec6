/* Where Plotly.js is looked for, what is said where it is not, and how its text goes into a page.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "page/parts.h"
#include "page/places.h"

static char folder[] = "/tmp/arcfit-library-XXXXXX";

static const char *write_file(const char *name, const char *text)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void check_library(const char *given, const char *expected)
{
    ArcText page = {0};
    ArcError err;
    char *text;
    if (arc_page_library(given, &page, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_int_equal(arc_text_finish(&page, &text, &err), ARC_OK);
    assert_string_equal(text, expected);
    arc_text_free(text);
}

static void check_refusal(const char *given, const char *words)
{
    ArcText page = {0};
    ArcError err;
    assert_int_equal(arc_page_library(given, &page, &err), ARC_SYSTEM);
    if (strstr(err.text, words) == NULL || strstr(err.text, "scripts/deps") == NULL ||
        strstr(err.text, "ARCFIT_PLOTLY") == NULL)
        fail_msg("'%s' lacks '%s' or what to do", err.text, words);
    assert_int_equal(page.size, 0);
}

static void test_library_given_file_goes_before_the_environments(void **state)
{
    (void)state;
    const char *path = write_file("environment.js", "var Plotly=1");
    setenv("ARCFIT_PLOTLY", path, 1);
    check_library(NULL, "var Plotly=1");
    check_library(write_file("given.js", "var Plotly=2"), "var Plotly=2");
}

static void test_library_script_cannot_end_within_it(void **state)
{
    (void)state;
    check_library(write_file("ends.js", "Plotly='</script><!--</SCRIPT>','</scrip'"),
                  "Plotly='<\\/script><\\!--<\\/SCRIPT>','</scrip'");
    check_library(write_file("last.js", "Plotly<!--"), "Plotly<\\!--");
}

static void test_library_named_file_that_is_not_there_is_refused(void **state)
{
    (void)state;
    setenv("ARCFIT_PLOTLY", "/nowhere/at/all.js", 1);
    check_refusal(NULL, "'/nowhere/at/all.js': No such file");
    setenv("ARCFIT_PLOTLY", write_file("environment.js", "var Plotly=1"), 1);
    check_refusal("/nowhere/given.js", "'/nowhere/given.js': No such file");
    check_refusal(folder, "is a folder");
}

static void test_library_file_of_something_else_is_refused(void **state)
{
    (void)state;
    check_refusal(write_file("other.js", "var D3=1"), "other.js:1:1: error: no Plotly.js");
    check_refusal(write_file("empty.js", ""), "empty.js:1:1: error: no Plotly.js");
}

/* Whether it was fetched is this machine's affair: the page has it, or its words say all places. */
static void test_library_unnamed_is_found_or_its_places_are_said(void **state)
{
    (void)state;
    const char *places[] = {ARC_LIBRARY_INSTALLED, ARC_LIBRARY_FETCHED};
    setenv("ARCFIT_PLOTLY", "", 1);
    if (access(places[0], R_OK) != 0 && access(places[1], R_OK) != 0) {
        check_refusal(NULL, places[0]);
        check_refusal(NULL, places[1]);
        return;
    }
    ArcText page = {0};
    char *text;
    assert_int_equal(arc_page_library(NULL, &page, NULL), ARC_OK);
    assert_int_equal(arc_text_finish(&page, &text, NULL), ARC_OK);
    assert_non_null(strstr(text, "plotly.js"));
    assert_null(strstr(text, "</script"));
    arc_text_free(text);
}

static bool refuse(void *context, size_t size)
{
    int *left = context;
    (void)size;
    return (*left)-- > 0;
}

static void test_library_exhaustion_is_told(void **state)
{
    (void)state;
    const char *path = write_file("large.js", "Plotly");
    int refused = 0;
    for (int allowed = 0; allowed < 10; allowed++) {
        ArcText page = {0};
        ArcError err;
        char *text = NULL;
        int left = allowed;
        arc_memory_set_hook(refuse, &left);
        ArcStatus status = arc_page_library(path, &page, &err);
        arc_memory_set_hook(NULL, NULL);
        refused += status == ARC_MEMORY || page.failed;
        if (status != ARC_OK)
            assert_int_equal(status, ARC_MEMORY);
        assert_int_equal(arc_text_finish(&page, &text, &err), page.failed ? ARC_MEMORY : ARC_OK);
        arc_text_free(text);
    }
    assert_in_range(refused, 2, 8);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    char path[128];
    static const char *const names[] = {"environment.js", "given.js", "ends.js", "last.js",
                                        "other.js",       "empty.js", "large.js"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_library_given_file_goes_before_the_environments),
        cmocka_unit_test(test_library_script_cannot_end_within_it),
        cmocka_unit_test(test_library_named_file_that_is_not_there_is_refused),
        cmocka_unit_test(test_library_file_of_something_else_is_refused),
        cmocka_unit_test(test_library_unnamed_is_found_or_its_places_are_said),
        cmocka_unit_test(test_library_exhaustion_is_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
