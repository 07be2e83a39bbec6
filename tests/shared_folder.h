/* Where the reference flights, real captures and certified regressions lie: beside the project, or
 * where ARCFIT_SHARED says. Tests that need them skip where they are absent. */
#ifndef ARC_TESTS_SHARED_FOLDER_H
#define ARC_TESTS_SHARED_FOLDER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Absolute path of name in the folder, since an experiment takes others from its own folder; skips
 * the test where the folder is absent. */
static inline const char *shared_path(char buffer[1024], const char *name)
{
    const char *folder = getenv("ARCFIT_SHARED");
    if (folder == NULL)
        folder = "../shared";
    if (access(folder, R_OK) != 0) {
        print_message("skipped: no reference data at '%s' (set ARCFIT_SHARED)\n", folder);
        skip();
    }
    char *absolute = realpath(folder, NULL);
    assert_non_null(absolute);
    int length = snprintf(buffer, 1024, "%s/%s", absolute, name);
    free(absolute);
    assert_true(length < 1024);
    return buffer;
}

#endif
