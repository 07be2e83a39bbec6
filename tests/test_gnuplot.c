/* Figures drawn by gnuplot: whole pictures of every kind, texts of users that are never run. */
#include "arcfit/text.h"
#include "figure/gnuplot_script.h"

#include <stdlib.h>

#include "program_run.h"

#include "drawn_case.h"

static char folder[] = "/tmp/arcfit-gnuplot-XXXXXX";

static void test_gallery(void **state)
{
    (void)state;
    ArcError err;
    const ArcFigures figures = {.n = N_DRAWN, .figures = drawn};
    for (int format = 0; format < 3; format++)
        if (arc_figures_write_gnuplot(&figures, "all", (ArcPictureFormat)format, ARC_UNITS_SI, &err) != ARC_OK)
            fail_msg("%s", err.text);
    assert_int_equal(access("all/pwned", F_OK), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gallery),
    };
    drawn_make();
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (getenv("ARCFIT_KEEP") == NULL)
        run_remove_folder(folder);
    else
        puts(folder);
    return failed;
}
